import { pipeline, type Readable } from 'node:stream';
import { promisify } from 'node:util';
import { constants, createGzip, gzip } from 'node:zlib';
import type { FastifyRequest } from 'fastify';
import type { Settings } from './settings/settings.js';
import type { RouteResponse } from './route.js';
import { isOwnAddress } from './connections/sender.js';

/**
 * Compression of responses, for remote clients that accept gzip: over a network, sending takes
 * longer than compressing; on the same machine the reverse is true. Content that is already
 * compressed, such as Parquet and files of the console, is sent unchanged.
 */

type BodyResponse = Exclude<RouteResponse, { readonly kind: 'empty' }>;

/**
 * The cheapest level: text shrinks to about a sixth, and higher levels gain too little for their
 * time.
 */
const level = 1;
const textual = /^(?:text\/|application\/(?:json|x-ndjson|[\w.-]+\+json))/;

/** Whether to compress a response. Streams are compressed at any size. */
export function isCompressed(
  { compressAnswersFrom }: Settings,
  request: FastifyRequest,
  answer: BodyResponse,
): boolean {
  if (compressAnswersFrom === 0 || isOwnAddress(request.ip) || !acceptsGzip(request.headers['accept-encoding']))
    return false;
  // A stream of unknown length needs chunks.
  if (request.raw.httpVersionMajor === 1 && request.raw.httpVersionMinor === 0) return false;
  if (Object.hasOwn(answer.headers, 'content-encoding')) return false;
  if (answer.kind === 'json') return true;
  return textual.test(answer.mediaType);
}

export const compress: (content: string | Uint8Array) => Promise<Buffer> = (content) =>
  promisify(gzip)(content, { level });

/** Compresses a stream and flushes after each chunk: a client may be waiting for that event. */
export const compressedStream = (plain: Readable): Readable =>
  // If either stream ends early, the other is destroyed; the reader of the response gets the error.
  pipeline(plain, createGzip({ level, flush: constants.Z_SYNC_FLUSH }), () => undefined);

/** Whether the header allows `gzip` with a weight above 0. Ignores `*`. */
function acceptsGzip(header: string | readonly string[] = ''): boolean {
  return String(header)
    .split(',')
    .map((coding) => coding.trim().toLowerCase())
    .some((coding) => /^gzip(?:\s*;\s*q=(?!0(?:\.0*)?$).*)?$/.test(coding));
}
