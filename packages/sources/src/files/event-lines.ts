import { type RecordStart, JsonScanner, markIn, type Scanner, type Span } from './scanner.js';

const lineFeed = 0x0a;

const isSpace = (byte: number): boolean => byte === 0x20 || byte === 0x09 || byte === 0x0d;
/** Bytes that follow a value only inside an array or object: commas and closing brackets. */
const goesOn = (byte: number): boolean => byte === 0x2c || byte === 0x5d || byte === 0x7d;
const opens = (byte: number): boolean => byte === 0x7b || byte === 0x5b;
const closes = (byte: number): boolean => byte === 0x7d || byte === 0x5d;

/**
 * Splits events on separate lines, which may span several lines. Inside a JSON value, a closing
 * bracket at the end of a line is followed by a comma or another closing bracket; anything else
 * starts a new event. A line that does not start with a bracket is one record. A damaged line stays
 * joined with the next one; the server separates them. The content of lines is not parsed, which
 * would take much longer.
 */
export class EventLineScanner implements Scanner {
  #offset = 0;
  #start = 0;
  /** Lines before the record, and before the current line. */
  #line = 0;
  #endedLines = 0;
  /** First and latest non-space byte of the record, if any. */
  #first: number | undefined;
  #last: number | undefined;
  /** End of the record unless the next line continues it, and the lines up to there. */
  #mayEnd: { readonly at: number; readonly lines: number } | undefined;

  get open(): RecordStart | undefined {
    return this.#start < this.#offset ? { start: this.#start, line: this.#line } : undefined;
  }

  scan(piece: Uint8Array): readonly Span[] {
    const spans: Span[] = [];
    for (let at = markIn(piece, this.#offset); at < piece.length;) {
      const found = piece.indexOf(lineFeed, at);
      this.#pass(piece, at, found < 0 ? piece.length : found, spans);
      if (found < 0) break;
      this.#endLine(this.#offset + found + 1, spans);
      at = found + 1;
    }
    this.#offset += piece.length;
    return spans;
  }

  settle(bytesOf: (start: number, end: number) => Uint8Array): Span | undefined {
    if (this.#mayEnd === undefined) return undefined;
    const scanner = new JsonScanner();
    scanner.scan(bytesOf(this.#start, this.#mayEnd.at));
    return scanner.open === undefined ? this.#cut(this.#mayEnd) : undefined;
  }

  /** Processes part of a line. */
  #pass(piece: Uint8Array, from: number, to: number, spans: Span[]): void {
    let first = from;
    while (first < to && isSpace(piece[first]!)) first++;
    if (first === to) return;
    if (this.#mayEnd !== undefined && !goesOn(piece[first]!)) spans.push(this.#cut(this.#mayEnd));
    this.#mayEnd = undefined;
    this.#first ??= piece[first]!;
    let last = to - 1;
    while (isSpace(piece[last]!)) last--;
    this.#last = piece[last]!;
  }

  #endLine(at: number, spans: Span[]): void {
    this.#endedLines++;
    if (this.#first === undefined || this.#mayEnd !== undefined) return;
    const end = { at, lines: this.#endedLines };
    if (!opens(this.#first)) spans.push(this.#cut(end));
    else if (closes(this.#last!)) this.#mayEnd = end;
  }

  #cut({ at, lines }: { readonly at: number; readonly lines: number }): Span {
    const span = { start: this.#start, end: at, line: this.#line };
    this.#start = at;
    this.#line = lines;
    this.#first = undefined;
    this.#mayEnd = undefined;
    return span;
  }
}
