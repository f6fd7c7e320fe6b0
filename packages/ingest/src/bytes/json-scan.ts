const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const colon = 0x3a;
const openBrace = 0x7b;
const closeBrace = 0x7d;
const openBracket = 0x5b;
const closeBracket = 0x5d;

/** Classes of bytes for scanning: plain, a quote, or an opening or closing bracket. */
const plain = 0;
const quotes = 1;
const opens = 2;
const closes = 3;
const meaning = new Uint8Array(256);
meaning[quote] = quotes;
meaning[openBrace] = meaning[openBracket] = opens;
meaning[closeBrace] = meaning[closeBracket] = closes;

const maxUnended = 16;

/** Maximum bytes of a value that is parsed to an object: labels, tags, the name of a dataset. */
export const longestValue = 1024 * 1024;

/** Bytes that end a number, `true`, `false` or `null`. */
const endsWord = new Uint8Array(256);
for (const byte of [0x20, 0x0a, 0x0d, 0x09, comma, colon, closeBrace, closeBracket, openBrace, openBracket, quote])
  endsWord[byte] = 1;

/**
 * Finds values in JSON by their quotes and brackets, for protocols that wrap events in envelopes.
 * Does not validate values: the encoder does, and fails only the invalid events. Builds no objects
 * and never throws: −1 means malformed.
 */
export class JsonScan {
  readonly bytes: Buffer;
  readonly end: number;
  /** How often the end was reached within a value. */
  #unendedCount = 0;

  constructor(bytes: Uint8Array) {
    this.bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.end = bytes.length;
  }

  /** The next position that is not white space; `end` if there is none. */
  behindSpace(start: number): number {
    const { bytes, end } = this;
    let at = start;
    for (; at < end; at++) {
      const byte = bytes[at]!;
      if (byte !== 0x20 && byte !== 0x0a && byte !== 0x0d && byte !== 0x09) break;
    }
    return at;
  }

  isObject(at: number): boolean {
    return this.bytes[at] === openBrace;
  }

  isList(at: number): boolean {
    return this.bytes[at] === openBracket;
  }

  isString(at: number): boolean {
    return this.bytes[at] === quote;
  }

  /** The start of the line after the one that contains `at`. */
  nextLine(at: number): number {
    const lineEnd = this.bytes.indexOf(0x0a, at);
    return lineEnd < 0 ? this.end : lineEnd + 1;
  }

  /**
   * Limits the scan to the line that contains `at`, once many values were unterminated: each is
   * scanned to the end, so a body of unterminated values would take quadratic time.
   */
  within(at: number): JsonScan {
    return this.#unendedCount < maxUnended ? this : this.line(at);
  }

  /** A scan that ends with the line that contains `at`. */
  line(at: number): JsonScan {
    return new JsonScan(this.bytes.subarray(0, this.nextLine(at)));
  }

  /**
   * The position after the value that starts at `start`; −1 if it does not end. Counts brackets
   * without matching their types.
   */
  valueEnd(start: number): number {
    const { bytes, end } = this;
    const first = meaning[bytes[start] ?? 0]!;
    if (first === quotes) return this.#stringEnd(start);
    if (first !== opens) return this.#wordEnd(start);
    let depth = 1;
    let at = start + 1;
    while (at < end) {
      const what = meaning[bytes[at]!]!;
      if (what === plain) at++;
      else if (what === quotes) {
        at = this.#stringEnd(at);
        if (at < 0) return -1;
      } else if (what === opens) {
        depth++;
        at++;
      } else {
        at++;
        if (--depth === 0) return at;
      }
    }
    this.#unendedCount++;
    return -1;
  }

  /**
   * Visits the properties of an object: the bytes of each name without its quotes, and those of its
   * value.
   * @returns the position after it; −1 if it is malformed, which may show only after some
   * properties
   */
  members(start: number, visit: (nameStart: number, nameEnd: number, start: number, end: number) => void): number {
    const { bytes } = this;
    let at = this.behindSpace(start + 1);
    if (bytes[at] === closeBrace) return at + 1;
    for (;;) {
      if (bytes[at] !== quote) return -1;
      const nameEnd = this.#stringEnd(at);
      const between = nameEnd < 0 ? -1 : this.behindSpace(nameEnd);
      if (between < 0 || bytes[between] !== colon) return -1;
      const value = this.behindSpace(between + 1);
      const valueEnd = this.valueEnd(value);
      if (valueEnd < 0) return -1;
      visit(at + 1, nameEnd - 1, value, valueEnd);
      at = this.behindSpace(valueEnd);
      if (bytes[at] === closeBrace) return at + 1;
      if (bytes[at] !== comma) return -1;
      at = this.behindSpace(at + 1);
    }
  }

  /**
   * Visits the elements of a list.
   * @returns the position after it; −1 if it is malformed, which may show only after some elements
   */
  elements(start: number, visit: (start: number, end: number) => void): number {
    const { bytes } = this;
    let at = this.behindSpace(start + 1);
    if (bytes[at] === closeBracket) return at + 1;
    for (;;) {
      const end = this.valueEnd(at);
      if (end < 0) return -1;
      visit(at, end);
      at = this.behindSpace(end);
      if (bytes[at] === closeBracket) return at + 1;
      if (bytes[at] !== comma) return -1;
      at = this.behindSpace(at + 1);
    }
  }

  /** Whether a range of bytes equals this ASCII text. */
  is(text: string, start: number, end: number): boolean {
    if (end - start !== text.length) return false;
    for (let i = 0; i < text.length; i++) if (this.bytes[start + i] !== text.charCodeAt(i)) return false;
    return true;
  }

  /**
   * Parses these bytes; undefined if they are not JSON, or too long: objects take thirty times the
   * memory, and a thread whose heap is exhausted at once ends the process.
   */
  value(start: number, end: number): unknown {
    if (end - start > longestValue) return undefined;
    try {
      return JSON.parse(this.bytes.toString('utf8', start, end)) as unknown;
    } catch {
      return undefined;
    }
  }

  #stringEnd(start: number): number {
    const { bytes, end } = this;
    for (let at = start + 1; at < end; at++) {
      const byte = bytes[at];
      if (byte === quote) return at + 1;
      if (byte === backslash) at++;
    }
    this.#unendedCount++;
    return -1;
  }

  #wordEnd(start: number): number {
    const { bytes, end } = this;
    let at = start;
    while (at < end && endsWord[bytes[at]!] === 0) at++;
    return at === start ? -1 : at;
  }
}
