import type { Block } from '@millrace/events';

/**
 * Lets the memory of blocks go that are in the engine. V8 would notice in time that nobody has it any more, but what waited a second counts as
 * old by then, and to find old garbage it reads all of the heap: every hundred megabytes of events, for a twentieth of the server's CPU.
 * A block that is a part of something larger stays, as its memory is not its own.
 * For an insert that succeeded: what a failed one turns out to have stored after all may still be on its way out of memory.
 */
export function giveBack(stored: readonly { readonly block: Block }[]): void {
  for (const { block } of stored) {
    const buffer = block.serialized?.buffer;
    const own = buffer instanceof ArrayBuffer && buffer.byteLength === block.serialized?.byteLength;
    // Whoever gets it is young, and goes with the other young garbage.
    if (own && buffer.byteLength >= worthwhile) structuredClone(buffer, { transfer: [buffer] });
  }
}

/** Less does not count beside what a request leaves behind anyway. */
const worthwhile = 64 * 1024;
