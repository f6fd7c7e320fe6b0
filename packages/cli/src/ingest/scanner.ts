/** Finds where one event ends and the next one begins, in bytes that come in pieces of any size. */

/**
 * Where a record begins: its offset from the start of the input, and the number of lines before its
 * own.
 */
export interface Beginning {
  readonly start: number;
  readonly line: number;
}

export interface Span extends Beginning {
  readonly end: number;
}

export interface Scanner {
  /** The records that end in this piece, in order. */
  scan(piece: Uint8Array): readonly Span[];
  /** Where the record that has not ended yet begins; undefined between records. */
  readonly open: Beginning | undefined;
  /** The open record, if it would be complete without what follows and nothing follows for now. */
  settle?(bytesOf: (start: number, end: number) => Uint8Array): Span | undefined;
}

const lineFeed = 0x0a;
const carriageReturn = 0x0d;
const quote = 0x22;
const backslash = 0x5c;
const byteOrderMark = [0xef, 0xbb, 0xbf] as const;

/**
 * How many bytes at the beginning of a piece, which is at `offset`, belong to a byte order mark.
 * Editors and spreadsheets begin a file with one. It is no part of the first record, whose
 * beginning it would hide.
 */
export function markIn(piece: Uint8Array, offset: number): number {
  let length = 0;
  while (offset + length < byteOrderMark.length && piece[length] === byteOrderMark[offset + length]) length++;
  return length;
}

/** Counts lines as the server does: they end in LF, CRLF or CR. */
class Lines {
  #returnedAt = -2;
  ended = 0;

  /** Call it with each CR and LF, in order. */
  pass(byte: number, offset: number): void {
    if (byte === carriageReturn) this.#returnedAt = offset;
    else if (byte !== lineFeed || offset === this.#returnedAt + 1) return;
    this.ended++;
  }
}

/**
 * One record per row of CSV: a line that ends in LF, CRLF or CR. Line ends within quotes belong to
 * the value.
 */
export class CsvScanner implements Scanner {
  readonly #delimiter: Uint8Array;
  #offset = 0;
  #start = 0;
  #state: 'cell' | 'plain' | 'quoted' | 'closed' = 'cell';
  /** Bytes of the delimiter seen so far. */
  #matched = 0;
  /** The previous byte was a CR that ends the row, perhaps together with an LF. */
  #returned = false;
  readonly #lines = new Lines();
  /** The lines before the record. */
  #line = 0;

  constructor(delimiter: string) {
    this.#delimiter = new TextEncoder().encode(delimiter === '\\t' ? '\t' : delimiter);
  }

  get open(): Beginning | undefined {
    return this.#start < this.#offset ? { start: this.#start, line: this.#line } : undefined;
  }

  scan(piece: Uint8Array): readonly Span[] {
    const spans: Span[] = [];
    const close = (length: number): void => {
      const end = this.#offset + length;
      spans.push({ start: this.#start, end, line: this.#line });
      this.#start = end;
      this.#line = this.#lines.ended;
      this.#state = 'cell';
      this.#matched = 0;
      this.#returned = false;
    };
    for (let i = markIn(piece, this.#offset); i < piece.length; i++) {
      const byte = piece[i]!;
      if (byte <= carriageReturn) this.#lines.pass(byte, this.#offset + i);
      if (byte === lineFeed && this.#state !== 'quoted') {
        close(i + 1);
        continue;
      }
      if (this.#returned) close(i);
      if (this.#state === 'quoted') {
        if (byte === quote) this.#state = 'closed';
        continue;
      }
      if (byte === quote && this.#matched === 0 && this.#state !== 'plain') {
        // The first quote of a cell opens it. A quote right after a closing one shows that it was a
        // doubled quote and closed nothing.
        this.#state = 'quoted';
        continue;
      }
      if (byte === carriageReturn) {
        this.#returned = true;
        continue;
      }
      this.#matched = byte === this.#delimiter[this.#matched] ? this.#matched + 1 : 0;
      const delimited = this.#matched === this.#delimiter.length;
      if (delimited) this.#matched = 0;
      this.#state = delimited ? 'cell' : 'plain';
    }
    this.#offset += piece.length;
    return spans;
  }
}

const isSpace = (byte: number): boolean =>
  byte === 0x20 || byte === 0x09 || byte === lineFeed || byte === carriageReturn;

/**
 * One record per JSON value: the elements of arrays at the top level, and values that follow one
 * another.
 */
export class JsonScanner implements Scanner {
  #offset = 0;
  /** Where the current value begins; −1 between values. */
  #start = -1;
  readonly #lines = new Lines();
  /** The lines before the current value. */
  #line = 0;
  #depth = 0;
  #inString = false;
  #escaped = false;
  #inArray = false;

  get open(): Beginning | undefined {
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
        if (this.#escaped) this.#escaped = false;
        else if (byte === backslash) this.#escaped = true;
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
    this.#line = this.#lines.ended;
    if (byte === quote) this.#inString = true;
    else if (byte === 0x7b || byte === 0x5b) this.#depth = 1;
  }
}
