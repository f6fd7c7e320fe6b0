import { Breath } from '../../async/breath.js';
import type { Connection } from './socket-protocol.js';

/**
 * Messages may be a byte long, so that a portion of this many bytes takes some milliseconds to
 * read.
 */
const portionBytes = 4096;

/** What comes through a connection in small portions, between which everybody else has a turn. */
export async function* portionsOf(pieces: Connection['pieces']): AsyncGenerator<Buffer> {
  const breath = new Breath();
  for await (const piece of pieces as AsyncIterable<Buffer>) {
    for (let at = 0; at < piece.length; at += portionBytes) {
      yield piece.subarray(at, at + portionBytes);
      await breath.take();
    }
  }
}
