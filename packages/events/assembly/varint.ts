/** LEB128 lengths as ClickHouse writes them before strings; values below 2^31. */

/** How many bytes `value` takes. */
export function varintWidth(value: usize): usize {
  return value < 0x80 ? 1 : value < 0x4000 ? 2 : value < 0x200000 ? 3 : value < 0x10000000 ? 4 : 5;
}

/** Writes `value` at `at`; returns the address after it. */
export function writeVarint(at: usize, value: usize): usize {
  let rest = value;
  let to = at;
  while (rest >= 0x80) {
    store<u8>(to++, <u8>(rest | 0x80));
    rest >>= 7;
  }
  store<u8>(to++, <u8>rest);
  return to;
}

/** The value at `at`; its width follows from {@link varintWidth}. */
export function readVarint(at: usize): usize {
  let byte: usize = load<u8>(at);
  if (byte < 0x80) return byte;
  let value = byte & 0x7f;
  let from = at + 1;
  for (let shift: usize = 7; byte >= 0x80; shift += 7) {
    byte = load<u8>(from++);
    value |= (byte & 0x7f) << shift;
  }
  return value;
}
