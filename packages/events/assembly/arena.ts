import { SLACK, take } from './memory';

/**
 * Memory that is retained across bodies. When it is full, memory of the body is used instead; that
 * is lost with the body, and the caller must rebuild its data for the next body.
 */

/**
 * Space for about 150,000 keys; unused pages are never touched. The host decides how much of it may
 * stay in use: retaining keys that do not recur costs more than requesting their names again.
 */
const SIZE: i32 = 32 << 20;

const start: usize = memory.data(SIZE, 16);
let end: usize = start;
let spilled: bool = false;

/** Releases all retained memory. */
export function forgetKept(): void {
  end = start;
  spilled = false;
}

/** Number of retained bytes. */
export function keptBytes(): i32 {
  return <i32>(end - start);
}

/** Whether some of the memory allocated here is lost with the body. */
export function hasSpilled(): bool {
  return spilled;
}

/** A new piece, followed by slack like any other; its content is undefined. */
export function takeKept(bytes: usize): usize {
  const piece = end;
  // The next piece begins where a value of any type is aligned.
  const next = (piece + bytes + SLACK + 7) & ~7;
  if (next <= start + SIZE) {
    end = next;
    return piece;
  }
  spilled = true;
  return take(bytes);
}
