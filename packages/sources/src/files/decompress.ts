import { createGunzip } from 'node:zlib';
import { Readable } from 'node:stream';
import { Decompress as ZstdStream } from 'fzstd';
import { InputError } from './input-error.js';
import type { Encoding } from './format.js';

/**
 * Decompresses a stream.
 * @throws InputError when it is damaged
 */
export async function* decompress(
  input: AsyncIterable<Uint8Array>,
  encoding: Encoding,
  name: string,
): AsyncGenerator<Uint8Array> {
  // An input that breaks off says nothing about the data.
  let broken: { readonly error: unknown } | undefined;
  async function* notingFailure(): AsyncGenerator<Uint8Array> {
    try {
      yield* input;
    } catch (error) {
      broken = { error };
      throw error;
    }
  }
  try {
    yield* encoding === 'gzip' ? gunzipStream(notingFailure()) : unzstdStream(notingFailure());
  } catch (error) {
    if (broken !== undefined) throw broken.error;
    const why = error instanceof Error ? error.message : String(error);
    throw new InputError('failed', `${name}: damaged ${encoding} data: ${why}`, { cause: error });
  }
}

function gunzipStream(input: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
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

async function* unzstdStream(input: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
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
