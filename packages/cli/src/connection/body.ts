import type { Client } from './client.js';

/**
 * The body of an answer in pieces. A broken connection becomes a ConnectionError, to tell it from a failing disk.
 * @throws ConnectionError
 */
export async function* bodyOf(client: Client, answer: Response): AsyncGenerator<Uint8Array> {
  const reader = answer.body?.getReader();
  if (reader === undefined) return;
  try {
    for (;;) {
      const next = await reader.read().catch((error: unknown) => {
        throw client.brokenOff(error);
      });
      if (next.done) return;
      yield next.value;
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}
