import type { Readable } from 'node:stream';
import { httpError } from '../errors.js';
import { freeMemory } from '../free-memory.js';
import type { ArrivingBody } from './arriving.js';

/** Most memory taken before anything of the body has arrived: announcing a large body is not enough to get more. */
const mostAtOnce = 8 * 1024 * 1024;
/** Memory taken at first for a body of unknown length. */
const leastAtOnce = 16 * 1024;

/**
 * The body of a request in one piece of memory of its own, to which each piece goes when it comes: kept until the end, the
 * pieces would take as much again.
 * @param announced what Content-Length says; undefined if it says nothing
 * @param arriving is told what has come of it, and may refuse it
 * @throws HttpError `body-too-large` as soon as that is known, `bad-http` when it is not as long as announced; what refuses it while it
 * comes; and what the stream ends with when its connection breaks
 */
export function readBody(
  stream: Readable,
  announced: number | undefined,
  limit: number,
  arriving: ArrivingBody,
): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    if (announced !== undefined && announced > limit) return reject(httpError('body-too-large', { limit }));
    let body: Buffer = Buffer.allocUnsafeSlow(Math.min(announced ?? leastAtOnce, mostAtOnce));
    let length = 0;
    const settle = (how: () => void): void => {
      stream.off('data', take).off('end', end).off('error', refuse);
      arriving.over();
      how();
    };
    const refuse = (error: unknown): void =>
      settle(() => {
        freeMemory(body.buffer);
        reject(error);
      });
    const take = (piece: Buffer): void => {
      const end = length + piece.length;
      if (end > limit) return refuse(httpError('body-too-large', { limit }));
      try {
        arriving.grew(piece.length);
      } catch (error) {
        return refuse(error);
      }
      if (end > body.length) body = grown(body, length, Math.max(end, Math.min(2 * body.length, announced ?? limit)));
      piece.copy(body, length);
      length = end;
    };
    const end = (): void =>
      settle(() => {
        if (announced === undefined || announced === length) resolve(body.subarray(0, length));
        else reject(httpError('bad-http', { problem: 'the body is not as long as Content-Length says' }));
      });
    stream.on('data', take).on('end', end).on('error', refuse);
  });
}

function grown(bytes: Buffer, length: number, room: number): Buffer {
  const larger = Buffer.allocUnsafeSlow(room);
  bytes.copy(larger, 0, 0, length);
  return larger;
}
