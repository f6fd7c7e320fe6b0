import { decompress } from './decompress.js';
import { expandMember, listIn } from './expand.js';
import {
  beginningOf,
  columnsOf,
  delimiterOf,
  type Encoding,
  encodingOf,
  type Format,
  formatOf,
  withoutNames,
} from './format.js';
import { isJournal, withTexts } from './journal-json.js';
import { timeFieldIn } from './time-field.js';
import { type Part, type Run, split, type SplitOptions, withPauses } from './split.js';

/** Inputs, such as files, as requests. */

export interface Input {
  /** Name in messages; its extension says the format. */
  readonly name: string;
  readonly bytes: AsyncIterable<Uint8Array>;
}

export interface OutgoingRequest extends Omit<Part, 'runs'> {
  /** Absent if the body is the whole input. */
  readonly runs?: readonly Run[];
  readonly input: string;
  readonly format: Format;
  /** CSV only; a comma by default. */
  readonly delimiter?: string;
  /** CSV only: names of its columns, if numbers take the place of a header. */
  readonly columns?: readonly string[];
  /** Compression of the body. */
  readonly encoding?: Encoding;
  /** Field with the event time, if `findsTime` and the input has one. */
  readonly timeField?: string;
}

export interface SourceOptions extends Omit<SplitOptions, 'format' | 'header' | 'delimiter'> {
  readonly format: Format | undefined;
  readonly delimiter: string | undefined;
  readonly encoding: Encoding | 'none' | undefined;
  /** Where a CSV has the names of its columns: in its first row, in an option, or nowhere. */
  readonly names: 'header' | 'option' | 'none';
  /** Member of objects whose array has the events. */
  readonly expand: string | undefined;
  /** Whether to look for a field with the event time. */
  readonly findsTime: boolean;
  /** Called with the detected format and the reason if the detection is uncertain. */
  readonly guessing: (message: string) => void;
}

/**
 * Requests of an input. A small one is sent unchanged; a large compressed one is decompressed here
 * so that it can be split.
 */
export async function* outgoingEvents(input: Input, options: SourceOptions): AsyncGenerator<OutgoingRequest> {
  const { head, rest } = await begin(input.bytes, options.maxBytes, options.maxWait);
  if (head.byteLength === 0) return;
  const encoding = options.encoding === 'none' ? undefined : (options.encoding ?? encodingOf(head));
  const beginning = encoding === undefined ? head : await firstPiece(head, encoding, input.name);
  const rewrite = rewriteOf(input.name, beginning, options);
  if (rewrite !== undefined) {
    const bytes = joinHead(head, rest);
    yield* rewritten(
      input.name,
      rewrite(encoding === undefined ? bytes : decompress(bytes, encoding, input.name)),
      options,
    );
  } else if (encoding === undefined && rest === undefined) {
    yield { input: input.name, body: head, offset: 0, ...readingOf(input.name, head, options) };
  } else if (encoding === undefined) {
    yield* parts(input.name, joinHead(head, rest), head, options);
  } else if (rest === undefined) {
    const reading = readingOf(input.name, beginning, options);
    yield { input: input.name, body: head, offset: 0, ...reading, encoding };
  } else {
    yield* unpackFile(input.name, joinHead(head, rest), encoding, options);
  }
}

type Rewrite = (bytes: AsyncIterable<Uint8Array>) => AsyncIterable<Uint8Array>;

/** How the events of an input are rewritten as lines, if they must be. */
function rewriteOf(name: string, head: Uint8Array, { expand, format, guessing }: SourceOptions): Rewrite | undefined {
  if (expand !== undefined) return (bytes) => expandMember(bytes, expand, (message) => guessing(`${name}: ${message}`));
  if (format === 'csv') return undefined;
  return isJournal(beginningOf(head)) ? withTexts : undefined;
}

async function* rewritten(
  name: string,
  bytes: AsyncIterable<Uint8Array>,
  options: SourceOptions,
): AsyncGenerator<OutgoingRequest> {
  const { head, rest } = await begin(bytes, 64 * 1024, options.maxWait);
  if (head.byteLength > 0) yield* parts(name, joinHead(head, rest), head, { ...options, format: 'ndjson' });
}

/** Requests of a compressed body that the server found too large. */
export function unpackedAfterAll(request: OutgoingRequest, options: SourceOptions): AsyncGenerator<OutgoingRequest> {
  const { input, body, encoding, format, delimiter } = request;
  return unpackFile(input, joinHead(body, undefined), encoding!, { ...options, format, delimiter });
}

async function* unpackFile(
  name: string,
  bytes: AsyncIterable<Uint8Array>,
  encoding: Encoding,
  options: SourceOptions,
): AsyncGenerator<OutgoingRequest> {
  const { head, rest } = await begin(decompress(bytes, encoding, name), 64 * 1024);
  yield* parts(name, joinHead(head, rest), head, options);
}

async function* parts(
  input: string,
  bytes: AsyncIterable<Uint8Array>,
  head: Uint8Array,
  options: SourceOptions,
): AsyncGenerator<OutgoingRequest> {
  const reading = readingOf(input, head, options);
  const { format, delimiter = comma } = reading;
  const header = format === 'csv' && options.names === 'header';
  for await (const part of split(bytes, { ...options, format, header, delimiter }))
    yield { ...part, input, ...reading };
}

const comma = ',';

type FormatOptions = Pick<OutgoingRequest, 'format' | 'delimiter' | 'columns' | 'timeField'>;

/**
 * Format options: explicit, or detected from the first bytes. A CSV whose columns an option names
 * has comma-separated cells.
 */
function readingOf(name: string, head: Uint8Array, options: SourceOptions): FormatOptions {
  const { names, delimiter: between, guessing } = options;
  const { format, guessed } =
    options.format === undefined
      ? formatOf(name, head, between !== undefined || names !== 'header')
      : { format: options.format };
  if (guessed !== undefined) guessing(guessed);
  if (format !== 'csv') {
    const list = options.expand === undefined ? listIn(beginningOf(head)) : undefined;
    if (list !== undefined)
      guessing(`${name}: objects have their events in '${list}'; --expand ${list} stores each as an event`);
    return { format, ...timeIn(head, format, undefined, options) };
  }
  const delimiter = between ?? (names === 'option' ? comma : delimiterOf(name, head));
  const warning = names === 'header' ? withoutNames(name, head, delimiter) : undefined;
  if (warning !== undefined) guessing(warning);
  return {
    format,
    ...(delimiter !== comma && { delimiter }),
    ...(names === 'none' && { columns: columnsOf(head, delimiter) }),
    ...timeIn(head, format, names === 'header' ? delimiter : undefined, options),
  };
}

function timeIn(
  head: Uint8Array,
  format: Format,
  delimiter: string | undefined,
  { findsTime }: SourceOptions,
): Pick<OutgoingRequest, 'timeField'> {
  if (!findsTime) return {};
  const timeField = timeFieldIn(beginningOf(head), format, delimiter === '\\t' ? '\t' : delimiter);
  return timeField === undefined ? {} : { timeField };
}

/** Reads more than `bytes`, or up to a pause; `rest` is undefined at the end. */
async function begin(
  input: AsyncIterable<Uint8Array>,
  bytes: number,
  maxWait?: number,
): Promise<{ readonly head: Uint8Array; readonly rest: AsyncGenerator<Uint8Array | 'pause'> | undefined }> {
  const iterator = withPauses(input, maxWait);
  const pieces: Uint8Array[] = [];
  let size = 0;
  while (size <= bytes) {
    const next = await iterator.next();
    if (next.done === true) return { head: Buffer.concat(pieces), rest: undefined };
    if (next.value === 'pause') break;
    pieces.push(next.value);
    size += next.value.byteLength;
  }
  return { head: Buffer.concat(pieces), rest: iterator };
}

async function* joinHead(
  head: Uint8Array,
  rest: AsyncGenerator<Uint8Array | 'pause'> | undefined,
): AsyncGenerator<Uint8Array, void, undefined> {
  yield head;
  // `split` detects pauses itself.
  for await (const piece of rest ?? []) if (piece !== 'pause') yield piece;
}

async function firstPiece(head: Uint8Array, encoding: Encoding, name: string): Promise<Uint8Array> {
  for await (const piece of decompress(joinHead(head, undefined), encoding, name)) return piece;
  return new Uint8Array();
}
