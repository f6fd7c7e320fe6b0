import { httpError } from '../../errors.js';

/**
 * A block of Snappy without framing, as Loki's clients send it:
 *
 *     length      varint, of what it becomes
 *     elements    each begins with a tag, whose two low bits say what it is:
 *       0  literal   length − 1 in the upper six bits; 60 to 63: in the next one to four bytes. Then the bytes
 *       1  copy      length − 4 in three bits, the upper three bits of the offset, and one byte of it
 *       2  copy      length − 1 in six bits, two bytes of the offset
 *       3  copy      length − 1 in six bits, four bytes of the offset
 *
 * Own code: the package `snappyjs` takes a block that ends early or writes beyond its end for a good one.
 * @throws HttpError `body-too-large` before anything is decoded, `invalid-events` for a damaged block
 */
export function unsnappy(block: Uint8Array, maxBytes: number): Uint8Array {
  const { value: length, next } = varint(block);
  if (length > maxBytes) throw httpError('body-too-large', { limit: maxBytes });
  // A byte of a block becomes at most 64/3 bytes: what announces more is damaged, and takes no memory.
  if (length > 22 * block.length) throw damaged('it announces more than it can hold');
  const out = new Uint8Array(length);
  let from = next;
  let to = 0;
  const take = (bytes: number): number => {
    if (from + bytes > block.length) throw damaged('it ends early');
    let value = 0;
    for (let i = 0; i < bytes; i++) value += block[from++]! * 2 ** (8 * i);
    return value;
  };
  while (from < block.length) {
    const tag = block[from++]!;
    const kind = tag & 3;
    const upper = tag >>> 2;
    if (kind === 0) {
      const size = (upper < 60 ? upper : take(upper - 59)) + 1;
      if (from + size > block.length) throw damaged('it ends early');
      if (to + size > length) throw damaged('it is longer than it says');
      out.set(block.subarray(from, from + size), to);
      from += size;
      to += size;
    } else {
      const size = kind === 1 ? (upper & 7) + 4 : upper + 1;
      const offset = kind === 1 ? ((tag >>> 5) << 8) + take(1) : take(kind === 2 ? 2 : 4);
      if (offset === 0 || offset > to) throw damaged('it refers to what is before its beginning');
      if (to + size > length) throw damaged('it is longer than it says');
      // What is copied may overlap with what is written: it is repeated then.
      if (offset >= size) out.copyWithin(to, to - offset, to - offset + size);
      else for (let i = 0; i < size; i++) out[to + i] = out[to + i - offset]!;
      to += size;
    }
  }
  if (to !== length) throw damaged('it is shorter than it says');
  return out;
}

const damaged = (problem: string) =>
  httpError('invalid-events', { problem: `the body is not valid snappy: ${problem}` });

function varint(bytes: Uint8Array): { readonly value: number; readonly next: number } {
  let value = 0;
  for (let at = 0; at < 5 && at < bytes.length; at++) {
    const byte = bytes[at]!;
    value += (byte & 0x7f) * 2 ** (7 * at);
    if (byte < 0x80) return { value, next: at + 1 };
  }
  throw damaged('it does not begin with a length');
}
