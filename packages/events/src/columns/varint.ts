/** LEB128 lengths as ClickHouse writes them before strings. */

/** How many bytes `value` takes; values below 2^31. */
export function varintWidth(value: number): number {
  return value < 0x80 ? 1 : value < 0x4000 ? 2 : value < 0x200000 ? 3 : value < 0x10000000 ? 4 : 5;
}

/** Writes `value` at `at`; returns the position after it. */
export function writeVarint(bytes: Uint8Array, at: number, value: number): number {
  let rest = value;
  let i = at;
  while (rest >= 0x80) {
    bytes[i++] = (rest & 0x7f) | 0x80;
    rest >>>= 7;
  }
  bytes[i++] = rest;
  return i;
}

/**
 * The value at `at`, which must be a varint below 2^31; its width follows from {@link varintWidth}.
 */
export function readVarint(bytes: Uint8Array, at: number): number {
  let byte = bytes[at]!;
  if (byte < 0x80) return byte;
  let value = byte & 0x7f;
  for (let i = at + 1, shift = 7; byte >= 0x80; i++, shift += 7) {
    byte = bytes[i]!;
    value |= (byte & 0x7f) << shift;
  }
  return value;
}
