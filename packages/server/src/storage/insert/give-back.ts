import type { Block } from '@millrace/events';
import { freeMemory } from '../../free-memory.js';

/**
 * Lets the memory of blocks go that are in the engine. V8 would notice in time that nobody has it any more, but what waited a second counts as
 * old by then, and to find old garbage it reads all of the heap: every hundred megabytes of events, for a twentieth of the server's CPU.
 * A block that is a part of something larger stays, as its memory is not its own.
 * For an insert that succeeded: what a failed one turns out to have stored after all may still be on its way out of memory.
 */
export function giveBack(stored: readonly { readonly block: Block }[]): void {
  for (const { block } of stored) {
    const buffer = block.serialized?.buffer;
    if (buffer !== undefined && buffer.byteLength === block.serialized?.byteLength) freeMemory(buffer);
  }
}
