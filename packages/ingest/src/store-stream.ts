import { pipeline, Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { Yielder } from '@millrace/runtime/async/yield';
import { httpError } from '@millrace/api/errors';
import type { InflightBody } from '@millrace/http/body/inflight-bodies';
import { clientDisconnected } from './encoders.js';
import { isGzip } from './content-sniffing.js';
import type { StreamEndpoint } from './protocol.js';

/** A part is stored when it has this many bytes, or when the stream has been idle. */
const partBytes = 1024 * 1024;
const quietMilliseconds = 1000;
/** Larger buffers are not reused for the next part. */
const longBytes = 4 * partBytes;

interface StreamLimits {
  /** Maximum bytes of one event. */
  readonly max: number;
  /** Counts the buffered bytes of the stream, and rejects it if there is no capacity. */
  readonly holding: InflightBody;
  /**
   * Aborts when the client stops waiting for the response; the rest of the stream is not read then.
   */
  readonly signal: AbortSignal;
}

/**
 * Stores a stream of events in parts, reading on after each stored part, so that it takes the
 * memory of one part. The boundaries of parts depend only on the bytes while the stream does not
 * pause: a repeated stream has the same parts.
 * @throws HttpError `body-too-large` for an event that is too long; errors of `holding` and `store`
 */
export async function storeStream(
  pieces: AsyncIterable<Buffer>,
  { wholeEvents }: Pick<StreamEndpoint, 'wholeEvents'>,
  { max, holding, signal }: StreamLimits,
  store: (part: Buffer) => Promise<void>,
): Promise<void> {
  let buffered = Buffer.alloc(0);
  let length = 0;
  /**
   * Length at which events are searched again: not for every chunk, and never in too many bytes at
   * once.
   */
  let lookFrom = partBytes;
  let looked = 0;
  const yielder = new Yielder();
  const storeWhole = async (): Promise<void> => {
    const { end, from } = wholeEvents(buffered.subarray(0, length), looked);
    looked = from - end;
    if (end > 0) {
      // A copy, because it may be transferred to a thread.
      await store(Buffer.from(buffered.subarray(0, end)));
      // Releases the memory of a long event.
      if (buffered.length > longBytes) buffered = Buffer.from(buffered.subarray(end, length));
      else buffered.copyWithin(0, end, length);
      length -= end;
      holding.shrank(end);
    }
    lookFrom = end > 0 ? partBytes : length + partBytes;
    await yielder.maybeYield();
  };
  const iterator = pieces[Symbol.asyncIterator]();
  let giveUp: (error: Error) => void = () => undefined;
  holding.onLost((error) => giveUp(error));
  for (;;) {
    const coming = iterator.next();
    if (length > 0 && (await isQuiet(coming))) await storeWhole();
    const next = await new Promise<IteratorResult<Buffer>>((resolve, reject) => {
      giveUp = reject;
      coming.then(resolve, reject);
    });
    if (next.done === true) break;
    if (signal.aborted) throw clientDisconnected();
    const piece = next.value;
    // Chunks that have arrived come without a turn of the event loop between them.
    await yielder.maybeYield();
    // Boundaries depend on the bytes only, not on the chunks.
    for (let from = 0; from < piece.length;) {
      const to = Math.min(piece.length, from + Math.max(1, lookFrom - length));
      buffered = withRoom(buffered, length, to - from);
      piece.copy(buffered, length, from, to);
      length += to - from;
      holding.grew(to - from);
      from = to;
      if (length > max) throw httpError('body-too-large', { limit: max });
      if (length >= lookFrom) await storeWhole();
    }
  }
  if (length > 0) await store(Buffer.from(buffered.subarray(0, length)));
}

/**
 * Decodes the content encoding of a stream: gzip or none. Detects gzip by its magic bytes if no
 * header announces it.
 * @throws HttpError `unsupported-encoding`; `invalid-events` for damaged data
 */
export async function* decodedStream(pieces: AsyncIterable<Buffer>, encoding = ''): AsyncGenerator<Buffer> {
  const iterator = pieces[Symbol.asyncIterator]();
  const first = await iterator.next();
  if (first.done === true) return;
  const rest = { [Symbol.asyncIterator]: () => iterator };
  const isPacked = encoding === 'gzip' || (encoding === '' && isGzip(first.value));
  if (encoding !== '' && encoding !== 'gzip' && encoding !== 'identity')
    throw httpError('unsupported-encoding', { encoding, supported: 'gzip, identity' });
  const all = joinStream(first.value, rest);
  if (!isPacked) return yield* all;
  const unpacked = createGunzip();
  // Errors of the source are passed on to the returned stream.
  pipeline(Readable.from(all, { objectMode: false }), unpacked, () => undefined);
  try {
    yield* unpacked as AsyncIterable<Buffer>;
  } catch (error) {
    if (!isOfZlib(error)) throw error;
    throw httpError('invalid-events', { problem: `the stream is not valid gzip: ${error.message}` }, { cause: error });
  }
}

async function* joinStream(first: Buffer, rest: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  yield first;
  yield* rest;
}

const isOfZlib = (error: unknown): error is Error =>
  error instanceof Error && 'code' in error && String(error.code).startsWith('Z_');

/**
 * Called for every chunk. Uses a timer: aborting a signal would create an error with a stack trace
 * each time.
 */
async function isQuiet(coming: Promise<unknown>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const quiet = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(true), quietMilliseconds).unref();
  });
  // The consumer of the iterator reports errors.
  const came = coming.then(
    () => false,
    () => false,
  );
  try {
    return await Promise.race([quiet, came]);
  } finally {
    clearTimeout(timer);
  }
}

function withRoom(buffered: Buffer<ArrayBuffer>, length: number, more: number): Buffer<ArrayBuffer> {
  if (length + more <= buffered.length) return buffered;
  const larger = Buffer.allocUnsafeSlow(Math.max(length + more, 2 * buffered.length, 64 * 1024));
  buffered.copy(larger, 0, 0, length);
  return larger;
}
