import type { Client } from './client.js';

/**
 * Bytes that may be read ahead of the consumer. Each time Node's fetch pauses a connection, which
 * it does once 20 KiB wait to be read, it copies everything that has arrived on it. With a proxy
 * that passes on pieces of 4 KiB and a consumer that writes each to a disk, nearly all of the CPU
 * went into these copies.
 */
const mostAhead = 1024 * 1024;

/**
 * The body of an answer in pieces. A broken connection becomes a ConnectionError, to tell it from a
 * failing disk. So does a signal that aborts: the `fetch` of Node 20 forgets that of its request
 * when garbage is collected after the answer has begun.
 * @throws ConnectionError
 */
export async function* bodyOf(client: Client, answer: Response, signal?: AbortSignal): AsyncGenerator<Uint8Array> {
  const reader = answer.body?.getReader();
  if (reader === undefined) return;
  let ahead: Uint8Array[] = [];
  let bytes = 0;
  let over = false;
  let failed: { readonly error: unknown } | undefined;
  /**
   * Wakes whichever side waits: the consumer for a piece, or the reader for room. They never wait
   * at the same time.
   */
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
      failed = { error: client.brokenOff(error, answer) };
    }
    over = true;
    changed();
  };
  const reading = readAhead();
  const stop = (): void => {
    failed = { error: client.brokenOff(signal?.reason, answer) };
    over = true;
    changed();
  };
  signal?.addEventListener('abort', stop, { once: true });
  if (signal?.aborted === true) stop();
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
    signal?.removeEventListener('abort', stop);
    over = true;
    changed();
    await reader.cancel().catch(() => undefined);
    await reading;
  }
}
