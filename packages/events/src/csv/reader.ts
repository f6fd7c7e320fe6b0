import type { CsvDelimiter } from './delimiter.js';

/**
 * Rows of RFC 4180 text, pulled one at a time out of bytes that stay where they are.
 *
 *     body   = [ BOM ] *( row ( LF | CRLF | CR ) ) [ row ]
 *     row    = cell *( delimiter cell )
 *     cell   = quoted | plain
 *     quoted = '"' *( any but '"' | '""' ) '"'       directly between delimiters
 *     plain  = *( any but delimiter, LF, CR )        quotes inside are ordinary bytes, spaces and tabs are part of the value
 *
 * - Lines of nothing but spaces and tabs are no rows, unless the delimiter starts with that byte.
 * - A quoted cell that is never closed, or that goes on after its closing quote, fails its row; reading resumes on the line
 *   after the one on which that cell was opened, so that one stray quote costs one line and not the rest of the body.
 * - Cells beyond `columns` fail the row when one of them holds something; empty ones (a trailing delimiter) are ignored.
 *   A row with fewer cells is a row with fewer cells.
 */
export class CsvReader {
  /** How many cells a row may have; narrow it once the header is known. */
  columns: number;
  /** Cells of the current row; 0 when it failed. */
  cells = 0;
  /** Where the current row starts in the body. */
  offset = 0;
  /** Why the current row cannot be used: line, what was expected, what was found. */
  error: string | undefined = undefined;

  readonly #body: Uint8Array;
  readonly #delimiter: Uint8Array;
  /** 1 for bytes that may end a plain cell. */
  readonly #stops = new Uint8Array(256);
  #at = 0;
  #starts = new Uint32Array(32);
  #ends = new Uint32Array(32);
  #escaped = new Uint8Array(32);
  /** All bytes of a cell or'ed: below 128 if they are ASCII. */
  #bits = new Uint8Array(32);
  /** The line of the position up to which lines were counted. */
  #rowLine = 1;
  #counted = 0;
  /** Of the quoted cell read last: whether it holds doubled quotes, and its bits. */
  #hasEscapes = false;
  #quotedBits = 0;

  /** @param columns the most cells a row may have, which bounds what one row can take of the memory. */
  constructor(body: Uint8Array, delimiter: CsvDelimiter, columns: number) {
    this.#body = body;
    this.#delimiter = delimiter.bytes;
    this.columns = columns;
    this.#stops[lineFeed] = this.#stops[carriageReturn] = this.#stops[delimiter.bytes[0]!] = 1;
    if (body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf) this.#at = 3;
  }

  /** Moves to the next row, good or failed; false at the end of the body. */
  next(): boolean {
    this.error = undefined;
    this.cells = 0;
    if (!this.#skipBlankLines()) return false;
    const body = this.#body;
    const stops = this.#stops;
    const delimiter = this.#delimiter;
    const long = delimiter.length > 1;
    const length = body.length;
    this.offset = this.#at;
    let at = this.#at;
    let found = 0;
    let surplus = false;
    for (;;) {
      let start = at;
      let end: number;
      let escaped = 0;
      let bits = 0;
      if (body[at] === quote) {
        start++;
        end = at = this.#closingQuote(start);
        if (at < 0) return this.#failQuoted(start - 1, found, 'is never closed');
        if (this.#hasEscapes) escaped = 1;
        bits = this.#quotedBits;
        at++;
        if (at < length && !this.#endsCell(at))
          return this.#failQuoted(start - 1, found, 'goes on after its closing quote');
      } else {
        for (; at < length; at++) {
          const byte = body[at]!;
          if (stops[byte] !== 0 && (!long || this.#endsCell(at))) break;
          bits |= byte;
        }
        end = at;
      }
      if (found < this.columns) this.#keep(found, start, end, escaped, bits);
      else if (end > start) surplus = true;
      found++;
      if (at >= length) break;
      const mark = body[at]!;
      if (mark === lineFeed || mark === carriageReturn) {
        at++; // the LF of a CRLF then looks like an empty line
        break;
      }
      at += delimiter.length;
    }
    this.#at = at;
    if (surplus) this.error = `line ${this.line}: expected at most ${counted(this.columns)}, found ${found}`;
    else this.cells = Math.min(found, this.columns);
    return true;
  }

  /** The line on which the current row starts, from 1. Counted when asked for, which only failures do. */
  get line(): number {
    this.#rowLine += this.#lineEnds(this.#counted, this.offset);
    this.#counted = this.offset;
    return this.#rowLine;
  }

  /** Where the content of a cell starts in the body, quotes not included. */
  start(cell: number): number {
    return this.#starts[cell]!;
  }

  /** Where the content of a cell ends in the body. */
  end(cell: number): number {
    return this.#ends[cell]!;
  }

  /** Whether the content holds doubled quotes, each of which stands for one. */
  escaped(cell: number): boolean {
    return this.#escaped[cell] === 1;
  }

  /** Whether the content is ASCII. */
  ascii(cell: number): boolean {
    return this.#bits[cell]! < 0x80;
  }

  /** The value of a cell: a view into the body, or a copy where doubled quotes had to be undone. */
  bytes(cell: number): Uint8Array {
    const content = this.#body.subarray(this.#starts[cell], this.#ends[cell]);
    return this.#escaped[cell] === 1 ? withSingleQuotes(content) : content;
  }

  /** The position of the quote that closes the cell whose content starts here, −1 when there is none. */
  #closingQuote(start: number): number {
    const body = this.#body;
    this.#hasEscapes = false;
    let bits = 0;
    for (let at = start; at < body.length; at++) {
      const byte = body[at]!;
      bits |= byte;
      if (byte !== quote) continue;
      if (body[at + 1] !== quote) {
        this.#quotedBits = bits;
        return at;
      }
      this.#hasEscapes = true;
      at++;
    }
    return -1;
  }

  #endsCell(at: number): boolean {
    const byte = this.#body[at];
    if (byte === lineFeed || byte === carriageReturn) return true;
    for (let i = 0; i < this.#delimiter.length; i++) if (this.#body[at + i] !== this.#delimiter[i]) return false;
    return true;
  }

  /** To the first line with content; false when there is none. */
  #skipBlankLines(): boolean {
    const body = this.#body;
    for (;;) {
      let at = this.#at;
      while ((body[at] === space || body[at] === tab) && this.#stops[body[at]!] === 0) at++;
      if (at >= body.length) return false;
      if (body[at] !== lineFeed && body[at] !== carriageReturn) return true;
      this.#at = at + 1;
    }
  }

  #keep(cell: number, start: number, end: number, escaped: number, bits: number): void {
    if (cell === this.#starts.length) {
      this.#starts = doubled(this.#starts, new Uint32Array(cell * 2));
      this.#ends = doubled(this.#ends, new Uint32Array(cell * 2));
      this.#escaped = doubled(this.#escaped, new Uint8Array(cell * 2));
      this.#bits = doubled(this.#bits, new Uint8Array(cell * 2));
    }
    this.#starts[cell] = start;
    this.#ends[cell] = end;
    this.#escaped[cell] = escaped;
    this.#bits[cell] = bits;
  }

  #failQuoted(opening: number, cell: number, what: string): true {
    this.error =
      `line ${this.line + this.#lineEnds(this.offset, opening)}: the quoted value in cell ${cell + 1} ${what}; expected a closing " ` +
      'followed by the delimiter or the end of the line, and "" for a quote inside the value';
    let at = opening;
    while (at < this.#body.length && this.#body[at] !== lineFeed && this.#body[at] !== carriageReturn) at++;
    this.#at = at + 1;
    return true;
  }

  /** How many lines end between two positions. */
  #lineEnds(from: number, to: number): number {
    const body = this.#body;
    let ends = 0;
    for (let at = from; at < to; at++) {
      if (body[at] === lineFeed || (body[at] === carriageReturn && body[at + 1] !== lineFeed)) ends++;
    }
    return ends;
  }
}

const quote = 0x22;
const lineFeed = 0x0a;
const carriageReturn = 0x0d;
const space = 0x20;
const tab = 0x09;

function counted(cells: number): string {
  return cells === 1 ? '1 cell' : `${cells} cells`;
}

function doubled<A extends Uint8Array | Uint32Array>(from: A, to: A): A {
  to.set(from);
  return to;
}

function withSingleQuotes(content: Uint8Array): Uint8Array {
  const value = new Uint8Array(content.length);
  let length = 0;
  for (let at = 0; at < content.length; at++) {
    value[length++] = content[at]!;
    if (content[at] === quote) at++;
  }
  return value.subarray(0, length);
}
