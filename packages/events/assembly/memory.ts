/**
 * Memory of one body. It is allocated in pieces and released as a whole when the next body begins,
 * so no piece is ever freed.
 *
 * Every piece is followed by `SLACK` bytes of padding: code that reads or copies sixteen bytes per
 * step may run past the end.
 */
export const SLACK: usize = 16;

/** A new piece; its content is undefined. */
export function take(bytes: usize): usize {
  return heap.alloc(bytes + SLACK);
}

/** Releases all pieces. */
export function releaseAll(): void {
  heap.reset();
  scratch = 0;
  scratchBytes = 0;
}

let scratch: usize = 0;
let scratchBytes: usize = 0;

/** A piece of zeros that the next call may overwrite, for short calculations that are repeated. */
export function takeScratch(bytes: usize): usize {
  if (bytes > scratchBytes) {
    scratch = take(bytes);
    scratchBytes = bytes;
  }
  memory.fill(scratch, 0, bytes);
  return scratch;
}

/** A new piece of zeros. */
export function takeZeros(bytes: usize): usize {
  const start = take(bytes);
  memory.fill(start, 0, bytes);
  return start;
}

/**
 * Up to this size, bytes are copied sixteen per step, which is done before a call of `memory.copy`
 * has even begun.
 */
const SHORT: usize = 256;

/**
 * Copies, and may overwrite up to fifteen bytes after the end: for buffers that are written from
 * front to back.
 */
export function copyLoosely(to: usize, from: usize, length: usize): void {
  if (length > SHORT) {
    memory.copy(to, from, length);
    return;
  }
  for (let i: usize = 0; i < length; i += 16) v128.store(to + i, v128.load(from + i));
}

/** A mask of the first `bytes` bytes of sixteen, in the order of `bitmask`. */
function firstBits(bytes: usize): i32 {
  return (1 << (<i32>bytes)) - 1;
}

/** Which of sixteen bytes differ. */
function differing(left: usize, right: usize): i32 {
  return i8x16.bitmask(i8x16.ne(v128.load(left), v128.load(right)));
}

/** Whether `length` bytes are the same in both places. */
export function equalBytes(left: usize, right: usize, length: usize): bool {
  let i: usize = 0;
  for (; i + 16 <= length; i += 16) if (differing(left + i, right + i) != 0) return false;
  return (differing(left + i, right + i) & firstBits(length - i)) == 0;
}

/** Writes an ASCII text; returns its length. */
export function writeAscii(to: usize, text: string): usize {
  const length = text.length;
  for (let i = 0; i < length; i++) store<u8>(to + i, <u8>text.charCodeAt(i));
  return length;
}
