import { SLACK, take } from './memory';

/**
 * Memory that outlives the bodies, so much of it. What does not fit comes from the memory of the body and goes with it, so that who keeps something
 * here has to begin anew with the next one.
 */
const SIZE: i32 = 4 << 20;

const start: usize = memory.data(SIZE, 16);
let end: usize = start;
let spilled: bool = false;

/** Everything kept so far goes. */
export function forgetKept(): void {
  end = start;
  spilled = false;
}

/** Whether not all of it outlives the body. */
export function hasSpilled(): bool {
  return spilled;
}

/** A new piece, with slack behind it as any; what it holds is anything. */
export function takeKept(bytes: usize): usize {
  const piece = end;
  // The next one begins where any value may stand.
  const next = (piece + bytes + SLACK + 7) & ~7;
  if (next <= start + SIZE) {
    end = next;
    return piece;
  }
  spilled = true;
  return take(bytes);
}
