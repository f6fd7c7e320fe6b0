import { MAX_OPEN } from '../limits.js';
import type { Source } from './source.js';

/** Where parsing continues after invalid input. */
type Resumption =
  /** At the next element of the same array. */
  | { readonly kind: 'element'; readonly at: number }
  /** After the array's closing bracket. */
  | { readonly kind: 'closed'; readonly at: number }
  /** Where something new begins, or at the end: the rest of the array cannot be found. */
  | { readonly kind: 'lost'; readonly at: number };

/**
 * Finds the next event after an invalid one.
 *
 * Outside arrays the unit of damage is the line: parsing continues at the first line break after
 * the event's beginning, even if the invalid event seems to swallow the following lines, as a
 * truncated line does. Only if events span several lines does it continue at the next line that
 * begins with a bracket.
 *
 * In an array it continues at whichever comes first: after the comma that seems to end the invalid
 * element, or at a line that begins with a brace and is not indented more than that element.
 */
export class Resumer {
  readonly #source: Source;
  /** How many bytes may still be read twice. Keeps crafted bodies from costing quadratic time. */
  #budget: number;
  /**
   * The last result of {@link #similarLine}: the search from `from` on with this column ended at
   * `at`.
   */
  #similar = { from: -1, column: -1, at: -1 };

  constructor(source: Source) {
    this.#source = source;
    this.#budget = 4 * source.end + 65536;
  }

  /** The next line break at or after `at`, or the end. */
  lineBreak(at: number): number {
    const { buffer: bytes, end } = this.#source;
    let i = at;
    while (i < end && bytes[i] !== 0x0a && bytes[i] !== 0x0d) i++;
    return i;
  }

  /**
   * Where parsing continues after the event that begins at `start`; `spread` if earlier events
   * spanned several lines.
   */
  afterEvent(start: number, spread: boolean): number {
    const { buffer: bytes, end, failedAt } = this.#source;
    const firstBreak = this.lineBreak(start);
    if (firstBreak >= failedAt) return firstBreak;
    this.#budget -= failedAt - firstBreak;
    if (this.#budget < 0) return this.lineBreak(failedAt);
    if (!spread && this.#hasTextBehindBracket(start, firstBreak)) return firstBreak;
    let i = firstBreak;
    while (i < end && !(isBreak(bytes[i]!) && (bytes[i + 1] === 0x7b || bytes[i + 1] === 0x5b))) i++;
    return i;
  }

  /** Where parsing continues after the element that begins at `start`. */
  afterElement(start: number): Resumption {
    const { buffer: bytes, end, failedAt } = this.#source;
    let line = this.#similarLine(start);
    if (line < failedAt) {
      this.#budget -= failedAt - line;
      if (this.#budget < 0) line = this.#similarLine(failedAt);
    }
    const comma = this.#elementEnd(start, line);
    if (comma < line) {
      return { kind: bytes[comma] === 0x2c ? 'element' : 'closed', at: comma + 1 };
    }
    return { kind: line < end && bytes[line] === 0x7b ? 'element' : 'lost', at: line };
  }

  #hasTextBehindBracket(start: number, lineEnd: number): boolean {
    const { buffer: bytes } = this.#source;
    for (let i = start + 1; i < lineEnd; i++) if (bytes[i]! > 0x20) return true;
    return false;
  }

  /**
   * The next `{` that begins a line indented no more than the element's, or `[` at the very start
   * of a line; otherwise the end.
   */
  #similarLine(start: number): number {
    const { buffer: bytes, end } = this.#source;
    let lineStart = start;
    while (lineStart > 0 && (bytes[lineStart - 1] === 0x20 || bytes[lineStart - 1] === 0x09)) lineStart--;
    const column = lineStart === 0 || isBreak(bytes[lineStart - 1]!) ? start - lineStart : 0;
    const { from, column: sought, at } = this.#similar;
    if (sought === column && from <= start && start < at) return at;

    let i = start;
    for (;;) {
      i = this.lineBreak(i);
      if (i >= end) break;
      const first = ++i;
      while (bytes[i] === 0x20 || bytes[i] === 0x09) i++;
      if (bytes[i] === 0x7b && i - first <= column) break;
      if (bytes[i] === 0x5b && i === first) break;
    }
    i = Math.min(i, end);
    this.#budget -= i - start;
    this.#similar = { from: start, column, at: this.#budget < 0 ? end : i };
    return this.#similar.at;
  }

  /**
   * The comma or bracket that ends the element at `start`, before `limit`; `limit` if there is
   * none, or if the nesting is too deep. A closing bracket also closes brackets left open inside
   * it; a brace that closes nothing is skipped.
   */
  #elementEnd(start: number, limit: number): number {
    const { buffer: bytes } = this.#source;
    /** The closing brackets still expected, innermost last, and how many of them are braces. */
    const open: number[] = [];
    let braces = 0;
    for (let i = start; i < limit; i++) {
      const byte = bytes[i]!;
      if (byte === 0x22) {
        for (i++; i < limit && bytes[i] !== 0x22; i++) {
          // A line break (or other control character) in a string means that quotes are not
          // balanced.
          if (bytes[i]! < 0x20) return limit;
          if (bytes[i] === 0x5c) i++;
        }
      } else if (byte === 0x7b || byte === 0x5b) {
        if (open.length >= MAX_OPEN) return limit;
        open.push(byte + 2);
        if (byte === 0x7b) braces++;
      } else if (byte === 0x7d || byte === 0x5d) {
        const matches = byte === 0x7d ? braces > 0 : open.length > braces;
        if (!matches && byte === 0x5d) return i;
        if (!matches) continue;
        let closed;
        do {
          closed = open.pop();
          if (closed === 0x7d) braces--;
        } while (closed !== byte);
      } else if (byte === 0x2c && open.length === 0) {
        return i;
      }
    }
    return limit;
  }
}

function isBreak(byte: number): boolean {
  return byte === 0x0a || byte === 0x0d;
}
