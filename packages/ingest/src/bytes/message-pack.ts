import { CorruptDataError } from './corrupt-data-error.js';
import { type JsonBytes, viewOf } from './json-bytes.js';
import { ingestBounds } from '../ingest-limits.js';

/**
 * MessagePack. A value starts with a byte for its type, followed by a length for some types, and by
 * its bytes or nested values:
 *
 *     00–7f  a number             80–8f  a map of so many pairs     90–9f  a list            a0–bf  a text
 *     c0  nil   c2 c3  false, true   c4–c6  bytes     c7–c9  an extension, whose type is its first byte
 *     ca cb  floats   cc–cf  unsigned numbers   d0–d3  signed ones   d4–d8  extensions of a fixed length
 *     d9–db  texts   dc dd  lists   de df  maps   e0–ff  a negative number
 */

type PackKind =
  | 'nil'
  | 'false'
  | 'true'
  | 'small'
  | 'float'
  | 'unsigned'
  | 'signed'
  | 'text'
  | 'extension'
  | 'list'
  | 'map';

/** Decoded first byte and length of a value. */
export interface PackHead {
  kind: PackKind;
  /** Bytes of the value, or values in a list, or pairs in a map. */
  size: number;
  /** The position after the head. */
  next: number;
}

type Entry = readonly [kind: PackKind, lengthBytes: number, size: number];

/** Types of the bytes c0 to df. Binary counts as text, because clients send it so. */
const entries: readonly (Entry | undefined)[] = [
  ['nil', 0, 0],
  undefined,
  ['false', 0, 0],
  ['true', 0, 0],
  ...[1, 2, 4].map((length): Entry => ['text', length, 0]),
  ...[1, 2, 4].map((length): Entry => ['extension', length, 1]),
  ...[4, 8].map((size): Entry => ['float', 0, size]),
  ...[1, 2, 4, 8].map((size): Entry => ['unsigned', 0, size]),
  ...[1, 2, 4, 8].map((size): Entry => ['signed', 0, size]),
  ...[1, 2, 4, 8, 16].map((size): Entry => ['extension', 0, size + 1]),
  ...[1, 2, 4].map((length): Entry => ['text', length, 0]),
  ...[2, 4].map((length): Entry => ['list', length, 0]),
  ...[2, 4].map((length): Entry => ['map', length, 0]),
];

function foundMessage(head: PackHead, kind: PackKind, size: number, next: number): true {
  head.kind = kind;
  head.size = size;
  head.next = next;
  return true;
}

/**
 * Reads the head of a value.
 * @returns false if it is incomplete
 * @throws CorruptDataError if no value starts with this byte
 */
export function readHead(bytes: Buffer, at: number, end: number, head: PackHead): boolean {
  if (at >= end) return false;
  const first = bytes[at]!;
  const behind = at + 1;
  if (first < 0x80 || first >= 0xe0) return foundMessage(head, 'small', 0, behind);
  if (first < 0x90) return foundMessage(head, 'map', first & 15, behind);
  if (first < 0xa0) return foundMessage(head, 'list', first & 15, behind);
  if (first < 0xc0) return foundMessage(head, 'text', first & 31, behind);
  const entry = entries[first - 0xc0];
  if (entry === undefined) throw new CorruptDataError(`byte ${at}: no value of MessagePack begins with c1`);
  const [kind, lengthBytes, size] = entry;
  if (behind + lengthBytes > end) return false;
  const length = lengthBytes === 0 ? 0 : bytes.readUIntBE(behind, lengthBytes);
  return foundMessage(head, kind, size + length, behind + lengthBytes);
}

/** Number of values nested directly in a value; a pair counts as two. */
export const valuesIn = ({ kind, size }: PackHead): number => (kind === 'list' ? size : kind === 'map' ? 2 * size : 0);

/** Number of bytes after the head that belong to the value itself. */
export const bytesIn = ({ kind, size }: PackHead): number => (kind === 'list' || kind === 'map' ? 0 : size);

/** Whether a value can be a property name; numbers become their digits. */
const isName = (kind: PackKind): boolean =>
  kind === 'text' || kind === 'small' || kind === 'unsigned' || kind === 'signed';

/** Extension types for timestamps: MessagePack's, and Fluentd's EventTime. */
const timestampType = 0xff;
const eventTimeType = 0;

/** Reads values one after the other, and writes them as JSON, without an object for any. */
export class PackReader {
  at = 0;
  readonly bytes: Buffer;
  readonly #view: DataView;
  readonly #end: number;
  readonly #head: PackHead = { kind: 'nil', size: 0, next: 0 };

  constructor(bytes: Uint8Array) {
    this.bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#view = viewOf(bytes);
    this.#end = bytes.length;
  }

  get isOver(): boolean {
    return this.at >= this.#end;
  }

  /** Type of the next value. */
  get kind(): PackKind {
    return this.#read().kind;
  }

  /**
   * Enters the list or the map that follows; its values or pairs are read next.
   * @returns their number; undefined if another type follows, without advancing
   */
  enter(kind: 'list' | 'map'): number | undefined {
    const head = this.#read();
    if (head.kind !== kind) return undefined;
    this.at = head.next;
    return head.size;
  }

  /** The bytes of the string that follows; undefined if another type follows, without advancing. */
  take(): Buffer | undefined {
    const { kind, size, next } = this.#read();
    if (kind !== 'text') return undefined;
    this.at = next + size;
    return this.bytes.subarray(next, this.at);
  }

  /** Reads a short string; undefined if the next value is not a string, without advancing. */
  text(): string | undefined {
    return this.take()?.toString();
  }

  /** Passes over the next value. */
  skip(): void {
    for (let left = 1; left > 0; left--) {
      const head = this.#read();
      this.at = head.next + bytesIn(head);
      left += valuesIn(head);
    }
  }

  /**
   * Writes the next pair of a map as a property, `"name":value`. Skips a pair whose name is neither
   * a string nor a number.
   * @param out returns the output; called only if a property is written
   */
  member(out: () => JsonBytes): void {
    if (isName(this.kind)) this.#member(out(), 1);
    else this.#skipPair();
  }

  /** Writes the next value as JSON. */
  value(out: JsonBytes, depth = 0): void {
    const { kind, size, next } = this.#read();
    const { at } = this;
    switch (kind) {
      case 'list':
      case 'map':
        if (depth < ingestBounds.messagePackLevels.max) return this.#within(kind, size, next, out, depth + 1);
        this.skip();
        return out.ascii('null');
      case 'text':
        this.at = next + size;
        return out.utf8(this.bytes, this.#view, next, this.at);
      case 'nil':
        this.at = next;
        return out.ascii('null');
      case 'false':
      case 'true':
        this.at = next;
        return out.ascii(kind);
      case 'small':
        this.at = next;
        return out.ascii(String(this.#view.getInt8(at)));
      case 'unsigned':
      case 'signed':
        this.at = next + size;
        return out.ascii(this.#whole(kind, size, next));
      case 'float':
        this.at = next + size;
        return out.ascii(floatText(size === 4 ? this.#view.getFloat32(next) : this.#view.getFloat64(next)));
      case 'extension': {
        this.at = next + size;
        const time = this.#time(next, size);
        if (time === undefined) out.hex(this.bytes, next + 1, this.at);
        else out.ascii(`"${time}"`);
      }
    }
  }

  #read(): PackHead {
    const head = this.#head;
    if (!readHead(this.bytes, this.at, this.#end, head) || head.next + bytesIn(head) > this.#end)
      throw new CorruptDataError(`byte ${this.at}: the value is cut off`);
    return head;
  }

  #within(kind: 'list' | 'map', size: number, next: number, out: JsonBytes, depth: number): void {
    this.at = next;
    const isMap = kind === 'map';
    out.ascii(isMap ? '{' : '[');
    let isFirst = true;
    for (let left = size; left > 0; left--) {
      if (isMap && !isName(this.kind)) {
        this.#skipPair();
        continue;
      }
      if (!isFirst) out.ascii(',');
      isFirst = false;
      if (isMap) this.#member(out, depth);
      else this.value(out, depth);
      // A single value may exceed the maximum.
      out.check();
    }
    out.ascii(isMap ? '}' : ']');
  }

  #skipPair(): void {
    this.skip();
    this.skip();
  }

  #member(out: JsonBytes, depth: number): void {
    if (this.kind === 'text') this.value(out);
    else {
      out.ascii('"');
      this.value(out);
      out.ascii('"');
    }
    out.ascii(':');
    this.value(out, depth);
  }

  #whole(kind: 'unsigned' | 'signed', size: number, at: number): string {
    if (size === 8) return String(kind === 'signed' ? this.#view.getBigInt64(at) : this.#view.getBigUint64(at));
    return String(kind === 'signed' ? this.bytes.readIntBE(at, size) : this.bytes.readUIntBE(at, size));
  }

  /** The time that an extension is, as RFC 3339 has it. */
  #time(at: number, size: number): string | undefined {
    const type = this.bytes[at]!;
    const view = this.#view;
    const from = at + 1;
    if (type === eventTimeType && size === 9) return timeText(BigInt(view.getUint32(from)), view.getUint32(from + 4));
    if (type !== timestampType) return undefined;
    if (size === 5) return timeText(BigInt(view.getUint32(from)), 0);
    // Thirty bits of nanoseconds, and 34 of seconds.
    if (size === 9) return timeText(view.getBigUint64(from) & 0x3_ffff_ffffn, view.getUint32(from) >>> 2);
    return size === 13 ? timeText(view.getBigInt64(from + 4), view.getUint32(from)) : undefined;
  }
}

/** Always with a point or an exponent, so that it stays a float. */
function floatText(value: number): string {
  if (!Number.isFinite(value)) return 'null';
  const text = Object.is(value, -0) ? '-0' : String(value);
  return /^-?\d+$/.test(text) ? `${text}.0` : text;
}

/** A time of years that RFC 3339 has. */
function timeText(seconds: bigint, nanoseconds: number): string | undefined {
  const milliseconds = Number(seconds) * 1000;
  if (nanoseconds >= 1e9 || milliseconds < -62_135_596_800_000 || milliseconds > 253_402_300_799_000) return undefined;
  return `${new Date(milliseconds).toISOString().slice(0, 19)}.${String(nanoseconds).padStart(9, '0')}Z`;
}
