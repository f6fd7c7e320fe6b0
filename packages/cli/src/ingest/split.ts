import { setTimeout as sleep } from 'node:timers/promises';
import { humanBytes } from '@millrace/server/units';
import { Failure } from '../failure.js';
import type { Format } from './format.js';
import { EventLineScanner } from './event-lines.js';
import { CsvScanner, JsonScanner, type Scanner, type Span } from './scanner.js';

export interface SplitOptions {
  readonly format: Format;
  /** The largest request, unless a single event is larger. */
  readonly maxBytes: number;
  /** CSV only. */
  readonly delimiter: string;
  /** The first row of a CSV names the columns; every request has to begin with it. */
  readonly header: boolean;
  /**
   * Milliseconds that an event may wait for others to share its request. Without it, requests are
   * as large as allowed.
   */
  readonly maxWait?: number;
}

/** The body of one request. */
export interface Part {
  readonly body: Uint8Array;
  /** Where it begins in the input. */
  readonly offset: number;
  /** What of it comes from where in the input, in order. */
  readonly runs: readonly Run[];
}

/** A run of bytes that are beside each other in the body and in the input. */
export interface Run {
  /** Where it begins in the body. */
  readonly at: number;
  /** Where it begins in the input. */
  readonly offset: number;
  /** Lines of the input before the one it begins in. */
  readonly line: number;
}

/** The largest event that is held in memory. */
const longestRecord = 64 * 1024 * 1024;

/**
 * Cuts a stream of events into requests, between events. Without `maxWait` the cuts depend on the
 * bytes alone, not on the pieces they come in, so a repeated load makes the same requests.
 * @throws Failure when something is too long to be an event
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
 * The pieces, and a `pause` whenever the first piece since the last pause is `milliseconds` old.
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
  /**
   * The bytes that are not sent yet; `#first` is the offset of the first one, `#bytes` their
   * number.
   */
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
      throw new Failure(
        'failed',
        `the event that begins at byte ${open.start} is longer than ${humanBytes(longestRecord)}; ` +
          (this.#options.format === 'csv' ? 'is a quote never closed?' : 'is it the right --type?'),
      );
    }
  }

  /** A request of all complete events, because nothing comes for now. */
  *pause(): Generator<Part> {
    const settled = this.#scanner.settle?.((start, end) => this.#slice(start, end));
    if (settled !== undefined) yield* this.#add(settled);
    yield* this.flush();
  }

  /** The last requests, once the input has ended. */
  *end(): Generator<Part> {
    const end = this.#first + this.#bytes;
    const { open } = this.#scanner;
    if (this.#options.format !== 'json' && open !== undefined) yield* this.#add({ ...open, end });
    yield* this.flush();
    // Half a JSON value is sent alone, so that it fails alone.
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
    // Around and between events there are as many characters of an array as there are events, and
    // one; those of the events before this one are counted.
    const room = this.#options.maxBytes - (this.#header?.length ?? 0) - (this.#options.format === 'json' ? 2 : 0);
    if (this.#spans.length > 0 && this.#size + size > room) yield* this.flush();
    const last = this.#spans.at(-1);
    // Lines follow each other without a gap; JSON values get commas between them.
    if (this.#options.format !== 'json' && last?.end === span.start)
      this.#spans[this.#spans.length - 1] = { ...last, end: span.end };
    else this.#spans.push(span);
    // The comma that follows.
    this.#size += size + (this.#options.format === 'json' ? 1 : 0);
  }

  /** A request of the complete events that are not sent yet. */
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

  /** Drops the bytes that have been sent. */
  #drop(upTo: number): void {
    while (this.#pieces.length > 0 && this.#first + this.#pieces[0]!.byteLength <= upTo) {
      const { byteLength } = this.#pieces.shift()!;
      this.#first += byteLength;
      this.#bytes -= byteLength;
    }
  }
}

/** Whether a line is no row of CSV: it has spaces and tabs only, and they separate nothing. */
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

/**
 * @param before bytes of the body before the first record @param between bytes between two records
 */
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
