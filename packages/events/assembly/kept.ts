import { SLACK, take } from './memory';

/**
 * Memory that outlives bodies. What does not fit is taken from the memory of the body and is lost
 * with it; whoever keeps something here then has to start afresh with the next body.
 */

/**
 * Room for about ten thousand keys. Bodies may bring any number of invented keys, and keeping more
 * of them costs more than asking for their names again.
 */
const SIZE: i32 = 1 << 20;

const start: usize = memory.data(SIZE, 16);
let end: usize = start;
let spilled: bool = false;

/** Releases everything kept so far. */
export function forgetKept(): void {
  end = start;
  spilled = false;
}

/** Whether some of what was taken here does not outlive the body. */
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
