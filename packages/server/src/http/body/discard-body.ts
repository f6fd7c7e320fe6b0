import type { IncomingMessage } from 'node:http';

/**
 * Reads and discards the rest of a request that has been refused. Many clients send a whole body
 * before they read the answer: if they were disconnected, they would see a broken pipe and not why
 * they were refused.
 * @param most bytes to read; a client that sends more is disconnected
 * @returns a promise that resolves when nothing more comes; `undefined` if the whole request has
 * arrived already
 */
export function discardBody(request: IncomingMessage, most: number): Promise<void> | undefined {
  if (request.complete || request.readableEnded) return undefined;
  let length = 0;
  request.on('data', (piece: Buffer) => {
    length += piece.length;
    if (length > most) request.destroy();
  });
  return new Promise((resolve) => {
    for (const end of ['end', 'close', 'error']) request.once(end, () => resolve());
  });
}
