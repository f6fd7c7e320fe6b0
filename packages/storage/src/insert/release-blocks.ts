import type { Block } from '@millrace/events';
import { freeMemory } from '@millrace/runtime/memory/free-memory';

/**
 * Frees the memory of blocks that are in the engine. V8 would collect it later, but blocks that
 * waited a second count as old by then, and to find old garbage V8 reads the whole heap: once every
 * hundred megabytes of events, for a twentieth of the server's CPU. A block that is part of a
 * larger buffer stays, because its memory is shared. Only for inserts that succeeded: after a
 * failed one, even if it turns out to have stored its rows, the bytes may still be being written
 * from that memory.
 */
export function releaseBlocks(stored: readonly { readonly block: Block }[]): void {
  for (const { block } of stored) {
    const buffer = block.serialized?.buffer;
    if (buffer !== undefined && buffer.byteLength === block.serialized?.byteLength) freeMemory(buffer);
  }
}
