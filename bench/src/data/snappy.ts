/** Compresses bytes as Loki's clients do: a Snappy block with copies from up to 64 KiB before. */
export function snappy(bytes: Buffer): Buffer {
  const out = Buffer.allocUnsafe(32 + bytes.length + Math.ceil(bytes.length / 6));
  let length = 0;
  for (let rest = bytes.length; ; rest >>>= 7) {
    out[length++] = rest > 0x7f ? (rest & 0x7f) | 0x80 : rest;
    if (rest <= 0x7f) break;
  }
  const literal = (start: number, end: number): void => {
    for (let from = start; from < end; from += 0x1_0000) {
      const to = Math.min(end, from + 0x1_0000);
      const size = to - from - 1;
      if (size < 60) out[length++] = size << 2;
      else {
        out[length] = 61 << 2;
        length = out.writeUInt16LE(size, length + 1);
      }
      length += bytes.copy(out, length, from, to);
    }
  };
  /** Hash of four bytes → where they were last. */
  const seen = new Int32Array(1 << 14).fill(-1);
  let copied = 0;
  for (let at = 0; at + 4 <= bytes.length;) {
    const word = bytes.readInt32LE(at);
    const slot = Math.imul(word, 0x1e35_a7bd) >>> 18;
    const before = seen[slot]!;
    seen[slot] = at;
    if (before < 0 || at - before > 0xffff || bytes.readInt32LE(before) !== word) {
      at++;
      continue;
    }
    let size = 4;
    while (size < 64 && at + size < bytes.length && bytes[before + size] === bytes[at + size]) size++;
    literal(copied, at);
    out[length++] = ((size - 1) << 2) | 2;
    length = out.writeUInt16LE(at - before, length);
    at += size;
    copied = at;
  }
  literal(copied, bytes.length);
  return out.subarray(0, length);
}
