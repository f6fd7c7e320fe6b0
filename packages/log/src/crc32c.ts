import { crc32c as native } from '@node-rs/crc32';

/** Below this many bytes the call into the native module (about 250 ns) costs more than a table walk (3 ns a byte). */
const nativeFrom = 80;

const table = Uint32Array.from({ length: 256 }, (_, byte) => {
  let remainder = byte;
  for (let bit = 0; bit < 8; bit++) remainder = (remainder & 1 ? 0x82f63b78 : 0) ^ (remainder >>> 1);
  return remainder;
});

/** CRC-32C (Castagnoli) as an unsigned number. Pass the result of the bytes before as `before` to continue it. */
export function crc32c(bytes: Uint8Array, before = 0): number {
  if (bytes.length >= nativeFrom) return native(bytes, before);
  let remainder = ~before;
  for (let at = 0; at < bytes.length; at++) {
    remainder = table[(remainder ^ bytes[at]!) & 0xff]! ^ (remainder >>> 8);
  }
  return ~remainder >>> 0;
}
