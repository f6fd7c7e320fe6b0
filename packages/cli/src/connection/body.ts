import type { Client } from './client.js';

/**
 * Read-ahead in bytes. Node's fetch pauses a connection at 20 KiB unread and copies all buffered
 * bytes on each pause. With a proxy that forwards 4 KiB chunks and a consumer that writes each to
 * disk, these copies take nearly all CPU time.
 */
const maxAhead = 1024 * 1024;

/**
 * Body of a response in chunks. A broken connection becomes a ConnectionError, which distinguishes
 * it from disk errors. So does an aborted signal: Node 20's `fetch` loses the signal of its request
 * when garbage is collected during the response.
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
   * Wakes the waiting side: the consumer for a chunk or the reader for space. The two never wait at
   * the same time.
   */
  let notify = (): void => undefined;
  const change = (): Promise<void> => new Promise((resolve) => (notify = resolve));
  const readAhead = async (): Promise<void> => {
    try {
      while (!over) {
        const next = await reader.read();
        if (next.done) break;
        ahead.push(next.value);
        bytes += next.value.byteLength;
        notify();
        if (bytes >= maxAhead) await change();
      }
    } catch (error) {
      failed = { error: client.brokenOff(error, answer) };
    }
    over = true;
    notify();
  };
  const reading = readAhead();
  const stop = (): void => {
    failed = { error: client.brokenOff(signal?.reason, answer) };
    over = true;
    notify();
  };
  signal?.addEventListener('abort', stop, { once: true });
  if (signal?.aborted === true) stop();
  try {
    for (;;) {
      while (bytes === 0 && !over) await change();
      const pieces = ahead;
      [ahead, bytes] = [[], 0];
      notify();
      if (pieces.length > 0) yield pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces);
      else if (failed !== undefined) throw failed.error;
      else return;
    }
  } finally {
    signal?.removeEventListener('abort', stop);
    over = true;
    notify();
    await reader.cancel().catch(() => undefined);
    await reading;
  }
}
