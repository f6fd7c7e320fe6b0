import { crc32c as native } from '@node-rs/crc32';

/**
 * Below this many bytes the call into the native module (about 250 ns) costs more than a table walk
 * (3 ns a byte).
 */
const nativeFrom = 80;

const table = Uint32Array.from({ length: 256 }, (_, byte) => {
  let remainder = byte;
  for (let bit = 0; bit < 8; bit++) remainder = (remainder & 1 ? 0x82f63b78 : 0) ^ (remainder >>> 1);
  return remainder;
});

/**
 * CRC-32C (Castagnoli) as an unsigned number. Pass the result of the bytes before as `before` to
 * continue it.
 */
export function crc32c(bytes: Uint8Array, before = 0): number {
  return bytes.length < nativeFrom ? walk(bytes, 0, bytes.length, before) : native(bytes, before);
}

/** CRC-32C of `bytes[from … to)`, without making a view when the range is short. */
export function crc32cRange(bytes: Uint8Array, from: number, to: number): number {
  return to - from < nativeFrom ? walk(bytes, from, to, 0) : native(bytes.subarray(from, to));
}

function walk(bytes: Uint8Array, from: number, to: number, before: number): number {
  let remainder = ~before;
  for (let at = from; at < to; at++) {
    remainder = table[(remainder ^ bytes[at]!) & 0xff]! ^ (remainder >>> 8);
  }
  return ~remainder >>> 0;
}
