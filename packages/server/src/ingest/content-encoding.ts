import * as zlib from 'node:zlib';
import { httpError } from '../errors.js';
import { plainWithEncoding } from './mislabelled.js';
import { TooLong } from './zstd-by-library.js';
import { unzstd } from './zstd.js';

/** Content encodings of request bodies, by the names clients send. */

type Decoder = (body: Uint8Array, maxBytes: number) => Uint8Array;

const identity: Decoder = (body) => body;
const gunzip: Decoder = (body, maxOutputLength) =>
  zlib.gunzipSync(body, { maxOutputLength, chunkSize: pieceOf(body, maxOutputLength) });

/** `1` and the empty string are how two official clients spell "none". */
const decoders: Readonly<Record<string, Decoder>> = {
  '': identity,
  '1': identity,
  identity,
  gzip: gunzip,
  'x-gzip': gunzip,
  deflate: inflate,
  // What OpenTelemetry's Collector calls it if it is told so.
  zlib: inflate,
  br: (body, maxOutputLength) => toTheEnd(body, zlib.brotliDecompressSync(body, { maxOutputLength, ...withEngine })),
  zstd: unzstd,
};

const supported = 'gzip, zstd, deflate, br, identity';

const nameOf = (encoding: string | undefined): string => (encoding ?? '').trim().toLowerCase();

function decoderOf(encoding: string | undefined): Decoder {
  const name = nameOf(encoding);
  const decode = Object.hasOwn(decoders, name) ? decoders[name] : undefined;
  if (decode === undefined) throw httpError('unsupported-encoding', { encoding: name, supported });
  return decode;
}

/**
 * Whether a body has to be decoded before it can be read.
 * @throws HttpError for an unknown encoding
 */
export const isEncoded = (encoding: string | undefined): boolean => decoderOf(encoding) !== identity;

/**
 * Undoes the content encoding of a body. Synchronous: call it only where nobody else has to wait.
 * @throws HttpError for an unknown encoding, damaged data, or a result longer than `maxBytes`
 */
export function decodeBody(body: Uint8Array, encoding: string | undefined, maxBytes: number): Uint8Array {
  const decode = decoderOf(encoding);
  // A client with nothing to send sends nothing, whatever its headers say.
  if (body.byteLength === 0) return body;
  let decoded: Uint8Array;
  try {
    decoded = decode(body, maxBytes);
  } catch (error) {
    if (isTooLong(error)) throw httpError('body-too-large', { limit: maxBytes });
    const name = nameOf(encoding);
    const problem =
      plainWithEncoding(body, name) ??
      `the body is not valid ${name}: ${error instanceof Error ? error.message : 'damaged data'}`;
    throw httpError('invalid-events', { problem }, { cause: error });
  }
  if (decoded.byteLength > maxBytes) throw httpError('body-too-large', { limit: maxBytes });
  return decoded;
}

/** Node's default for `chunkSize`. */
const shortPiece = 16 * 1024;
/** Deflate never expands a byte to more bytes than this. */
const mostGrowth = 1032;

/**
 * The length of the pieces gzip is decoded into: a single piece of the length that the end of the body announces. Short pieces, joined at the end, take
 * twice the memory and a third more work. The announced length may be wrong, so it is bounded by what is possible and allowed.
 */
function pieceOf(body: Uint8Array, maxBytes: number): number {
  const end = Buffer.from(body.buffer, body.byteOffset, body.byteLength).subarray(-4);
  const said = end.length < 4 ? 0 : end.readUInt32LE();
  // One byte more, because zlib begins another piece when one is exactly full.
  return Math.max(shortPiece, Math.min(said, mostGrowth * body.byteLength, maxBytes) + 1);
}

const isTooLong = (error: unknown): boolean =>
  error instanceof TooLong || (error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE');

/** HTTP requires a zlib header; some clients send raw deflate without one. */
function inflate(body: Uint8Array, maxOutputLength: number): Uint8Array {
  const isZlib = (body[0]! & 0x0f) === 8 && ((body[0]! << 8) | (body[1] ?? 0)) % 31 === 0;
  return toTheEnd(body, (isZlib ? zlib.inflateSync : zlib.inflateRawSync)(body, { maxOutputLength, ...withEngine }));
}

/** Makes zlib return {@link Decoded}; the declarations of Node know the option only in part. */
const withEngine = { info: true };

interface Decoded {
  readonly buffer: Uint8Array;
  /** `bytesWritten` are the bytes of the body that were decoded. */
  readonly engine: { readonly bytesWritten: number };
}

/** Unlike gzip, deflate and brotli are one stream: what follows its end would be left out without a word. */
function toTheEnd(body: Uint8Array, decoded: unknown): Uint8Array {
  const { buffer, engine } = decoded as Decoded;
  if (engine.bytesWritten < body.byteLength) throw new Error('there is more behind its end');
  return buffer;
}
