/** Finds event boundaries in a stream of chunks. */

/** Start of a record: byte offset and the number of lines before it. */
export interface RecordStart {
  readonly start: number;
  readonly line: number;
}

export interface Span extends RecordStart {
  readonly end: number;
}

export interface Scanner {
  /** Records that end in this chunk, in order. */
  scan(piece: Uint8Array): readonly Span[];
  /** Start of the incomplete record; undefined between records. */
  readonly open: RecordStart | undefined;
  /** Ends the open record during a pause of the input, if it is complete as it stands. */
  settle?(bytesOf: (start: number, end: number) => Uint8Array): Span | undefined;
}

const lineFeed = 0x0a;
const carriageReturn = 0x0d;
const quote = 0x22;
const backslash = 0x5c;
const byteOrderMark = [0xef, 0xbb, 0xbf] as const;

/**
 * Bytes of a byte order mark at the start of a chunk at `offset`. Editors and spreadsheets write
 * one; it would hide the start of the first record.
 */
export function markIn(piece: Uint8Array, offset: number): number {
  let length = 0;
  while (offset + length < byteOrderMark.length && piece[length] === byteOrderMark[offset + length]) length++;
  return length;
}

/** Counts lines like the server: LF, CRLF or CR. */
class Lines {
  #returnedAt = -2;
  count = 0;

  /** Called with each CR and LF, in order. */
  pass(byte: number, offset: number): void {
    if (byte === carriageReturn) this.#returnedAt = offset;
    else if (byte !== lineFeed || offset === this.#returnedAt + 1) return;
    this.count++;
  }
}

/** One record per CSV row, ending in LF, CRLF or CR. Quoted line ends belong to the value. */
export class CsvScanner implements Scanner {
  readonly #delimiter: Uint8Array;
  #offset = 0;
  #start = 0;
  #state: 'cell' | 'plain' | 'quoted' | 'closed' = 'cell';
  /** Bytes of the delimiter matched so far. */
  #matchedBytes = 0;
  /** The previous byte was a CR that ends the row; an LF may follow. */
  #isAfterReturn = false;
  readonly #lines = new Lines();
  /** Lines before the record. */
  #line = 0;

  constructor(delimiter: string) {
    this.#delimiter = new TextEncoder().encode(delimiter === '\\t' ? '\t' : delimiter);
  }

  get open(): RecordStart | undefined {
    return this.#start < this.#offset ? { start: this.#start, line: this.#line } : undefined;
  }

  scan(piece: Uint8Array): readonly Span[] {
    const spans: Span[] = [];
    const close = (length: number): void => {
      const end = this.#offset + length;
      spans.push({ start: this.#start, end, line: this.#line });
      this.#start = end;
      this.#line = this.#lines.count;
      this.#state = 'cell';
      this.#matchedBytes = 0;
      this.#isAfterReturn = false;
    };
    for (let i = markIn(piece, this.#offset); i < piece.length; i++) {
      const byte = piece[i]!;
      if (byte <= carriageReturn) this.#lines.pass(byte, this.#offset + i);
      if (byte === lineFeed && this.#state !== 'quoted') {
        close(i + 1);
        continue;
      }
      if (this.#isAfterReturn) close(i);
      if (this.#state === 'quoted') {
        if (byte === quote) this.#state = 'closed';
        continue;
      }
      if (byte === quote && this.#matchedBytes === 0 && this.#state !== 'plain') {
        // The first quote of a cell opens it. A quote right after a closing one is the second half
        // of an escaped quote.
        this.#state = 'quoted';
        continue;
      }
      if (byte === carriageReturn) {
        this.#isAfterReturn = true;
        continue;
      }
      this.#matchedBytes = byte === this.#delimiter[this.#matchedBytes] ? this.#matchedBytes + 1 : 0;
      const delimited = this.#matchedBytes === this.#delimiter.length;
      if (delimited) this.#matchedBytes = 0;
      this.#state = delimited ? 'cell' : 'plain';
    }
    this.#offset += piece.length;
    return spans;
  }
}

const isSpace = (byte: number): boolean =>
  byte === 0x20 || byte === 0x09 || byte === lineFeed || byte === carriageReturn;

/** One record per JSON value: elements of top-level arrays, and concatenated values. */
export class JsonScanner implements Scanner {
  #offset = 0;
  /** Start of the current value; −1 between values. */
  #start = -1;
  readonly #lines = new Lines();
  /** Lines before the current value. */
  #line = 0;
  #depth = 0;
  #inString = false;
  #isEscaped = false;
  #inArray = false;

  get open(): RecordStart | undefined {
    return this.#start < 0 ? undefined : { start: this.#start, line: this.#line };
  }

  scan(piece: Uint8Array): readonly Span[] {
    const spans: Span[] = [];
    const close = (end: number): void => {
      spans.push({ start: this.#start, end: this.#offset + end, line: this.#line });
      this.#start = -1;
    };
    for (let i = markIn(piece, this.#offset); i < piece.length; i++) {
      const byte = piece[i]!;
      if (byte <= carriageReturn) this.#lines.pass(byte, this.#offset + i);
      if (this.#inString) {
        if (this.#isEscaped) this.#isEscaped = false;
        else if (byte === backslash) this.#isEscaped = true;
        else if (byte === quote) {
          this.#inString = false;
          if (this.#depth === 0) close(i + 1);
        }
      } else if (this.#depth > 0) {
        if (byte === quote) this.#inString = true;
        else if (byte === 0x7b || byte === 0x5b) this.#depth++;
        else if ((byte === 0x7d || byte === 0x5d) && --this.#depth === 0) close(i + 1);
      } else {
        const ends = isSpace(byte) || byte === 0x2c || byte === 0x5d;
        if (this.#start >= 0 && (ends || byte === 0x7b || byte === 0x5b || byte === quote)) close(i);
        if (this.#start < 0) this.#between(byte, this.#offset + i);
      }
    }
    this.#offset += piece.length;
    return spans;
  }

  #between(byte: number, at: number): void {
    if (isSpace(byte) || byte === 0x2c) return;
    if (byte === 0x5d && this.#inArray) {
      this.#inArray = false;
      return;
    }
    if (byte === 0x5b && !this.#inArray) {
      this.#inArray = true;
      return;
    }
    this.#start = at;
    this.#line = this.#lines.count;
    if (byte === quote) this.#inString = true;
    else if (byte === 0x7b || byte === 0x5b) this.#depth = 1;
  }
}
