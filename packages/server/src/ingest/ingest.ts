import type { LockedSchema, Placement } from '@millrace/events';
import { HttpError } from '../errors.js';
import type { StoredDataset } from '../storage/fields/dataset.js';
import type { Storage } from '../storage/storage.js';
import type { Idempotency } from '../storage/frame.js';
import { ingestStatus, type IngestStatus } from './answer.js';
import { isEncoded } from './content-encoding.js';
import { type BodyLimits, type BodyOptions, encodeBody, type EncodedBody, type SentOptions } from './encode-body.js';
import type { Encoders } from './encoders.js';
import { fingerprintOf, type IdempotentRequests, idempotencyOf, type IngestReply } from './idempotency.js';

/** One ingest request, parsed as far as headers and query go. */
export interface IngestRequest {
  readonly dataset: IngestTarget;
  /** Gone afterwards. */
  readonly body: Uint8Array;
  readonly options: SentOptions;
  /** A request that comes again with the same key is answered again and not stored again. */
  readonly idempotencyKey?: string;
}

/** Where events go: the stored dataset and what its metadata says about ingest. */
export interface IngestTarget {
  readonly name: string;
  readonly stored: StoredDataset;
  readonly mapFields: ReadonlySet<string>;
  readonly schema?: LockedSchema;
}

export interface IngestDependencies {
  readonly storage: Storage;
  readonly encoders: Pick<Encoders, 'encode' | 'pendingBytes'>;
  readonly limits: BodyLimits;
  /** Nanoseconds since the epoch. */
  readonly clock: () => bigint;
  readonly repeated: IdempotentRequests;
}

/**
 * Bytes → columns → log. Resolved means every counted event is fsynced.
 * @throws HttpError when the request as a whole is wrong, and what the storage throws when it cannot take it; single bad
 * events are in `failures`
 */
export async function ingest(request: IngestRequest, deps: IngestDependencies): Promise<IngestReply> {
  const { idempotencyKey: key, dataset, body, options } = request;
  if (key === undefined) return store(request, deps);
  const fingerprint = await fingerprintOf(body, options);
  return deps.repeated.run({
    datasetId: dataset.stored.id,
    key,
    fingerprint,
    find: () => deps.storage.intake.answer(dataset.stored, key),
    store: () => store(request, deps, (status) => idempotencyOf(key, fingerprint, status)),
  });
}

async function store(
  request: IngestRequest,
  deps: IngestDependencies,
  remember?: (status: IngestStatus) => Idempotency,
): Promise<IngestReply> {
  const { storage, clock } = deps;
  const arrival = clock();
  const { encoded, bodyBytes } = await encode(request, arrival, deps);
  const processedBytes = bodyBytes + (request.options.labels?.length ?? 0);
  const status = ingestStatus(encoded, processedBytes, storage.pendingBytes);
  if (encoded.ingested === 0) return { status, repeated: false };
  const idempotency = remember?.(status);
  const { position } = await storage.intake.append(request.dataset.stored, encoded, {
    arrival,
    ...(idempotency !== undefined && { idempotency }),
  });
  return { status, position, repeated: false };
}

/** A body of this size takes about a millisecond to encode, a tenth of which it costs to hand it to a thread. */
const threadFromBytes = 256 * 1024;

/** OTLP takes longer to read. */
const otlpThreadFromBytes = 16 * 1024;

/** What can take long is encoded in a thread: large bodies, and those of which nobody knows yet how large they are. */
async function encode(
  { dataset, body, options }: IngestRequest,
  arrival: bigint,
  { encoders, limits }: IngestDependencies,
): Promise<EncodedBody> {
  const { stored, mapFields, schema } = dataset;
  const given = { ...options, ...(schema !== undefined && { schema }) };
  const how: BodyOptions = { ...given, dataset: stored.id, mapFields, arrival, limits };
  // Asked for when the columns are placed: a vacuum makes a new one.
  const placement: Placement = { place: (batch) => stored.placement.place(batch) };
  const threadFrom = options.signal === undefined ? threadFromBytes : otlpThreadFromBytes;
  if (body.byteLength >= threadFrom || isEncoded(options.contentEncoding)) return encoders.encode(body, how, placement);
  return options.signal === undefined || limits.maxDecompressedBytes <= threadFromBytes
    ? encodeBody(body, how, placement)
    : encodeUnlessItGrows(body, how, placement, encoders);
}

/**
 * What a body of OTLP says once of a resource becomes a part of each record, so that a small one may be long work: sixteen kilobytes become thirty
 * megabytes. How much it is shows while it is unpacked; then it begins again in a thread.
 */
async function encodeUnlessItGrows(
  body: Uint8Array,
  how: BodyOptions,
  placement: Placement,
  encoders: IngestDependencies['encoders'],
): Promise<EncodedBody> {
  try {
    return encodeBody(body, { ...how, maxEventBytes: threadFromBytes }, placement);
  } catch (error) {
    // Nothing has been placed: that comes after all of it is unpacked.
    if (error instanceof HttpError && error.code === 'events-too-large') return encoders.encode(body, how, placement);
    throw error;
  }
}
