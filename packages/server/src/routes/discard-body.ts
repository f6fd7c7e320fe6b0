import type { IncomingMessage } from 'node:http';

/**
 * Reads what is still coming of a request that has been refused, and throws it away. Many clients send all of a body before they read:
 * disconnected, they see a broken pipe and not why they were refused.
 * @param most bytes; who sends more than that is disconnected
 * @returns when nothing more comes; `undefined` if all of the request is here
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
