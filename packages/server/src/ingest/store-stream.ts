import { pipeline, Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { Breath } from '../async/breath.js';
import { httpError } from '../errors.js';
import type { ArrivingBody } from '../http/body/arriving-bodies.js';
import { clientLeft } from './encoders.js';
import { isGzip } from './mislabelled.js';
import type { StreamEndpoint } from './protocol.js';

/** A part is stored when it has so many bytes, or when nothing has come for so long. */
const partBytes = 1024 * 1024;
const quietMilliseconds = 1000;
/** More memory than this is not kept for the next part. */
const longBytes = 4 * partBytes;

interface StreamLimits {
  /** Most bytes of one event. */
  readonly most: number;
  /** Counts what is held of the stream, and refuses it if there is no room. */
  readonly holding: ArrivingBody;
  /**
   * Aborts when nobody waits for the answer any more: nothing more is read then, though it may have
   * come.
   */
  readonly signal: AbortSignal;
}

/**
 * Stores a stream of events in parts, and reads on when a part is stored, so that it takes no more
 * memory than one. Where parts end depends on the bytes alone while they come without a pause: a
 * stream that is sent again has the same parts.
 * @throws HttpError `body-too-large` for an event that is too long; whatever `holding` and `store`
 * throw
 */
export async function storeStream(
  pieces: AsyncIterable<Buffer>,
  { wholeEvents }: Pick<StreamEndpoint, 'wholeEvents'>,
  { most, holding, signal }: StreamLimits,
  store: (part: Buffer) => Promise<void>,
): Promise<void> {
  let held = Buffer.alloc(0);
  let length = 0;
  /** Where events are looked for again: not at every piece, and never in much at once. */
  let lookFrom = partBytes;
  let looked = 0;
  const breath = new Breath();
  const storeWhole = async (): Promise<void> => {
    const { end, from } = wholeEvents(held.subarray(0, length), looked);
    looked = from - end;
    if (end > 0) {
      // A copy, because it may be given away to a thread.
      await store(Buffer.from(held.subarray(0, end)));
      // A long event leaves its memory behind.
      if (held.length > longBytes) held = Buffer.from(held.subarray(end, length));
      else held.copyWithin(0, end, length);
      length -= end;
      holding.shrank(end);
    }
    lookFrom = end > 0 ? partBytes : length + partBytes;
    await breath.take();
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
    if (signal.aborted) throw clientLeft();
    const piece = next.value;
    // Cut at the same places, however the stream is divided on its way.
    for (let from = 0; from < piece.length;) {
      const to = Math.min(piece.length, from + Math.max(1, lookFrom - length));
      held = withRoom(held, length, to - from);
      piece.copy(held, length, from, to);
      length += to - from;
      holding.grew(to - from);
      from = to;
      if (length > most) throw httpError('body-too-large', { limit: most });
      if (length >= lookFrom) await storeWhole();
    }
  }
  if (length > 0) await store(Buffer.from(held.subarray(0, length)));
}

/**
 * A stream without its content encoding, which is gzip or none; gzip is also recognised where
 * nobody says so.
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
  const all = joined(first.value, rest);
  if (!isPacked) return yield* all;
  const unpacked = createGunzip();
  // An error of the stream that is read becomes one of the stream that comes out.
  pipeline(Readable.from(all, { objectMode: false }), unpacked, () => undefined);
  try {
    yield* unpacked as AsyncIterable<Buffer>;
  } catch (error) {
    if (!isOfZlib(error)) throw error;
    throw httpError('invalid-events', { problem: `the stream is not valid gzip: ${error.message}` }, { cause: error });
  }
}

async function* joined(first: Buffer, rest: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  yield first;
  yield* rest;
}

const isOfZlib = (error: unknown): error is Error =>
  error instanceof Error && 'code' in error && String(error.code).startsWith('Z_');

/** Asked for every piece: what aborts makes an error with a trace each time, a timer does not. */
async function isQuiet(coming: Promise<unknown>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const quiet = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(true), quietMilliseconds).unref();
  });
  // What is wrong with what comes is told to whoever waits for that.
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

function withRoom(held: Buffer<ArrayBuffer>, length: number, more: number): Buffer<ArrayBuffer> {
  if (length + more <= held.length) return held;
  const larger = Buffer.allocUnsafeSlow(Math.max(length + more, 2 * held.length, 64 * 1024));
  held.copy(larger, 0, 0, length);
  return larger;
}
