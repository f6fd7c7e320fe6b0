import { createGunzip } from 'node:zlib';
import { Readable } from 'node:stream';
import { Decompress as ZstdStream } from 'fzstd';
import { Failure } from '../failure.js';
import { messageOf } from '../system-errors.js';
import type { Encoding } from './format.js';

/**
 * Decompresses a stream.
 * @throws Failure when it is damaged
 */
export async function* decompressed(
  input: AsyncIterable<Uint8Array>,
  encoding: Encoding,
  name: string,
): AsyncGenerator<Uint8Array> {
  try {
    yield* encoding === 'gzip' ? gunzipped(input) : unzstded(input);
  } catch (error) {
    if (error instanceof Failure) throw error;
    throw new Failure('failed', `${name}: damaged ${encoding} data: ${messageOf(error)}`, { cause: error });
  }
}

function gunzipped(input: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  const source = Readable.from(input, { objectMode: false });
  const gunzip = createGunzip();
  source.once('error', (error) => gunzip.destroy(error));
  return source.pipe(gunzip) as AsyncIterable<Buffer>;
}

/**
 * The library recurses per frame in a chunk. A frame takes at least nine bytes, so this many fit
 * the stack.
 */
const zstdPieceBytes = 4096;

async function* unzstded(input: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const ready: Uint8Array[] = [];
  const stream = new ZstdStream((piece) => ready.push(piece.slice()));
  for await (const piece of input) {
    for (let at = 0; at < piece.length; at += zstdPieceBytes) {
      stream.push(piece.subarray(at, at + zstdPieceBytes));
      yield* ready.splice(0);
    }
  }
  stream.push(new Uint8Array(), true);
  yield* ready;
}
