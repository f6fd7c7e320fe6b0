import type { GrowingBytes } from './columns/bytes.js';
import type { Source } from './json/source.js';

/** Length of the UTF-8 sequence at `at`, or minus the length of the broken one to be replaced as a whole, as the WHATWG decoder does. */
function sequenceLength(bytes: Uint8Array, at: number, lead: number): number {
  if (lead < 0xc2 || lead > 0xf4) return -1;
  const second = bytes[at + 1]!;
  const lowest = lead === 0xe0 ? 0xa0 : lead === 0xf0 ? 0x90 : 0x80;
  const highest = lead === 0xed ? 0x9f : lead === 0xf4 ? 0x8f : 0xbf;
  if (!(second >= lowest && second <= highest)) return -1;
  if (lead < 0xe0) return 2;
  if ((bytes[at + 2]! & 0xc0) !== 0x80) return -2;
  if (lead < 0xf0) return 3;
  return (bytes[at + 3]! & 0xc0) === 0x80 ? 4 : -3;
}

/** Writes one character at the cursor; there must be room for four bytes. */
export function writeCodePoint(out: GrowingBytes, point: number): void {
  const { buffer } = out;
  let o = out.cursor;
  if (point < 0x80) {
    buffer[o++] = point;
  } else {
    if (point < 0x800) {
      buffer[o++] = 0xc0 | (point >> 6);
    } else {
      if (point < 0x10000) {
        buffer[o++] = 0xe0 | (point >> 12);
      } else {
        buffer[o++] = 0xf0 | (point >> 18);
        buffer[o++] = 0x80 | ((point >> 12) & 0x3f);
      }
      buffer[o++] = 0x80 | ((point >> 6) & 0x3f);
    }
    buffer[o++] = 0x80 | (point & 0x3f);
  }
  out.cursor = o;
}

/** Writes characters beyond ASCII, as many as stand at `at` and have room; answers the position behind. U+FFFD stands for each broken one. */
export function copyMultibyte(source: Source, at: number, end: number, out: GrowingBytes): number {
  const { buffer: bytes } = source;
  const stop = out.limit - 4;
  let i = at;
  for (let lead = bytes[i]!; i < end && lead >= 0x80 && out.cursor < stop; lead = bytes[i]!) {
    const length = sequenceLength(bytes, i, lead);
    if (length > 0 && i + length <= end) {
      for (let k = 0; k < length; k++) out.buffer[out.cursor + k] = bytes[i + k]!;
      out.cursor += length;
      i += length;
    } else {
      source.repaired = true;
      writeCodePoint(out, 0xfffd);
      i += length > 0 ? end - i : -length;
    }
  }
  return Math.min(i, end);
}

/** Writes the bytes from `at` to `end` from the cursor on, with U+FFFD for what is not UTF-8. */
export function copyText(source: Source, at: number, end: number, out: GrowingBytes): void {
  const { buffer: bytes } = source;
  for (let i = at; i < end;) {
    out.cursor = out.reserve(out.cursor, end - i + 8);
    for (; i < end && bytes[i]! < 0x80; i++) out.buffer[out.cursor++] = bytes[i]!;
    if (i < end) i = copyMultibyte(source, i, end, out);
  }
}
