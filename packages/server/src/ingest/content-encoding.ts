import { promisify } from 'node:util';
import * as zlib from 'node:zlib';
import { Decompress as ZstdStream } from 'fzstd';
import { httpError } from '../errors.js';

/** Content encodings of request bodies, by the names clients send. */

type Decoder = (body: Uint8Array, maxBytes: number) => Promise<Uint8Array>;

const gunzip = promisify<Uint8Array, zlib.ZlibOptions, Buffer>(zlib.gunzip);
const inflate = promisify<Uint8Array, zlib.ZlibOptions, Buffer>(zlib.inflate);
const brotli = promisify<Uint8Array, zlib.BrotliOptions, Buffer>(zlib.brotliDecompress);

const identity: Decoder = async (body) => body;

/** `1` and the empty string are how two official clients spell "none". */
const decoders: Readonly<Record<string, Decoder>> = {
  '': identity,
  '1': identity,
  identity,
  gzip: (body, maxOutputLength) => gunzip(body, { maxOutputLength }),
  'x-gzip': (body, maxOutputLength) => gunzip(body, { maxOutputLength }),
  deflate: (body, maxOutputLength) => inflate(body, { maxOutputLength }),
  br: (body, maxOutputLength) => brotli(body, { maxOutputLength }),
  zstd: unzstd,
};

const supported = 'gzip, zstd, deflate, br, identity';

/**
 * The body as it was before its encoding.
 * @throws HttpError for an unknown encoding, damaged data, or a result longer than `maxBytes`
 */
export async function decodeBody(
  body: Uint8Array,
  encoding: string | undefined,
  maxBytes: number,
): Promise<Uint8Array> {
  const name = (encoding ?? '').trim().toLowerCase();
  const decode = Object.hasOwn(decoders, name) ? decoders[name] : undefined;
  if (decode === undefined) throw httpError('unsupported-encoding', { encoding: name, supported });
  let decoded: Uint8Array;
  try {
    decoded = await decode(body, maxBytes);
  } catch (error) {
    if (isTooLong(error)) throw httpError('body-too-large', { limit: maxBytes });
    const problem = `the body is not valid ${name}: ${error instanceof Error ? error.message : 'damaged data'}`;
    throw httpError('invalid-request', { problem }, { cause: error });
  }
  if (decoded.byteLength > maxBytes) throw httpError('body-too-large', { limit: maxBytes });
  return decoded;
}

class TooLong extends Error {}

const isTooLong = (error: unknown): boolean =>
  error instanceof TooLong || (error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE');

/** Pushed in pieces, so that a small body that expands without end is noticed before it fills the memory. */
const zstdPieceBytes = 64 * 1024;

/** Node decodes zstd itself only from 22.15 on; fzstd is plain JavaScript at about the speed of gunzip. */
async function unzstd(body: Uint8Array, maxBytes: number): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  const stream = new ZstdStream((piece) => {
    bytes += piece.length;
    if (bytes > maxBytes) throw new TooLong();
    pieces.push(piece);
  });
  for (let at = 0; at < body.length; at += zstdPieceBytes)
    stream.push(body.subarray(at, at + zstdPieceBytes), at + zstdPieceBytes >= body.length);
  return pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces, bytes);
}
