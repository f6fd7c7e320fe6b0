import { httpError } from '@millrace/api/errors';

/** A value of a JSON body: its bytes. */
export interface Extent {
  readonly start: number;
  /** Exclusive. */
  readonly end: number;
}

const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const colon = 0x3a;
export const openBrace = 0x7b;
const closeBrace = 0x7d;
export const openBracket = 0x5b;
const closeBracket = 0x5d;
const byteOrderMark = [0xef, 0xbb, 0xbf] as const;

/** The levels that are around the records. */
const outermost = 6;
/** Minimum length of values whose ends are cached; there are few of them. */
const long = 64 * 1024;

const isSpace = (byte: number): boolean => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;

/**
 * Finds the values of a JSON body without building objects, which may take thirty times the memory:
 * a heap that `JSON.parse` fills ends the process. Does not look inside values.
 */
export class JsonExtents {
  readonly #body: Uint8Array;
  /**
   * Ends of long outer values by their starts. They are nested, so without this cache they would be
   * scanned repeatedly.
   */
  readonly #ends = new Map<number, number>();

  constructor(body: Uint8Array) {
    this.#body = body;
  }

  /**
   * The value that the body is.
   * @throws HttpError `invalid-json`
   */
  root(maxDepth: number): Extent {
    const start = this.#behindSpace(byteOrderMark.every((byte, at) => this.#body[at] === byte) ? 3 : 0);
    const end = this.#endOf(start, maxDepth, true);
    const behind = this.#behindSpace(end);
    return behind < this.#body.length ? this.#fail(behind) : { start, end };
  }

  firstByte({ start }: Extent): number {
    return this.#body[start]!;
  }

  /**
   * The properties of an object.
   * @throws HttpError `invalid-json`
   */
  *members(object: Extent): Generator<{ readonly name: Extent; readonly value: Extent }> {
    for (let at = this.#first(object, closeBrace); at >= 0;) {
      if (this.#body[at] !== quote) this.#fail(at);
      const name = { start: at, end: this.#endOf(at) };
      at = this.#behindSpace(name.end);
      if (this.#body[at] !== colon) this.#fail(at);
      const start = this.#behindSpace(at + 1);
      const value = { start, end: this.#endOf(start) };
      yield { name, value };
      at = this.#next(object, value.end, closeBrace);
    }
  }

  /**
   * The elements of a list.
   * @throws HttpError `invalid-json`
   */
  *elements(list: Extent): Generator<Extent> {
    for (let at = this.#first(list, closeBracket); at >= 0;) {
      const element = { start: at, end: this.#endOf(at) };
      yield element;
      at = this.#next(list, element.end, closeBracket);
    }
  }

  /** Start of the first element of an object or list; −1 if it is empty. */
  #first({ start, end }: Extent, closing: number): number {
    const at = this.#behindSpace(start + 1);
    if (this.#body[at] !== closing) return at;
    return at === end - 1 ? -1 : this.#fail(at);
  }

  /** The start of the element after the one that ends at `behind`; −1 if there is none. */
  #next({ end }: Extent, behind: number, closing: number): number {
    const at = this.#behindSpace(behind);
    if (this.#body[at] === comma && at < end) return this.#behindSpace(at + 1);
    return this.#body[at] === closing && at === end - 1 ? -1 : this.#fail(at);
  }

  #behindSpace(start: number): number {
    let at = start;
    while (at < this.#body.length && isSpace(this.#body[at]!)) at++;
    return at;
  }

  /**
   * The end of the value that starts at `start`. Counts brackets without matching their types.
   * @param remember whether to cache the ends of long values in it
   */
  #endOf(start: number, maxDepth = Infinity, remember = false): number {
    const known = this.#ends.get(start);
    if (known !== undefined) return known;
    const body = this.#body;
    const starts: number[] = [];
    let depth = 0;
    let at = start;
    do {
      const byte = body[at];
      if (byte === undefined) this.#fail(at);
      if (byte === quote) {
        at = this.#endOfString(at);
        continue;
      }
      if (byte === openBrace || byte === openBracket) {
        if (++depth > maxDepth)
          throw httpError('invalid-json', { problem: `it is nested deeper than ${maxDepth} levels` });
        if (remember && depth <= outermost) starts[depth] = at;
      } else if (byte === closeBrace || byte === closeBracket) {
        if (depth === 0) this.#fail(at);
        if (remember && depth <= outermost && at - starts[depth]! > long) this.#ends.set(starts[depth]!, at + 1);
        depth--;
      } else if (depth === 0) {
        const end = this.#endOfWord(at);
        return end === at ? this.#fail(at) : end;
      }
      at++;
    } while (depth > 0);
    return at;
  }

  #endOfString(opening: number): number {
    const body = this.#body;
    for (let at = opening + 1; at < body.length; at++) {
      if (body[at] === quote) return at + 1;
      if (body[at] === backslash) at++;
    }
    return this.#fail(body.length);
  }

  /** The end of a number, or of `true`, `false` or `null`. */
  #endOfWord(start: number): number {
    const body = this.#body;
    let at = start;
    for (; at < body.length; at++) {
      const byte = body[at]!;
      if (isSpace(byte) || byte === comma || byte === colon || byte === closeBrace || byte === closeBracket) break;
    }
    return at;
  }

  #fail(at: number): never {
    const byte = this.#body[at];
    if (byte === undefined) throw httpError('invalid-json', { problem: 'it ends too early' });
    const what = byte > 0x20 && byte < 0x7f ? `'${String.fromCharCode(byte)}'` : 'text';
    throw httpError('invalid-json', { problem: `unexpected ${what} at position ${at}` });
  }
}
