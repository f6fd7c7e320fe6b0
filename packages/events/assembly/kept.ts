import { SLACK, take } from './memory';

/**
 * Memory that outlives the bodies. What does not fit comes from the memory of the body and goes with it, so that who keeps something here has to begin
 * anew with the next one.
 */

/** Ten thousand keys or so. Bodies may bring any number of made-up ones, and to keep more of these costs more than to ask for their names again. */
const SIZE: i32 = 1 << 20;

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
