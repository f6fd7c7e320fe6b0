import type { GrowingBytes } from '../columns/bytes.js';

const HEX = Buffer.from('0123456789abcdef');
/** Control characters with a short escape → its letter. */
const SHORT = new Map([
  [8, 0x62],
  [9, 0x74],
  [10, 0x6e],
  [12, 0x66],
  [13, 0x72],
]);

/** Appends UTF-8 text as a JSON string: quotes around it, and only what must be escaped is. */
export function writeQuoted(out: GrowingBytes, bytes: Uint8Array, at: number, length: number): void {
  out.end = out.reserve(out.end, 6 * length + 2);
  const to = out.buffer;
  let o = out.end;
  to[o++] = 0x22;
  for (let i = at; i < at + length; i++) {
    const byte = bytes[i]!;
    if (byte >= 0x20 && byte !== 0x22 && byte !== 0x5c) {
      to[o++] = byte;
      continue;
    }
    to[o++] = 0x5c;
    const short = byte >= 0x20 ? byte : SHORT.get(byte);
    if (short !== undefined) {
      to[o++] = short;
      continue;
    }
    to[o++] = 0x75;
    to[o++] = 0x30;
    to[o++] = 0x30;
    to[o++] = HEX[byte >> 4]!;
    to[o++] = HEX[byte & 15]!;
  }
  to[o++] = 0x22;
  out.end = o;
}

/** The JSON text of a float: always with a point or an exponent, so that it is read back as a float. */
export function floatText(value: number): string {
  if (Object.is(value, -0)) return '-0.0';
  const text = String(value);
  return /[.e]/.test(text) ? text : `${text}.0`;
}
