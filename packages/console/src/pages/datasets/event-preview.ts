import { eventTimeField } from '@millrace/timestamps';
import { nowInstant } from '../../data/time/instants.js';
import { jsonMistake } from './json-error.js';

/** Previews how a text would be ingested. The server decides; this shows errors before sending. */

type Format = 'json' | 'csv';

interface PreviewField {
  readonly name: string;
  /** Types of its values, in order of appearance. */
  readonly types: readonly string[];
  readonly example: string;
}

interface Mistake {
  /** Byte offset. */
  readonly at: number;
  readonly line: number;
  readonly text: string;
}

export interface Preview {
  readonly format: Format;
  readonly events: number;
  readonly fields: readonly PreviewField[];
  readonly mistakes: readonly Mistake[];
  readonly hasTime: boolean;
  /** Field with the event time, if it is not in `_time`. */
  readonly timeField: string | undefined;
}

/** Further errors are most likely repetitions. */
const MAX_MISTAKES = 20;

export function previewOf(text: string): Preview {
  const format = formatOf(text);
  const { events, mistakes } = format === 'csv' ? readCsv(text) : readJson(text);
  const fields = fieldsOf(events);
  return {
    format,
    events: events.length,
    fields,
    mistakes: mistakes.slice(0, MAX_MISTAKES),
    timeField: eventTimeField(events, nowInstant()),
    hasTime: fields.some(({ name }) => name === '_time'),
  };
}

/**
 * JSON starts with a bracket or brace; a first line with commas and without them is a CSV header.
 */
const formatOf = (text: string): Format => {
  const first = text.trimStart().split('\n', 1)[0] ?? '';
  return /^[[{]/.test(first) || !first.includes(',') ? 'json' : 'csv';
};

interface Read {
  readonly events: readonly Readonly<Record<string, unknown>>[];
  readonly mistakes: readonly Mistake[];
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function readJson(text: string): Read {
  if (text.trim() === '') return { events: [], mistakes: [] };
  try {
    const whole: unknown = JSON.parse(text);
    const elements = Array.isArray(whole) ? (whole as readonly unknown[]) : [whole];
    const events = elements.filter(isObject);
    const mistakes = elements.flatMap((each, index) =>
      isObject(each) ? [] : [{ at: 0, line: 1, text: `element ${index + 1} is not an object` }],
    );
    return { events, mistakes };
  } catch {
    return /^\s*\[/.test(text) ? { events: [], mistakes: [mistakeOf(text, 0, 1)] } : readLines(text);
  }
}

function readLines(text: string): Read {
  const events: Readonly<Record<string, unknown>>[] = [];
  const mistakes: Mistake[] = [];
  let before = '';
  for (const [index, line] of text.split('\n').entries()) {
    const start = before.length;
    before += `${line}\n`;
    if (line.trim() === '') continue;
    try {
      const value: unknown = JSON.parse(line);
      if (isObject(value)) events.push(value);
      else mistakes.push({ at: bytesOf(text.slice(0, start)), line: index + 1, text: 'not a JSON object' });
    } catch {
      mistakes.push(mistakeOf(line, bytesOf(text.slice(0, start)), index + 1));
    }
  }
  return { events, mistakes };
}

const bytesOf = (text: string): number => new TextEncoder().encode(text).length;

/** JSON error with its byte offset in the whole text. */
function mistakeOf(text: string, start: number, line: number): Mistake {
  const { at = 0, wanted = 'JSON' } = jsonMistake(text) ?? {};
  const before = text.slice(0, at);
  const found = text.slice(at).trim() === '' ? 'the end' : JSON.stringify(text.slice(at, at + 12));
  return {
    at: start + bytesOf(before),
    line: line + (before.match(/\n/g) ?? []).length,
    text: `expected ${wanted}, found ${found}`,
  };
}

/** One CSV row, with quotes. Values that span lines are left to the server. */
function cellsOf(line: string): readonly string[] {
  return [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)].map(
    ([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? plain ?? '',
  );
}

function readCsv(text: string): Read {
  const [head = '', ...rows] = text.replaceAll('\r', '').trimEnd().split('\n');
  const names = cellsOf(head);
  const events: Readonly<Record<string, unknown>>[] = [];
  const mistakes: Mistake[] = [];
  let at = bytesOf(head) + 1;
  for (const [index, row] of rows.entries()) {
    const cells = cellsOf(row);
    if (cells.length > names.length)
      mistakes.push({ at, line: index + 2, text: `${cells.length} values for ${names.length} columns` });
    else events.push(Object.fromEntries(names.map((name, column) => [name, csvValue(cells[column] ?? '')])));
    at += bytesOf(row) + 1;
  }
  return { events, mistakes };
}

function csvValue(text: string): unknown {
  if (text === '') return null;
  return /^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i.test(text)
    ? Number(text)
    : text === 'true'
      ? true
      : text === 'false'
        ? false
        : text;
}

function fieldsOf(events: readonly Readonly<Record<string, unknown>>[]): readonly PreviewField[] {
  const found = new Map<string, { types: Set<string>; example: string }>();
  const visit = (prefix: string, value: Readonly<Record<string, unknown>>): void => {
    for (const [key, member] of Object.entries(value)) {
      const name = prefix + key;
      if (member === null) continue;
      if (isObject(member) && Object.keys(member).length > 0) {
        visit(`${name}.`, member);
        continue;
      }
      const known = found.get(name) ?? { types: new Set<string>(), example: JSON.stringify(member).slice(0, 80) };
      known.types.add(name === '_time' ? 'datetime' : typeOf(member));
      found.set(name, known);
    }
  };
  for (const event of events) visit('', event);
  return [...found].map(([name, { types, example }]) => ({ name, types: [...types], example }));
}

function typeOf(value: unknown): string {
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'float';
  return typeof value === 'object' ? 'map' : typeof value;
}
