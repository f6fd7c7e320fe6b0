import { httpError } from '@millrace/api/errors';
import { JsonScan } from '../bytes/json-scan.js';
import type { Part } from '../encode-body.js';
import { requireFewDatasets } from '../dataset-limit.js';
import { type Action, actions, BulkItems, type ItemError } from './bulk-items.js';
import { ingestBounds } from '../ingest-limits.js';

const space = 0x20;

/** A parsed action; identical lines share one object. */
export interface ReadAction {
  readonly action: Action;
  /** Start of its entry in the response. */
  readonly names: string;
  /** The dataset that it names. */
  readonly index: string | undefined;
}

interface ReadBulk {
  readonly items: BulkItems;
  /** Datasets that other items are for. */
  readonly others: readonly string[];
}

/**
 * Parses the lines of a bulk request: an action, followed by a document unless the action is
 * `delete`. Overwrites everything else with white space, in place, so that the encoder sees only
 * documents, one per line. With a `part`, also overwrites documents of other datasets. Encoding, or
 * {@link checkDocuments}, checks that each line is one document.
 * @throws HttpError `invalid-request` for a malformed action line: the pairing of the following
 * lines is unknown then
 */
export function readBulk(body: Buffer, part: Part | undefined): ReadBulk {
  const items = new BulkItems();
  const others = new Set<string>();
  const actions = new ActionLines(body);
  /** The action whose document is expected. */
  let action: ReadAction | undefined;
  let isOwn = true;
  for (let start = 0; start < body.length;) {
    const known = action === undefined ? actions.sameAt(start) : undefined;
    const end = known === undefined ? lineEnd(body, start) : start + actions.length;
    const first = known === undefined ? firstByte(body, start, end) : start;
    actions.line++;
    if (first < end) {
      if (action === undefined) {
        const read = known ?? actions.read(start, end);
        const { index = part?.rest === true ? part.dataset : undefined } = read;
        isOwn = part === undefined || index === part.dataset;
        if (!isOwn && index !== undefined) {
          others.add(index);
          requireFewDatasets(others);
        }
        items.add(read, isOwn);
        blank(body, start, end);
        if (read.action !== 'delete') action = read;
        else if (isOwn) items.fail({ status: 404, type: 'not_found', reason: 'events cannot be deleted one by one' });
      } else {
        const problem = action.action === 'update' ? noDocument.update : outsideOf(body, first, end);
        if (isOwn && problem === undefined) items.hasDocument(first, end);
        else {
          if (isOwn) items.fail(problem!);
          blank(body, start, end);
        }
        action = undefined;
      }
    }
    start = end + 1;
  }
  if (action !== undefined && isOwn)
    items.fail({ status: 400, type: mapperParsingException, reason: 'there is no document behind the action' });
  return { items, others: [...others] };
}

/** Action lines. Most lines of a request are identical, so the last parsed one is cached. */
class ActionLines {
  readonly #body: Buffer;
  #bytes: Buffer = Buffer.alloc(0);
  #read: ReadAction | undefined;
  /** Line number in the request. */
  line = 0;

  constructor(body: Buffer) {
    this.#body = body;
  }

  /** Bytes of the line read last. */
  get length(): number {
    return this.#bytes.length;
  }

  /** The action parsed last, if the line at `start` is identical. */
  sameAt(start: number): ReadAction | undefined {
    const { length } = this.#bytes;
    if (this.#body[start + length] !== lineFeed) return undefined;
    for (let i = 0; i < length; i++) if (this.#body[start + i] !== this.#bytes[i]) return undefined;
    return this.#read;
  }

  read(start: number, end: number): ReadAction {
    this.#bytes = Buffer.from(this.#body.subarray(start, end));
    return (this.#read = readAction(this.#body, start, end, this.line));
  }
}

/** Fails the items whose document is not exactly one object, and overwrites it with white space. */
export function checkDocuments(body: Buffer, items: BulkItems): void {
  const scan = new JsonScan(body);
  items.keepDocuments((first, end) => {
    const behind = scan.valueEnd(first);
    if (behind > 0 && behind <= end && firstByte(body, behind, end) === end) return undefined;
    blank(body, first, end);
    return noDocument.other;
  });
}

const lineFeed = 0x0a;
const openBrace = 0x7b;
const closeBrace = 0x7d;

function lineEnd(body: Buffer, start: number): number {
  const found = body.indexOf(lineFeed, start);
  return found < 0 ? body.length : found;
}

/** Few bytes take less time so than by a call. */
function blank(body: Buffer, start: number, end: number): void {
  if (end - start > 64) body.fill(space, start, end);
  else for (let at = start; at < end; at++) body[at] = space;
}

/**
 * Whether the first and last byte of a line rule out an object. If all lines start and end like
 * objects, no value spans two lines: equal numbers of events and lines, without failures, mean one
 * event per line.
 */
function outsideOf(body: Buffer, first: number, end: number): ItemError | undefined {
  let last = end - 1;
  while (last > first && body[last]! <= space) last--;
  return body[first] === openBrace && body[last] === closeBrace ? undefined : noDocument.other;
}

export const mapperParsingException = 'mapper_parsing_exception';

const noDocument: Readonly<Record<'update' | 'other', ItemError>> = {
  update: {
    status: 400,
    type: 'illegal_argument_exception',
    reason: 'events cannot be updated; send them with create',
  },
  other: { status: 400, type: mapperParsingException, reason: 'the document is not one JSON object on one line' },
};

function firstByte(body: Buffer, start: number, end: number): number {
  let at = start;
  while (at < end && body[at]! <= space) at++;
  return at;
}

function readAction(body: Buffer, start: number, end: number, line: number): ReadAction {
  const refusalError = () =>
    httpError('invalid-request', {
      problem: `line ${line}: expected an action such as {"create":{}}, because documents and actions take turns`,
    });
  if (end - start > ingestBounds.bulkActionBytes.max) throw refusalError();
  let value: unknown;
  try {
    value = JSON.parse(body.toString('utf8', start, end));
  } catch {
    throw refusalError();
  }
  if (typeof value !== 'object' || value === null) throw refusalError();
  // Further properties are ignored, as in Elasticsearch 8: some clients put their attempt count
  // there.
  const [name, meta] = Object.entries(value)[0] ?? [];
  const action = actions.find((each) => each === name);
  if (action === undefined || typeof meta !== 'object' || meta === null) throw refusalError();
  const { _index, _id } = meta as Readonly<Record<string, unknown>>;
  return {
    action,
    names: writeMember('_index', _index) + writeMember('_id', _id),
    index: typeof _index === 'string' && _index !== '' ? _index : undefined,
  };
}

const writeMember = (name: string, value: unknown): string =>
  typeof value === 'string' ? `"${name}":${JSON.stringify(value)},` : '';

/** The dataset that the first action of a request names. */
export function firstIndex(beginning: Buffer): string | undefined {
  const [line = ''] = beginning.toString('utf8', 0, ingestBounds.bulkActionBytes.max).trimStart().split('\n');
  try {
    return readAction(Buffer.from(line), 0, Buffer.byteLength(line), 1).index;
  } catch {
    // Parsing reports the error later.
    return undefined;
  }
}
