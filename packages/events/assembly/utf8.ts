import { Bytes } from './bytes';
import { setRepaired } from './source';

/**
 * Length of the UTF-8 sequence at `at`, or minus the length of a broken one, which is replaced as a
 * whole as the WHATWG decoder does.
 */
export function sequenceLength(at: usize): i32 {
  const lead = load<u8>(at);
  if (lead < 0xc2 || lead > 0xf4) return -1;
  const second = load<u8>(at, 1);
  const lowest: u8 = lead == 0xe0 ? 0xa0 : lead == 0xf0 ? 0x90 : 0x80;
  const highest: u8 = lead == 0xed ? 0x9f : lead == 0xf4 ? 0x8f : 0xbf;
  if (second < lowest || second > highest) return -1;
  if (lead < 0xe0) return 2;
  if ((load<u8>(at, 2) & 0xc0) != 0x80) return -2;
  if (lead < 0xf0) return 3;
  return (load<u8>(at, 3) & 0xc0) == 0x80 ? 4 : -3;
}

/**
 * Writes one character, for which there must be room for four bytes; returns the address after it.
 */
export function writeCodePoint(to: usize, point: u32): usize {
  if (point < 0x80) {
    store<u8>(to, <u8>point);
    return to + 1;
  }
  let at = to;
  if (point < 0x800) {
    store<u8>(at++, <u8>(0xc0 | (point >> 6)));
  } else {
    if (point < 0x10000) {
      store<u8>(at++, <u8>(0xe0 | (point >> 12)));
    } else {
      store<u8>(at++, <u8>(0xf0 | (point >> 18)));
      store<u8>(at++, <u8>(0x80 | ((point >> 12) & 0x3f)));
    }
    store<u8>(at++, <u8>(0x80 | ((point >> 6) & 0x3f)));
  }
  store<u8>(at++, <u8>(0x80 | (point & 0x3f)));
  return at;
}

/** Appends U+FFFD, for invalid text. */
export function pushReplacement(out: Bytes): void {
  setRepaired(true);
  out.end = writeCodePoint(out.reserve(4), 0xfffd);
}

/**
 * Appends the non-ASCII character at `at`, in a text that ends at `end`, or U+FFFD for a broken
 * one. Returns the address after it.
 */
export function copyCharacter(at: usize, end: usize, out: Bytes): usize {
  const length = sequenceLength(at);
  if (length > 0 && at + length <= end) {
    store<u32>(out.reserve(4), load<u32>(at));
    out.end += length;
    return at + length;
  }
  pushReplacement(out);
  return length > 0 ? end : min(end, at - length);
}
