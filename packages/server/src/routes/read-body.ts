import type { Readable } from 'node:stream';
import { httpError } from '../errors.js';

/** Memory taken before any of the body is here: a connection that only announces much does not get it. */
const mostAtOnce = 8 * 1024 * 1024;
/** For a body of unknown length. */
const leastAtOnce = 16 * 1024;

/**
 * The body of a request in one piece of memory of its own, to which each piece goes when it comes: kept until the end, the
 * pieces would take as much again.
 * @param announced what Content-Length says; undefined if it says nothing
 * @throws HttpError `body-too-large` as soon as that is known, `bad-http` when it is not as long as announced; and what the stream
 * ends with when its connection breaks
 */
export function readBody(stream: Readable, announced: number | undefined, limit: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    if (announced !== undefined && announced > limit) return reject(httpError('body-too-large', { limit }));
    let body: Buffer = Buffer.allocUnsafeSlow(Math.min(announced ?? leastAtOnce, mostAtOnce));
    let length = 0;
    const settle = (how: () => void): void => {
      stream.off('data', take).off('end', end).off('error', fail);
      how();
    };
    const take = (piece: Buffer): void => {
      const end = length + piece.length;
      if (end > limit) return settle(() => reject(httpError('body-too-large', { limit })));
      if (end > body.length) body = grown(body, length, Math.max(end, Math.min(2 * body.length, announced ?? limit)));
      piece.copy(body, length);
      length = end;
    };
    const end = (): void =>
      settle(() => {
        if (announced === undefined || announced === length) resolve(body.subarray(0, length));
        else reject(httpError('bad-http', { problem: 'the body is not as long as Content-Length says' }));
      });
    const fail = (error: Error): void => settle(() => reject(error));
    stream.on('data', take).on('end', end).on('error', fail);
  });
}

function grown(bytes: Buffer, length: number, room: number): Buffer {
  const larger = Buffer.allocUnsafeSlow(room);
  bytes.copy(larger, 0, 0, length);
  return larger;
}
