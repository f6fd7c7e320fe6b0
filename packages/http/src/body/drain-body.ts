import type { IncomingMessage } from 'node:http';

/**
 * Reads and discards the rest of a rejected request. Many clients send the whole body before they
 * read the response: a disconnect would look like a broken pipe and hide the error.
 * @param max bytes to read; a client that sends more is disconnected
 * @returns a promise that resolves at the end of the request; `undefined` if it has arrived
 * completely
 */
export function drainBody(request: IncomingMessage, max: number): Promise<void> | undefined {
  if (request.complete || request.readableEnded) return undefined;
  let length = 0;
  request.on('data', (piece: Buffer) => {
    length += piece.length;
    if (length > max) request.destroy();
  });
  return new Promise((resolve) => {
    for (const end of ['end', 'close', 'error']) request.once(end, () => resolve());
  });
}
