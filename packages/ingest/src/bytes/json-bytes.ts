/** A stretch of {@link JsonBytes}. */
export interface Piece {
  readonly start: number;
  readonly end: number;
}

/**
 * Strings with characters that are rare in JSON are cut to this many characters. The rest is still
 * longer than any setting allows for a value, so it is replaced like the full string.
 */
const longestText = 64 * 1024 * 1024 + 1;

const quote = 0x22;
const backslash = 0x5c;
const zero = 0x30;
const lineFeed = 0x0a;
const blank = 0x20;
/** The two digits of each byte. */
const hexDigits = Uint16Array.from({ length: 256 }, (_, byte) =>
  Buffer.from(byte.toString(16).padStart(2, '0')).readUInt16BE(),
);

/**
 * How an ASCII byte is written in a JSON string: unchanged, as a backslash and this letter, or in a
 * way that is left to `JSON.stringify`.
 */
const asItIs = 0;
const otherwise = 1;
const escapes = new Uint8Array(256).map((_, byte) => {
  if (byte >= 0x80) return otherwise;
  const text = JSON.stringify(String.fromCharCode(byte)).slice(1, -1);
  return text.length === 1 ? asItIs : text.length === 2 ? text.charCodeAt(1) : otherwise;
});

/** Fewer bytes than this are copied four at a time, because a call of `set` would take longer. */
const calledFrom = 128;

/**
 * Whether one of the four bytes of a word may be a quote, a backslash, a control character or
 * non-ASCII. May return false positives, never false negatives.
 */
const needsLook = (word: number): boolean =>
  ((word | (word - 0x20202020) | (((word ^ 0x22222222) - 0x01010101) | ((word ^ 0x5c5c5c5c) - 0x01010101))) &
    highBits) !==
  0;
const highBits = 0x80808080 | 0;

/**
 * The number of continuation bytes of the UTF-8 character whose first byte is before `at`; 0 if it
 * is not valid UTF-8.
 */
function continuation(source: Buffer, at: number, end: number): number {
  const first = source[at - 1]!;
  const more = first < 0xc2 ? 0 : first < 0xe0 ? 1 : first < 0xf0 ? 2 : first < 0xf5 ? 3 : 0;
  if (more === 0 || at + more > end) return 0;
  const second = source[at]!;
  // Rejects overlong forms, surrogates, and code points beyond Unicode.
  const min = first === 0xe0 ? 0xa0 : first === 0xf0 ? 0x90 : 0x80;
  const max = first === 0xed ? 0x9f : first === 0xf4 ? 0x8f : 0xbf;
  if (second < min || second > max) return 0;
  for (let i = 1; i < more; i++) if ((source[at + i]! & 0xc0) !== 0x80) return 0;
  return more;
}

/** A view of bytes that reads several at a time. */
export const viewOf = (bytes: Uint8Array): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/**
 * JSON as bytes, in one growing piece of memory. Strings for its parts would cost several times as
 * much.
 */
export class JsonBytes {
  #bytes: Buffer;
  #view: DataView;
  #length = 0;
  readonly #max: number;
  readonly #tooMany: () => Error;
  readonly #onGrow: (bytes: number) => void;

  /**
   * @param expected the number of bytes expected
   * @param max the maximum; may be exceeded temporarily, until {@link check} is called
   * @param tooMany creates the error thrown above the maximum
   * @param growing called before memory is allocated, with the number of bytes
   */
  constructor(expected: number, max: number, tooMany: () => Error, growing: (bytes: number) => void = () => undefined) {
    const first = Math.min(Math.max(Math.ceil(expected), 1024), max);
    growing(first);
    this.#onGrow = growing;
    this.#bytes = Buffer.allocUnsafeSlow(first);
    this.#view = viewOf(this.#bytes);
    this.#max = max;
    this.#tooMany = tooMany;
  }

  /** Another, empty one with the same limit. */
  another(): JsonBytes {
    return new JsonBytes(0, this.#max, this.#tooMany);
  }

  get length(): number {
    return this.#length;
  }

  /** Truncates to this length. */
  cutTo(length: number): void {
    this.#length = length;
  }

  /** Removes the bytes from `start` to before `end`. */
  remove(start: number, end: number): void {
    this.#bytes.copyWithin(start, end, this.#length);
    this.#length -= end - start;
  }

  /** Everything written so far; valid until more is written. */
  writtenBytes(): Buffer {
    return this.#bytes.subarray(0, this.#length);
  }

  /** Throws above the maximum length. */
  check(): void {
    if (this.#length > this.#max) throw this.#tooMany();
  }

  byte(byte: number): void {
    this.#reserve(1);
    this.#bytes[this.#length++] = byte;
  }

  bytes(bytes: Buffer): void {
    this.#reserve(bytes.length);
    this.#bytes.set(bytes, this.#length);
    this.#length += bytes.length;
  }

  /** Appends a part of other JSON, all on one line: line feeds between its values become blanks. */
  copyOnLine(source: Buffer, start: number, end: number): void {
    const length = end - start;
    this.#reserve(length);
    const to = this.#length;
    const bytes = this.#bytes;
    this.#length = to + length;
    if (length < calledFrom) {
      for (let i = 0; i < length; i++) {
        const byte = source[start + i]!;
        bytes[to + i] = byte === lineFeed ? blank : byte;
      }
      return;
    }
    source.copy(bytes, to, start, end);
    const copied = bytes.subarray(to, to + length);
    for (let at = copied.indexOf(lineFeed); at >= 0; at = copied.indexOf(lineFeed, at + 1)) copied[at] = blank;
  }

  /** Appends a piece of other JSON or of this one. */
  piece(from: JsonBytes, { start, end }: Piece): void {
    const length = end - start;
    this.#reserve(length);
    const to = this.#length;
    if (length >= calledFrom) this.#bytes.set(from.#bytes.subarray(start, end), to);
    else {
      const source = from.#view;
      const view = this.#view;
      let i = 0;
      for (; i + 4 <= length; i += 4) view.setInt32(to + i, source.getInt32(start + i));
      for (; i < length; i++) view.setInt8(to + i, source.getInt8(start + i));
    }
    this.#length = to + length;
  }

  /** Whether a JSON string consists of zeros; true for an empty one. */
  isZeros({ start, end }: Piece): boolean {
    for (let at = start + 1; at < end - 1; at++) if (this.#bytes[at] !== zero) return false;
    return true;
  }

  /** Appends ASCII text unchanged. */
  ascii(text: string): void {
    this.#reserve(text.length);
    const bytes = this.#bytes;
    const start = this.#length;
    for (let i = 0; i < text.length; i++) bytes[start + i] = text.charCodeAt(i);
    this.#length = start + text.length;
  }

  /** Appends text as a JSON string. */
  string(text: string): void {
    this.#reserve(text.length + 2);
    const bytes = this.#bytes;
    let to = this.#length;
    bytes[to++] = quote;
    for (let i = 0; i < text.length; i++) {
      const code = text.charCodeAt(i);
      if (code >= 0x80 || escapes[code] !== asItIs) return this.#writeEscaped(text);
      bytes[to++] = code;
    }
    bytes[to++] = quote;
    this.#length = to;
  }

  /** Appends UTF-8 as a JSON string, with U+FFFD for invalid bytes. */
  utf8(source: Buffer, words: DataView, start: number, end: number): void {
    this.#reserve(end - start + 2);
    const before = this.#length;
    let view = this.#view;
    let to = before;
    view.setUint8(to++, quote);
    let from = start;
    while (from < end) {
      for (; from + 4 <= end; from += 4, to += 4) {
        const word = words.getInt32(from);
        if (needsLook(word)) break;
        view.setInt32(to, word);
      }
      if (from === end) break;
      const byte = source[from++]!;
      const escape = escapes[byte]!;
      const more = byte < 0x80 ? 0 : continuation(source, from, end);
      if (escape === asItIs) view.setUint8(to++, byte);
      else if (more > 0) {
        view.setUint8(to++, byte);
        for (let i = 0; i < more; i++) view.setUint8(to++, source[from++]!);
      } else if (escape === otherwise) {
        this.#length = before;
        return this.#writeEscaped(source.toString('utf8', start, Math.min(end, start + longestText)));
      } else {
        this.#length = to;
        this.#reserve(end - from + 3);
        view = this.#view;
        view.setUint8(to++, backslash);
        view.setUint8(to++, escape);
      }
    }
    view.setUint8(to++, quote);
    this.#length = to;
  }

  /** Appends bytes as a JSON string of hexadecimal digits. */
  hex(source: Buffer, start: number, end: number): void {
    this.#reserve(2 * (end - start) + 2);
    const view = this.#view;
    let to = this.#length;
    view.setUint8(to++, quote);
    for (let from = start; from < end; from++, to += 2) view.setUint16(to, hexDigits[source[from]!]!);
    view.setUint8(to++, quote);
    this.#length = to;
  }

  /** Appends an integer from 0 to 2⁵³. */
  digits(value: number): void {
    if (value >= 1e9) {
      const upper = Math.floor(value / 1e9);
      this.digits(upper);
      return this.padNumber(value - upper * 1e9, 9);
    }
    let width = 1;
    for (let power = 10; power <= value; power *= 10) width++;
    this.padNumber(value, width);
  }

  /** Appends a number below 10⁹ with `width` digits. */
  padNumber(value: number, width: number): void {
    this.#reserve(width);
    const bytes = this.#bytes;
    let rest = value | 0;
    for (let at = this.#length + width - 1; at >= this.#length; at--) {
      const upper = (rest / 10) | 0;
      bytes[at] = zero + rest - upper * 10;
      rest = upper;
    }
    this.#length += width;
  }

  /** Each character may become six, and no string is longer than half a gigabyte. */
  #writeEscaped(text: string): void {
    const json = JSON.stringify(text.slice(0, longestText));
    this.#reserve(Buffer.byteLength(json));
    this.#length += this.#bytes.write(json, this.#length);
  }

  #reserve(more: number): void {
    if (this.#length + more > this.#bytes.length) this.#grow(more);
  }

  #grow(more: number): void {
    this.check();
    // An eighth more than needed, even beyond the limit: otherwise values that are cut off again,
    // each a little longer, would be copied each time.
    const needed = Math.ceil(1.125 * (this.#length + more));
    const size = Math.max(needed, Math.min(this.#max, 2 * this.#bytes.length));
    this.#onGrow(size);
    const larger = Buffer.allocUnsafeSlow(size);
    this.#bytes.copy(larger, 0, 0, this.#length);
    this.#bytes = larger;
    this.#view = viewOf(larger);
  }
}
