import type { Readable } from 'node:stream';
import { httpError } from '@millrace/api/errors';
import { freeMemory } from '@millrace/runtime/memory/free-memory';
import type { InflightBody } from './inflight-bodies.js';
import type { BodyLimit } from './body-limit.js';

/**
 * Maximum memory allocated before any byte of the body has arrived, whatever length is announced.
 */
const maxChunkBytes = 8 * 1024 * 1024;
/** Memory initially allocated for a body of unknown length. */
const minChunkBytes = 16 * 1024;

/**
 * Reads the body of a request into one buffer. Copies each chunk on arrival: buffering the chunks
 * until the end would take the memory twice.
 * @param announced the Content-Length; undefined if there is none
 * @param arriving receives the number of bytes of each chunk, and may reject the body
 * @throws HttpError the one of the limit as soon as the body exceeds it, `bad-http` if the length
 * differs from Content-Length; any error of `arriving`; the error of the stream if the connection
 * breaks
 */
export function readBody(
  stream: Readable,
  announced: number | undefined,
  { bytes: limit, code }: BodyLimit,
  arriving: InflightBody,
): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    if (announced !== undefined && announced > limit) return reject(httpError(code, { limit }));
    let body: Buffer = Buffer.allocUnsafeSlow(Math.min(announced ?? minChunkBytes, maxChunkBytes));
    let length = 0;
    const settle = (how: () => void): void => {
      stream.off('data', take).off('end', end).off('error', refuse);
      arriving.end();
      how();
    };
    const refuse = (error: unknown): void =>
      settle(() => {
        freeMemory(body.buffer);
        reject(error);
      });
    const take = (piece: Buffer): void => {
      const end = length + piece.length;
      if (end > limit) return refuse(httpError(code, { limit }));
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
    arriving.onLost(refuse);
    stream.on('data', take).on('end', end).on('error', refuse);
  });
}

function grown(bytes: Buffer, length: number, room: number): Buffer {
  const larger = Buffer.allocUnsafeSlow(room);
  bytes.copy(larger, 0, 0, length);
  return larger;
}
