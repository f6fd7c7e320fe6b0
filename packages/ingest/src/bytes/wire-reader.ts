import { viewOf } from './json-bytes.js';
import { CorruptDataError } from './corrupt-data-error.js';

/** Wire types: the three low bits of a field's tag, which say how long its value is. */
export const varint = 0;
export const eightBytes = 1;
export const lengthPrefixed = 2;
export const fourBytes = 5;
const wireNames: readonly string[] = [
  'a varint',
  '8 bytes',
  'a length and bytes',
  'a group',
  'the end of a group',
  '4 bytes',
];

/**
 * Reads the wire format of protobuf fields. Errors for malformed data name the byte and the field.
 */
export class WireReader {
  /** The position of the next byte to read. */
  at = 0;
  /** The two halves of the varint read last, unsigned. */
  low = 0;
  high = 0;
  readonly body: Buffer;
  /** A view of the body. */
  readonly words: DataView;

  constructor(body: Uint8Array) {
    this.body = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
    this.words = viewOf(body);
  }

  tag(end: number, where: string): number {
    const start = this.at;
    this.varint(end, where);
    if (this.high !== 0 || this.low >>> 3 === 0) this.#fail(start, where, 'this is not the tag of a field');
    return this.low;
  }

  expect(tag: number, wire: number, where: string): void {
    if ((tag & 7) === wire) return;
    const found = wireNames[tag & 7] ?? `wire type ${tag & 7}`;
    this.#fail(this.at, where, `expected ${wireNames[wire]}, found ${found}`);
  }

  /** Reads a length; returns the position after that many bytes. */
  length(end: number, where: string): number {
    const start = this.at;
    this.varint(end, where);
    const length = this.high * 4294967296 + this.low;
    const left = end - this.at;
    if (length > left) this.#fail(start, where, `a length of ${length} bytes is announced and ${left} are left`);
    return this.at + length;
  }

  /** Skips a number of bytes; returns their start. */
  take(bytes: number, end: number, where: string): number {
    const start = this.at;
    if (end - start < bytes) this.#fail(start, where, `expected ${bytes} bytes, and ${end - start} are left`);
    this.at = start + bytes;
    return start;
  }

  skip(tag: number, end: number, message: string): void {
    const where = `${message}, field ${tag >>> 3}`;
    switch (tag & 7) {
      case varint:
        return this.varint(end, where);
      case eightBytes:
        return void this.take(8, end, where);
      case lengthPrefixed:
        this.at = this.length(end, where);
        return;
      case fourBytes:
        return void this.take(4, end, where);
      default:
        this.#fail(this.at, where, `wire type ${tag & 7} is not used in OTLP`);
    }
  }

  varint(end: number, where: string): void {
    const start = this.at;
    const first = start < end ? this.body[start]! : 0x80;
    if (first < 0x80) {
      this.low = first;
      this.high = 0;
      this.at = start + 1;
    } else this.#longVarint(end, where);
  }

  #longVarint(end: number, where: string): void {
    const start = this.at;
    let low = 0;
    let high = 0;
    for (let shift = 0; shift < 70; shift += 7) {
      if (this.at >= end) this.#fail(start, where, 'it ends in the middle of a number');
      const byte = this.body[this.at++]!;
      const bits = byte & 0x7f;
      if (shift < 28) low |= bits << shift;
      else if (shift === 28) {
        low |= bits << 28;
        high = bits >>> 4;
      } else high |= bits << (shift - 32);
      if (byte < 0x80) {
        this.low = low >>> 0;
        this.high = high >>> 0;
        return;
      }
    }
    this.#fail(start, where, 'a number has more than ten bytes');
  }

  #fail(at: number, where: string, problem: string): never {
    throw new CorruptDataError(`byte ${at}, ${where}: ${problem}`);
  }
}
