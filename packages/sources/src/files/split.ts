import { setTimeout as sleep } from 'node:timers/promises';
import { humanBytes } from '@millrace/http/settings/setting-units';
import { InputError } from './input-error.js';
import type { Format } from './format.js';
import { EventLineScanner } from './event-lines.js';
import { CsvScanner, JsonScanner, type Scanner, type Span } from './scanner.js';

export interface SplitOptions {
  readonly format: Format;
  /** Maximum size of a request, unless a single event is larger. */
  readonly maxBytes: number;
  /** CSV only. */
  readonly delimiter: string;
  /** The first row of a CSV is a header, repeated in every request. */
  readonly header: boolean;
  /** Milliseconds that an event may wait to share a request. Without it, requests are filled. */
  readonly maxWait?: number;
}

/** Body of one request. */
export interface Part {
  readonly body: Uint8Array;
  /** Offset in the input. */
  readonly offset: number;
  /** Maps the body to the input, in order. */
  readonly runs: readonly Run[];
}

/** A range of bytes that is contiguous in both body and input. */
export interface Run {
  /** Offset in the body. */
  readonly at: number;
  /** Offset in the input. */
  readonly offset: number;
  /** Input lines before its first line. */
  readonly line: number;
}

/** Maximum size of an event buffered in memory. */
const longestRecord = 64 * 1024 * 1024;

/**
 * Splits a stream of events into requests. Without `maxWait` the boundaries depend on the bytes
 * alone, not on the chunks, so a repeated load makes the same requests.
 * @throws InputError when an event is too long
 */
export async function* split(input: AsyncIterable<Uint8Array>, options: SplitOptions): AsyncGenerator<Part> {
  const splitter = new Splitter(options);
  for await (const piece of withPauses(input, options.maxWait)) {
    if (piece === 'pause') yield* splitter.pause();
    else yield* splitter.push(piece);
  }
  yield* splitter.end();
}

/**
 * The chunks, and a `pause` whenever the first chunk since the last pause is `milliseconds` old.
 */
export async function* withPauses(
  input: AsyncIterable<Uint8Array>,
  milliseconds: number | undefined,
): AsyncGenerator<Uint8Array | 'pause'> {
  if (milliseconds === undefined) return yield* input;
  const iterator = input[Symbol.asyncIterator]();
  let due: number | undefined;
  let next = iterator.next();
  try {
    for (;;) {
      const timer = new AbortController();
      const pause =
        due === undefined
          ? []
          : [
              sleep(Math.max(0, due - Date.now()), 'pause' as const, { signal: timer.signal }).catch(
                () => 'pause' as const,
              ),
            ];
      const got = await Promise.race([next, ...pause]);
      timer.abort();
      if (got === 'pause') {
        due = undefined;
        yield got;
      } else {
        if (got.done === true) return;
        due ??= Date.now() + milliseconds;
        yield got.value;
        next = iterator.next();
      }
    }
  } finally {
    void iterator.return?.();
  }
}

export class Splitter {
  readonly #options: SplitOptions;
  readonly #scanner: Scanner;
  /** Unsent bytes; `#first` is the offset of the first, `#bytes` their count. */
  #pieces: Uint8Array[] = [];
  #first = 0;
  #bytes = 0;
  #spans: Span[] = [];
  #size = 0;
  #header: Uint8Array | undefined;

  constructor(options: SplitOptions) {
    this.#options = options;
    this.#scanner = scannerFor(options);
  }

  *push(piece: Uint8Array): Generator<Part> {
    this.#pieces.push(piece);
    this.#bytes += piece.byteLength;
    for (const span of this.#scanner.scan(piece)) yield* this.#add(span);
    const { open } = this.#scanner;
    if (open !== undefined && this.#first + this.#bytes - open.start > longestRecord) {
      throw new InputError(
        'failed',
        `the event that begins at byte ${open.start} is longer than ${humanBytes(longestRecord)}; ` +
          (this.#options.format === 'csv' ? 'is a quote never closed?' : 'is it the right --type?'),
      );
    }
  }

  /** A request of all complete events, because the input is idle. */
  *pause(): Generator<Part> {
    const rest = this.#scanner.settle?.((start, end) => this.#slice(start, end));
    if (rest !== undefined) yield* this.#add(rest);
    yield* this.flush();
  }

  /** The last requests at the end of the input. */
  *end(): Generator<Part> {
    const end = this.#first + this.#bytes;
    const { open } = this.#scanner;
    if (this.#options.format !== 'json' && open !== undefined) yield* this.#add({ ...open, end });
    yield* this.flush();
    // An incomplete JSON value is sent separately, so that only it fails.
    if (this.#options.format === 'json' && open !== undefined) {
      const { start, line } = open;
      yield { body: this.#slice(start, end), offset: start, runs: [{ at: 0, offset: start, line }] };
    }
  }

  *#add(span: Span): Generator<Part> {
    if (this.#options.header && this.#header === undefined) {
      const row = this.#slice(span.start, span.end);
      if (!isBlank(row, this.#options.delimiter)) this.#header = row.slice();
      this.#drop(span.end);
      return;
    }
    const size = span.end - span.start;
    // An array of n events needs n + 1 more characters; those of the events before this one are
    // counted.
    const room = this.#options.maxBytes - (this.#header?.length ?? 0) - (this.#options.format === 'json' ? 2 : 0);
    if (this.#spans.length > 0 && this.#size + size > room) yield* this.flush();
    const last = this.#spans.at(-1);
    // Lines are contiguous; JSON values are joined with commas.
    if (this.#options.format !== 'json' && last?.end === span.start)
      this.#spans[this.#spans.length - 1] = { ...last, end: span.end };
    else this.#spans.push(span);
    // The comma after it.
    this.#size += size + (this.#options.format === 'json' ? 1 : 0);
  }

  /** A request of the complete unsent events. */
  *flush(): Generator<Part> {
    const [first] = this.#spans;
    if (first === undefined) return;
    const records = this.#spans.map(({ start, end }) => this.#slice(start, end));
    const isArray = this.#options.format === 'json';
    const body = isArray ? array(records) : withHeader(this.#header, records);
    const runs = runsOf(this.#spans, isArray ? 1 : (this.#header?.length ?? 0), isArray ? 1 : 0);
    this.#drop(this.#spans.at(-1)!.end);
    this.#spans = [];
    this.#size = 0;
    yield { body, offset: first.start, runs };
  }

  #slice(start: number, end: number): Uint8Array {
    const parts: Uint8Array[] = [];
    let at = this.#first;
    for (const piece of this.#pieces) {
      const pieceEnd = at + piece.byteLength;
      if (pieceEnd > start && at < end)
        parts.push(piece.subarray(Math.max(0, start - at), Math.min(piece.byteLength, end - at)));
      if (pieceEnd >= end) break;
      at = pieceEnd;
    }
    return parts.length === 1 ? parts[0]! : Buffer.concat(parts);
  }

  /** Drops sent bytes. */
  #drop(upTo: number): void {
    while (this.#pieces.length > 0 && this.#first + this.#pieces[0]!.byteLength <= upTo) {
      const { byteLength } = this.#pieces.shift()!;
      this.#first += byteLength;
      this.#bytes -= byteLength;
    }
  }
}

/** Whether a CSV line is blank: spaces and tabs that are not delimiters. */
const isBlank = (row: Uint8Array, delimiter: string): boolean => {
  const text = Buffer.from(row)
    .toString('utf8')
    .replace(/^\uFEFF/, '');
  return /^[ \t\r\n]*$/.test(text) && !text.includes(delimiter === '\\t' ? '\t' : delimiter.charAt(0));
};

function scannerFor({ format, delimiter }: SplitOptions): Scanner {
  switch (format) {
    case 'json':
      return new JsonScanner();
    case 'ndjson':
      return new EventLineScanner();
    case 'csv':
      return new CsvScanner(delimiter);
  }
}

/** @param before bytes before the first record @param between bytes between records */
function runsOf(spans: readonly Span[], before: number, between: number): readonly Run[] {
  let at = before;
  return spans.map(({ start, end, line }) => {
    const run = { at, offset: start, line };
    at += end - start + between;
    return run;
  });
}

const comma = Buffer.from(',');

const array = (records: readonly Uint8Array[]): Uint8Array =>
  Buffer.concat([
    Buffer.from('['),
    ...records.flatMap((record, i) => (i === 0 ? [record] : [comma, record])),
    Buffer.from(']'),
  ]);

const withHeader = (header: Uint8Array | undefined, records: readonly Uint8Array[]): Uint8Array =>
  header === undefined && records.length === 1 ? records[0]! : Buffer.concat([header ?? new Uint8Array(), ...records]);
