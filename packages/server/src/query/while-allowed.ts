import type { Metadata } from '../metadata/metadata.js';

/**
 * Passes on what a reader takes for as long as it likes, as long as the reader may have it.
 * @param ask is called when anybody's rights have changed, and throws when the reader has lost its
 */
export async function* whileAllowed(
  pieces: AsyncIterable<Uint8Array>,
  metadata: Pick<Metadata, 'accessVersion' | 'upToDate'>,
  ask: () => Promise<unknown>,
): AsyncGenerator<Uint8Array> {
  let rights = metadata.accessVersion();
  for await (const piece of pieces) {
    await metadata.upToDate();
    const now = metadata.accessVersion();
    if (now !== rights) await ask();
    rights = now;
    yield piece;
  }
}
