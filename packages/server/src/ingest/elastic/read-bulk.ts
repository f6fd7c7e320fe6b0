import { httpError } from '../../errors.js';
import { JsonScan } from '../bytes/json-scan.js';
import type { Part } from '../encode-body.js';
import { type Action, actions, BulkItems, type ItemError } from './bulk-items.js';

const space = 0x20;
/** No action is longer. */
const longestAction = 64 * 1024;

interface ReadAction {
  readonly action: Action;
  /** The beginning of its answer. */
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
 * Reads the lines of a bulk request: an action, and behind it a document, unless the action is `delete`. All that is no document becomes white space, in
 * place, so that the encoder finds nothing but documents, each on its line. So do documents for other datasets, if only a part is meant.
 * @throws HttpError `invalid-request` for a line that should be an action and is none: which lines belong together is not known any more
 */
export function readBulk(body: Buffer, part: Part | undefined): ReadBulk {
  const items = new BulkItems();
  const scan = new JsonScan(body);
  /** Of the action before: mostly all of a request are the same. */
  let known: { readonly bytes: Buffer; readonly read: ReadAction } | undefined;
  const others = new Set<string>();
  /** The action whose document is expected. */
  let action: ReadAction | undefined;
  let isOwn = true;
  let number = 0;
  for (let start = 0; start < body.length;) {
    number++;
    const lineEnd = body.indexOf(0x0a, start);
    const end = lineEnd < 0 ? body.length : lineEnd;
    const first = firstByte(body, start, end);
    if (first < end) {
      if (action === undefined) {
        const same = known !== undefined && body.compare(known.bytes, 0, known.bytes.length, start, end) === 0;
        if (!same)
          known = { bytes: Buffer.from(body.subarray(start, end)), read: readAction(body, start, end, number) };
        const { read } = known!;
        const { index = part?.rest === true ? part.dataset : undefined } = read;
        isOwn = part === undefined || index === part.dataset;
        if (!isOwn && index !== undefined) others.add(index);
        items.add(read.action, read.names, isOwn);
        body.fill(space, start, end);
        if (read.action !== 'delete') action = read;
        else if (isOwn) items.fail({ status: 404, type: 'not_found', reason: 'events cannot be deleted one by one' });
      } else if (!isOwn) {
        body.fill(space, start, end);
        action = undefined;
      } else {
        const problem = problemOf(scan, first, end, action.action);
        if (problem === undefined) items.hasDocument();
        else {
          items.fail(problem);
          body.fill(space, start, end);
        }
        action = undefined;
      }
    }
    start = end + 1;
  }
  if (action !== undefined && isOwn)
    items.fail({ status: 400, type: parsing, reason: 'there is no document behind the action' });
  return { items, others: [...others] };
}

export const parsing = 'mapper_parsing_exception';

const noDocument: Readonly<Record<'update' | 'other', ItemError>> = {
  update: {
    status: 400,
    type: 'illegal_argument_exception',
    reason: 'events cannot be updated; send them with create',
  },
  other: { status: 400, type: parsing, reason: 'the document is not one JSON object on one line' },
};

/** Why a line is no document: to the encoder, every line has to be exactly one event. */
function problemOf(scan: JsonScan, first: number, end: number, action: Action): ItemError | undefined {
  if (action === 'update') return noDocument.update;
  const behind = scan.isObject(first) ? scan.valueEnd(first) : -1;
  return behind > 0 && behind <= end && firstByte(scan.bytes, behind, end) === end ? undefined : noDocument.other;
}

function firstByte(body: Buffer, start: number, end: number): number {
  let at = start;
  while (at < end && body[at]! <= space) at++;
  return at;
}

function readAction(body: Buffer, start: number, end: number, line: number): ReadAction {
  const refused = () =>
    httpError('invalid-request', {
      problem: `line ${line}: expected an action such as {"create":{}}, because documents and actions take turns`,
    });
  if (end - start > longestAction) throw refused();
  let value: unknown;
  try {
    value = JSON.parse(body.toString('utf8', start, end));
  } catch {
    throw refused();
  }
  if (typeof value !== 'object' || value === null) throw refused();
  const [name, meta] = Object.entries(value)[0] ?? [];
  const action = actions.find((each) => each === name);
  if (action === undefined || typeof meta !== 'object' || meta === null || Object.keys(value).length > 1)
    throw refused();
  const { _index, _id } = meta as Readonly<Record<string, unknown>>;
  return {
    action,
    names: written('_index', _index) + written('_id', _id),
    index: typeof _index === 'string' && _index !== '' ? _index : undefined,
  };
}

const written = (name: string, value: unknown): string =>
  typeof value === 'string' ? `"${name}":${JSON.stringify(value)},` : '';

/** The dataset that the first action of a request names. */
export function firstIndex(beginning: Buffer): string | undefined {
  const [line = ''] = beginning.toString('utf8', 0, longestAction).trimStart().split('\n');
  try {
    return readAction(Buffer.from(line), 0, Buffer.byteLength(line), 1).index;
  } catch {
    // What is wrong with it is told when it is read.
    return undefined;
  }
}
