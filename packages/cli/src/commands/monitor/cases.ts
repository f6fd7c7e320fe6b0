import { readFile } from 'node:fs/promises';
import { dirname, extname, resolve } from 'node:path';
import { findNearest } from '@millrace/apl';
import type { WriteView, WriteVirtualField } from '@millrace/client';
import { readDocument } from '../../document-file.js';
import { Failure, usage } from '../../failure.js';
import type { Io } from '../../io.js';
import { problemOf } from '../../system-errors.js';

/** Files with test cases of a monitor: recorded events, and the openings they have to lead to. */

export interface Opening {
  /** Time of the run that opens it, milliseconds since the epoch. */
  readonly opened: number;
  /** Time of the run that closes it; undefined if it is open at the end. */
  readonly closed: number | undefined;
  /** Values by fields; empty without groups. */
  readonly group: Readonly<Record<string, unknown>>;
}

/** Events in a body that the server takes. */
interface Body {
  readonly type: string;
  readonly text: string;
}

/** Cases, and what the query of the monitor needs beside their datasets. */
export interface Cases {
  readonly cases: readonly Case[];
  /** In the order in which they are created: a view may read those before it. */
  readonly views: readonly WriteView[];
  readonly virtualFields: readonly WriteVirtualField[];
}

export interface Case {
  readonly name: string;
  /** RFC 3339: times of the first and last run. */
  readonly start: string;
  readonly end: string;
  readonly events: ReadonlyMap<string, readonly Body[]>;
  readonly openings: readonly Opening[];
}

type Document = Readonly<Record<string, unknown>>;

const caseKeys = ['name', 'start', 'end', 'events', 'openings'] as const;
const viewKeys = ['id', 'name', 'aplQuery', 'datasets', 'description'] as const;
const virtualFieldKeys = ['id', 'dataset', 'name', 'expression', 'description', 'type', 'unit'] as const;
const openingKeys = ['opened', 'closed', 'group'] as const;

/** @throws Failure `usage` for a mistake in the file, `failed` for a file that cannot be read */
export async function casesIn(file: string, io: Io): Promise<Cases> {
  const document = await readDocument(file, io);
  requireKeys(document, 'a file of cases', ['cases', 'views', 'virtualFields']);
  const { cases, views = [], virtualFields = [] } = document;
  if (!Array.isArray(cases) || cases.length === 0) throw usage(`${file} must have a list 'cases'`);
  const directory = file === '-' ? '.' : dirname(file);
  return {
    cases: await Promise.all(cases.map((each: unknown, index) => caseIn(each, `case ${index + 1}`, directory))),
    views: resourcesIn<WriteView>(views, 'view', viewKeys),
    virtualFields: resourcesIn<WriteVirtualField>(virtualFields, 'virtual field', virtualFieldKeys),
  };
}

/** As the API returns them; the server checks their values. */
function resourcesIn<T>(value: unknown, noun: string, known: readonly string[]): readonly T[] {
  if (!Array.isArray(value)) throw usage(`the ${noun}s of a file of cases must be a list`);
  return value.map((each: unknown, index) => {
    const place = `${noun} ${index + 1}`;
    const { id: _, ...written } = objectIn(each, place);
    requireKeys(written, place, known);
    return written as T;
  });
}

async function caseIn(value: unknown, place: string, directory: string): Promise<Case> {
  const written = objectIn(value, place);
  requireKeys(written, place, caseKeys);
  const { name = place, start, end, events, openings = [] } = written;
  if (!Array.isArray(openings)) throw usage(`'openings' of ${place} must be a list; an empty one expects none`);
  const bodies = await Promise.all(
    Object.entries(objectIn(events, `'events' of ${place}`)).map(
      async ([dataset, some]) => [dataset, await bodiesIn(some, `'${dataset}' of ${place}`, directory)] as const,
    ),
  );
  return {
    name: String(name),
    start: new Date(timeIn(start, `'start' of ${place}`)).toISOString(),
    end: new Date(timeIn(end, `'end' of ${place}`)).toISOString(),
    events: new Map(bodies),
    openings: openings.map((each: unknown, index) => openingIn(each, `opening ${index + 1} of ${place}`)),
  };
}

function openingIn(value: unknown, place: string): Opening {
  const written = objectIn(value, place);
  requireKeys(written, place, openingKeys);
  const { opened, closed, group = {} } = written;
  return {
    opened: timeIn(opened, `'opened' of ${place}`),
    closed: closed === undefined || closed === null ? undefined : timeIn(closed, `'closed' of ${place}`),
    group: objectIn(group, `'group' of ${place}`),
  };
}

/** A list of events, or one or several files relative to the file of cases. */
async function bodiesIn(value: unknown, place: string, directory: string): Promise<readonly Body[]> {
  if (typeof value === 'string') return [await bodyOf(resolve(directory, value))];
  if (!Array.isArray(value)) throw usage(`${place} must be a list of events, or names of files`);
  const files = value.filter((each): each is string => typeof each === 'string');
  const events = value.filter((each) => typeof each !== 'string');
  const read = await Promise.all(files.map((path) => bodyOf(resolve(directory, path))));
  return events.length === 0 ? read : [...read, { type: 'application/json', text: JSON.stringify(events) }];
}

const types: Readonly<Record<string, string>> = {
  '.json': 'application/json',
  '.ndjson': 'application/x-ndjson',
  '.jsonl': 'application/x-ndjson',
  '.csv': 'text/csv',
};

async function bodyOf(path: string): Promise<Body> {
  const type = types[extname(path)];
  if (type === undefined) throw usage(`${path} must end in ${Object.keys(types).join(', ')}`);
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    throw new Failure('failed', `${path} cannot be read: ${problemOf(error)}`, { cause: error });
  });
  return { type, text };
}

function objectIn(value: unknown, place: string): Document {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw usage(`${place} must be a JSON object`);
  return value as Document;
}

function timeIn(value: unknown, place: string): number {
  const time = typeof value === 'string' ? Date.parse(value) : NaN;
  if (Number.isNaN(time)) throw usage(`${place} must be a time such as 2026-11-20T10:00:00Z`);
  return time;
}

function requireKeys(written: Document, place: string, known: readonly string[]): void {
  const unknown = Object.keys(written).find((key) => !known.includes(key));
  if (unknown === undefined) return;
  const meant = findNearest(unknown, known);
  throw usage(`${place} has no '${unknown}'${meant === undefined ? '' : `; did you mean '${meant}'?`}`);
}
