import type { Client } from './client.js';

/**
 * Bytes read ahead of who takes them. Node's fetch copies all that has come on the connection each time it stops reading, which it does after 20 KiB: where a
 * proxy passes on pieces of 4 KiB and they are written to a disk, that was nearly all of the work.
 */
const mostAhead = 1024 * 1024;

/**
 * The body of an answer in pieces. A broken connection becomes a ConnectionError, to tell it from a failing disk.
 * @throws ConnectionError
 */
export async function* bodyOf(client: Client, answer: Response): AsyncGenerator<Uint8Array> {
  const reader = answer.body?.getReader();
  if (reader === undefined) return;
  let ahead: Uint8Array[] = [];
  let bytes = 0;
  let over = false;
  let failed: { readonly error: unknown } | undefined;
  /** Resolves whoever waits: for a piece, or for room. */
  let changed = (): void => undefined;
  const change = (): Promise<void> => new Promise((resolve) => (changed = resolve));
  const readAhead = async (): Promise<void> => {
    try {
      while (!over) {
        const next = await reader.read();
        if (next.done) break;
        ahead.push(next.value);
        bytes += next.value.byteLength;
        changed();
        if (bytes >= mostAhead) await change();
      }
    } catch (error) {
      failed = { error: client.brokenOff(error) };
    }
    over = true;
    changed();
  };
  const reading = readAhead();
  try {
    for (;;) {
      while (bytes === 0 && !over) await change();
      const pieces = ahead;
      [ahead, bytes] = [[], 0];
      changed();
      if (pieces.length > 0) yield pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces);
      else if (failed !== undefined) throw failed.error;
      else return;
    }
  } finally {
    over = true;
    changed();
    await reader.cancel().catch(() => undefined);
    await reading;
  }
}
