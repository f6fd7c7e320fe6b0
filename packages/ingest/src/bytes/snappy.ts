import { httpError } from '@millrace/api/errors';
import { viewOf } from './json-bytes.js';

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
 * Own code: the package `snappyjs` takes a block that ends early or writes beyond its end for a
 * good one.
 * @throws HttpError `body-too-large` before anything is decoded, `invalid-events` for a damaged
 * block
 */
export function unsnappy(block: Uint8Array, maxBytes: number): Uint8Array {
  const { value: length, next } = varint(block);
  if (length > maxBytes) throw httpError('body-too-large', { limit: maxBytes });
  // A byte expands to at most 64/3 bytes: a block that declares more is damaged, and gets no
  // memory.
  if (length > 22 * block.length) throw damagedError('it announces more than it can hold');
  const out = new Uint8Array(new ArrayBuffer(length + wordBytes), 0, length);
  const written = new DataView(out.buffer);
  const words = viewOf(block);
  const end = block.length;
  let from = next;
  let to = 0;
  while (from < end) {
    const tag = block[from++]!;
    let offset = 0;
    let size = (tag >>> 2) + 1;
    switch (tag & 3) {
      case 0: {
        const more = size <= 60 ? 0 : size - 60;
        if (more > 0) {
          size = operandAt(block, from, more) + 1;
          from += more;
        }
        if (from + size > end) throw damagedError('it ends early');
        if (to + size > length) throw damagedError('it is longer than it says');
        if (size > fewBytes || from + size + wordBytes > end) out.set(block.subarray(from, from + size), to);
        else for (let i = 0; i < size; i += 4) written.setInt32(to + i, words.getInt32(from + i));
        from += size;
        to += size;
        continue;
      }
      case 1:
        size = ((tag >>> 2) & 7) + 4;
        if (from === end) throw damagedError('it ends early');
        offset = ((tag >>> 5) << 8) | block[from++]!;
        break;
      case 2:
        if (from + 2 > end) throw damagedError('it ends early');
        offset = block[from]! | (block[from + 1]! << 8);
        from += 2;
        break;
      default:
        offset = operandAt(block, from, 4);
        from += 4;
    }
    if (offset === 0 || offset > to) throw damagedError('it refers to bytes before its beginning');
    if (to + size > length) throw damagedError('it is longer than it says');
    const source = to - offset;
    // If the source overlaps the output, the copied bytes repeat.
    if (offset < 4) for (let i = 0; i < size; i++) out[to + i] = out[source + i]!;
    else for (let i = 0; i < size; i += 4) written.setInt32(to + i, written.getInt32(source + i));
    to += size;
  }
  if (to !== length) throw damagedError('it is shorter than it says');
  return out;
}

function operandAt(block: Uint8Array, at: number, bytes: number): number {
  if (at + bytes > block.length) throw damagedError('it ends early');
  let value = 0;
  for (let i = 0; i < bytes; i++) value += block[at + i]! * 2 ** (8 * i);
  return value;
}

/**
 * Bytes of a word. Copies write whole words, up to three bytes too many: later writes overwrite
 * these, or they are in the padding after the end.
 */
const wordBytes = 4;
/** More are copied by a call. */
const fewBytes = 64;

const damagedError = (problem: string) =>
  httpError('invalid-events', { problem: `the body is not valid snappy: ${problem}` });

function varint(bytes: Uint8Array): { readonly value: number; readonly next: number } {
  let value = 0;
  for (let at = 0; at < 5 && at < bytes.length; at++) {
    const byte = bytes[at]!;
    value += (byte & 0x7f) * 2 ** (7 * at);
    if (byte < 0x80) return { value, next: at + 1 };
  }
  throw damagedError('it does not begin with a length');
}
