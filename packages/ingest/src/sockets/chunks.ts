import { Yielder } from '@millrace/runtime/async/yield';
import type { Connection } from './socket-protocol.js';

/**
 * Messages may be a byte long, so that a portion of this many bytes takes some milliseconds to
 * read.
 */
const portionBytes = 4096;

/** Yields the data of a connection in small chunks, and yields to the event loop between them. */
export async function* portionsOf(pieces: Connection['pieces']): AsyncGenerator<Buffer> {
  const yielder = new Yielder();
  for await (const piece of pieces as AsyncIterable<Buffer>) {
    for (let at = 0; at < piece.length; at += portionBytes) {
      yield piece.subarray(at, at + portionBytes);
      await yielder.maybeYield();
    }
  }
}
