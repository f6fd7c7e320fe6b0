import type { Readable } from 'node:stream';
import { httpError } from '../../errors.js';
import { freeMemory } from '../../memory/free-memory.js';
import type { ArrivingBody } from './arriving-bodies.js';
import type { BodyLimit } from './body-limit.js';

/**
 * Most memory taken before anything of the body has arrived: announcing a large body is not enough
 * to get more.
 */
const mostAtOnce = 8 * 1024 * 1024;
/** Memory taken at first for a body of unknown length. */
const leastAtOnce = 16 * 1024;

/**
 * The body of a request in one piece of memory of its own. Each piece is copied there as it comes:
 * if the pieces were kept until the end, they would take the same memory again.
 * @param announced the Content-Length; undefined if there is none
 * @param arriving is told how many bytes have come, and may refuse the body
 * @throws HttpError the one of the limit as soon as it is known that the body is longer, `bad-http`
 * when the body is not as long as announced; what `arriving` throws; and the error of the stream
 * when its connection breaks
 */
export function readBody(
  stream: Readable,
  announced: number | undefined,
  { bytes: limit, code }: BodyLimit,
  arriving: ArrivingBody,
): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    if (announced !== undefined && announced > limit) return reject(httpError(code, { limit }));
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
