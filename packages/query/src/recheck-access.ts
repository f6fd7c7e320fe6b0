import type { Metadata } from '@millrace/metadata/metadata';

/**
 * Passes on a long-lived stream while its reader has permission.
 * @param ask is called when any permissions have changed, and throws when the reader has lost its
 * permission
 */
export async function* recheckAccess(
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
