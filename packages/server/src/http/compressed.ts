import { pipeline, type Readable } from 'node:stream';
import { promisify } from 'node:util';
import { constants, createGzip, gzip } from 'node:zlib';
import type { FastifyRequest } from 'fastify';
import type { Settings } from '../settings/settings.js';
import type { Answer } from './route.js';
import { isOwnAddress } from './connections/sender.js';

/**
 * Answers are sent smaller to those who can read that and are elsewhere: over a network an answer
 * takes longer to send than to compress, and on this machine the other way round. What is on its
 * way already made smaller, such as Parquet and files of the console, stays as it is.
 */

type Sized = Exclude<Answer, { readonly kind: 'empty' }>;

/**
 * The best that costs little: text becomes about a sixth, and what the higher levels win is not
 * worth their time.
 */
const level = 1;
const textual = /^(?:text\/|application\/(?:json|x-ndjson|[\w.-]+\+json))/;

/** Whether an answer is to be compressed. One that is streamed may be of any size. */
export function isCompressed({ compressAnswersFrom }: Settings, request: FastifyRequest, answer: Sized): boolean {
  if (compressAnswersFrom === 0 || isOwnAddress(request.ip) || !acceptsGzip(request.headers['accept-encoding']))
    return false;
  // A stream of unknown length needs chunks.
  if (request.raw.httpVersionMajor === 1 && request.raw.httpVersionMinor === 0) return false;
  if (Object.hasOwn(answer.headers, 'content-encoding')) return false;
  if (answer.kind === 'json') return true;
  return textual.test(answer.mediaType);
}

export const compressed: (content: string | Uint8Array) => Promise<Buffer> = (content) =>
  promisify(gzip)(content, { level });

/** Each chunk goes out as it comes: somebody may wait for that very event. */
export const compressedStream = (plain: Readable): Readable =>
  // Whichever ends early takes the other one along; who reads the answer hears of it.
  pipeline(plain, createGzip({ level, flush: constants.Z_SYNC_FLUSH }), () => undefined);

/** `gzip`, unless its weight is 0. What `*` stands for is left to those who mean it. */
function acceptsGzip(header: string | readonly string[] = ''): boolean {
  return String(header)
    .split(',')
    .map((coding) => coding.trim().toLowerCase())
    .some((coding) => /^gzip(?:\s*;\s*q=(?!0(?:\.0*)?$).*)?$/.test(coding));
}
