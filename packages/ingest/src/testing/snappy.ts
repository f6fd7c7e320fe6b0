/** Compresses bytes as a Snappy block: literals, and copies of at least four bytes. */
export function snappy(bytes: Uint8Array): Uint8Array {
  const out: number[] = [];
  for (let rest = bytes.length; ; rest >>>= 7) {
    if (rest < 0x80) {
      out.push(rest);
      break;
    }
    out.push((rest & 0x7f) | 0x80);
  }
  const seen = new Map<number, number>();
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let literal = 0;
  const flush = (end: number): void => {
    for (; literal < end; literal += Math.min(end - literal, 1 << 16)) {
      const part = bytes.subarray(literal, Math.min(end, literal + (1 << 16)));
      if (part.length <= 60) out.push((part.length - 1) << 2);
      else out.push(61 << 2, (part.length - 1) & 255, (part.length - 1) >> 8);
      for (const byte of part) out.push(byte);
    }
  };
  let at = 0;
  while (at + 4 <= bytes.length) {
    const word = view.getInt32(at);
    const before = seen.get(word);
    seen.set(word, at);
    if (before === undefined || at - before > 65_535) {
      at++;
      continue;
    }
    let size = 4;
    while (size < 64 && at + size < bytes.length && bytes[before + size] === bytes[at + size]) size++;
    flush(at);
    out.push(((size - 1) << 2) | 2, (at - before) & 255, (at - before) >> 8);
    at += size;
    literal = at;
  }
  flush(bytes.length);
  return Uint8Array.from(out);
}
