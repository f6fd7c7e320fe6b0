import { SLACK, take } from './memory';

/**
 * Memory that outlives bodies. What does not fit is taken from the memory of the body and is lost
 * with it; whoever keeps something here then has to start afresh with the next body.
 */

/**
 * Room for some hundred and fifty thousand keys; memory is touched only as far as it is used. How
 * much of it may stay used is for the host to say: keeping keys that do not come back costs more
 * than asking for their names again.
 */
const SIZE: i32 = 32 << 20;

const start: usize = memory.data(SIZE, 16);
let end: usize = start;
let spilled: bool = false;

/** Releases everything kept so far. */
export function forgetKept(): void {
  end = start;
  spilled = false;
}

/** Bytes of what is kept. */
export function keptBytes(): i32 {
  return <i32>(end - start);
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
