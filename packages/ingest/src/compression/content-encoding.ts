import * as zlib from 'node:zlib';
import { httpError } from '@millrace/api/errors';
import { detectFalseContentEncoding } from '../content-sniffing.js';
import { TooLong } from './zstd-by-library.js';
import { unzstd } from './zstd.js';

/** Content encodings of request bodies, by the names clients send. */

interface DecodeLimits {
  readonly maxBytes: number;
  /**
   * Called with a number of bytes before memory is allocated; again if there turn out to be more.
   */
  readonly expects: (bytes: number) => void;
}

type Decoder = (body: Uint8Array, limits: DecodeLimits) => Uint8Array;

const identity: Decoder = (body) => body;
const gunzip: Decoder = (body, limits) => {
  const max = Math.min(maxGrowth * body.byteLength, limits.maxBytes);
  return inOnePiece(limits, Math.min(announcedSize(body), max), max, (options) => zlib.gunzipSync(body, options));
};

/** `1` and the empty string are how two official clients spell "none". */
const decoders: Readonly<Record<string, Decoder>> = {
  '': identity,
  '1': identity,
  identity,
  gzip: gunzip,
  'x-gzip': gunzip,
  deflate: inflate,
  // The name that OpenTelemetry's Collector uses if configured so.
  zlib: inflate,
  br: (body, limits) =>
    inOnePiece(limits, usualGrowth * body.byteLength, limits.maxBytes, (options) =>
      toTheEnd(body, zlib.brotliDecompressSync(body, { ...options, ...withEngine })),
    ),
  zstd: (body, { maxBytes, expects }) => unzstd(body, maxBytes, expects),
};

const supportedEncodings = 'gzip, zstd, deflate, br, identity';

const nameOf = (encoding: string | undefined): string => (encoding ?? '').trim().toLowerCase();

function decoderOf(encoding: string | undefined): Decoder {
  const name = nameOf(encoding);
  const decode = Object.hasOwn(decoders, name) ? decoders[name] : undefined;
  if (decode === undefined) throw httpError('unsupported-encoding', { encoding: name, supported: supportedEncodings });
  return decode;
}

/**
 * Whether a body has an encoding that must be decoded.
 * @throws HttpError for an unknown encoding
 */
export const isEncoded = (encoding: string | undefined): boolean => decoderOf(encoding) !== identity;

/**
 * Decodes the content encoding of a body. Synchronous: call it only in a worker thread or for small
 * bodies.
 * @param expects called with a number of bytes before memory is allocated; again if there turn out
 * to be more
 * @throws HttpError for an unknown encoding, damaged data, or a result longer than `maxBytes`
 */
export function decodeBody(
  body: Uint8Array,
  encoding: string | undefined,
  maxBytes: number,
  expects: (bytes: number) => void = () => undefined,
): Uint8Array {
  const decode = decoderOf(encoding);
  // Clients with nothing to send send an empty body, whatever the headers say.
  if (body.byteLength === 0) return body;
  let decoded: Uint8Array;
  try {
    decoded = decode(body, { maxBytes, expects });
  } catch (error) {
    if (isTooLong(error)) throw httpError('body-too-large', { limit: maxBytes });
    const name = nameOf(encoding);
    const problem =
      detectFalseContentEncoding(body, name) ??
      `the body is not valid ${name}: ${error instanceof Error ? error.message : 'damaged data'}`;
    throw httpError('invalid-events', { problem }, { cause: error });
  }
  if (decoded.byteLength > maxBytes) throw httpError('body-too-large', { limit: maxBytes });
  return decoded;
}

/**
 * Deflate never expands a byte to more bytes than this; events usually become no more than the
 * second.
 */
const maxGrowth = 1032;
const usualGrowth = 16;
/** zlib takes no smaller pieces. */
const shortestPiece = 64;

/** The length that the end of a gzip announces. It may be wrong, and is for concatenated gzips. */
function announcedSize(body: Uint8Array): number {
  const end = Buffer.from(body.buffer, body.byteOffset, body.byteLength).subarray(-4);
  return end.length < 4 ? 0 : end.readUInt32LE();
}

/**
 * Decodes into a single buffer. Joining chunks at the end takes twice the memory and a third more
 * work, and small chunks leave memory that is not returned to the system. If the expected length is
 * too short, decodes everything again.
 */
function inOnePiece(
  { expects }: DecodeLimits,
  expected: number,
  max: number,
  decode: (options: { readonly maxOutputLength: number; readonly chunkSize: number }) => Uint8Array,
): Uint8Array {
  for (const length of expected < max ? [expected, max] : [max]) {
    expects(length);
    try {
      const maxOutputLength = Math.max(1, length);
      // One byte more, because zlib allocates another buffer when one is exactly full.
      return decode({ maxOutputLength, chunkSize: Math.max(shortestPiece, length + 1) });
    } catch (error) {
      if (!isTooLong(error) || length === max) throw error;
    }
  }
  throw new TooLong();
}

const isTooLong = (error: unknown): boolean =>
  error instanceof TooLong || (error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE');

/** HTTP requires a zlib header; some clients send raw deflate without one. */
function inflate(body: Uint8Array, limits: DecodeLimits): Uint8Array {
  const isZlib = (body[0]! & 0x0f) === 8 && ((body[0]! << 8) | (body[1] ?? 0)) % 31 === 0;
  const max = Math.min(maxGrowth * body.byteLength, limits.maxBytes);
  return inOnePiece(limits, usualGrowth * body.byteLength, max, (options) =>
    toTheEnd(body, (isZlib ? zlib.inflateSync : zlib.inflateRawSync)(body, { ...options, ...withEngine })),
  );
}

/** Makes zlib return {@link DecodedBody}; Node's type declarations of the option are incomplete. */
const withEngine = { info: true };

interface DecodedBody {
  readonly buffer: Uint8Array;
  /** `bytesWritten` are the bytes of the body that were decoded. */
  readonly engine: { readonly bytesWritten: number };
}

/**
 * Rejects trailing data: unlike gzip, deflate and brotli are a single stream, and bytes after its
 * end would be dropped silently.
 */
function toTheEnd(body: Uint8Array, decoded: unknown): Uint8Array {
  const { buffer, engine } = decoded as DecodedBody;
  if (engine.bytesWritten < body.byteLength) throw new Error('there is more behind its end');
  return buffer;
}
