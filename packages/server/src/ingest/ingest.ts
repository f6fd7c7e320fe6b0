import type { ArrivalClock } from '../arrival-clock.js';
import { atOnce, type LockedSchema, type SteppedPlacement } from '@millrace/events';
import { HttpError } from '../errors.js';
import type { StoredDataset } from '../storage/fields/dataset.js';
import type { EventStorage } from '../storage/event-storage.js';
import type { Idempotency } from '../storage/frame.js';
import { fieldsWithRoom } from '../storage/fields/room.js';
import { ingestStatus, type IngestStatus } from './answer.js';
import { isEncoded } from './compression/content-encoding.js';
import { type BodyLimits, type BodyOptions, encodeBody, type EncodedBody, type SentOptions } from './encode-body.js';
import type { BodySender, Encoders } from './encoders.js';
import { type FormatResult, type Told, usualThreadFrom } from './formats/format.js';
import { bodyFormat, detectFormat, type FormatName } from './formats/body-formats.js';
import { fingerprintOf, type IdempotentRequests, idempotencyOf } from './idempotency.js';
import type { IngestReply } from './ingest-reply.js';

/** One ingest request, with headers and query parsed and the body as it came. */
export interface IngestRequest {
  readonly dataset: IngestTarget;
  /** May be transferred to a thread, so it cannot be used afterwards. */
  readonly body: Uint8Array;
  /** The formats that the route takes; the content type says which of them the body is in. */
  readonly formats: readonly FormatName[];
  readonly options: SentOptions;
  /** Who sends it; nobody, if the server does. */
  readonly sender?: BodySender;
  /** If a request comes again with the same key, it is answered again but not stored again. */
  readonly idempotencyKey?: string;
}

/** The dataset events go to, with what its metadata says about ingest. */
export interface IngestTarget {
  readonly name: string;
  readonly stored: StoredDataset;
  readonly mapFields: ReadonlySet<string>;
  readonly schema?: LockedSchema;
}

export interface IngestDependencies {
  readonly storage: EventStorage;
  readonly encoders: Pick<Encoders, 'encode' | 'takenBy'>;
  readonly limits: BodyLimits;
  readonly arrivalClock: ArrivalClock;
  readonly repeated: IdempotentRequests;
}

/**
 * Turns bytes into columns and appends them to the log. Once it resolves, every event counted as
 * ingested is fsynced.
 * @throws HttpError when the request as a whole is wrong, and errors of the storage when it cannot
 * take the events; single bad events are listed in `failures`
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

/**
 * What the answer would be, without storing anything or using the body up.
 * @throws HttpError when the request as a whole is wrong
 */
export async function tryOut(request: IngestRequest, deps: IngestDependencies): Promise<IngestReply> {
  const copy = { ...request, body: new Uint8Array(request.body) };
  const { encoded, status } = await read(copy, deps.arrivalClock(), deps);
  return { status, ...toldBy(encoded), repeated: false };
}

async function store(
  request: IngestRequest,
  deps: IngestDependencies,
  remember?: (status: IngestStatus) => Idempotency,
): Promise<IngestReply> {
  const { storage, arrivalClock } = deps;
  const arrival = arrivalClock();
  const { encoded, status } = await read(request, arrival, deps);
  const told = toldBy(encoded);
  if (encoded.ingested === 0) return { status, ...told, repeated: false };
  const idempotency = remember?.(status);
  const { position, repeated = false } = await storage.intake.append(request.dataset.stored, encoded, {
    arrival,
    ...(request.sender !== undefined && { party: request.sender.token }),
    ...(idempotency !== undefined && { idempotency }),
  });
  return { status, ...told, position, repeated };
}

const toldBy = ({ items, others }: FormatResult): Told => ({
  ...(items !== undefined && { items }),
  ...(others !== undefined && { others }),
});

async function read(
  request: IngestRequest,
  arrival: bigint,
  deps: IngestDependencies,
): Promise<{ readonly encoded: FormatResult; readonly status: IngestStatus }> {
  const { encoded, bodyBytes } = await encode(request, arrival, deps);
  const processedBytes = bodyBytes + (request.options.labels?.length ?? 0);
  return { encoded, status: ingestStatus(encoded, processedBytes, deps.storage.pendingBytes) };
}

/**
 * Bodies that may take long are encoded in a thread: large ones, and compressed ones, whose size is
 * not known yet.
 */
async function encode(
  { dataset, body, formats, options, sender }: IngestRequest,
  arrival: bigint,
  { encoders, limits }: IngestDependencies,
): Promise<EncodedBody> {
  const { stored, mapFields, schema } = dataset;
  const format = detectFormat(formats, options.contentType);
  const { threadFrom, grows } = bodyFormat(format);
  const given = { ...options, format, ...(schema !== undefined && { schema }) };
  const how: BodyOptions = { ...given, dataset: stored.id, mapFields, arrival, limits };
  // `stored.placement` is read at the time of placing, because a vacuum replaces it.
  const placement: SteppedPlacement = {
    *placing(batch) {
      return (
        (yield* fieldsWithRoom(stored.fields, batch, limits.maxDatasetFields ?? Infinity)) ??
        (yield* stored.placement.placing(batch))
      );
    },
    place: (batch) => atOnce(placement.placing(batch)),
  };
  const here = (options: BodyOptions): EncodedBody =>
    encodeBody(body, options, placement, { familiar: stored.familiar });
  const inThread = (sent: Uint8Array): Promise<EncodedBody> => encoders.encode(sent, how, placement, sender);
  if (body.byteLength >= threadFrom || isEncoded(options.contentEncoding)) return inThread(body);
  return grows === true && limits.maxDecompressedBytes > usualThreadFrom
    ? encodeUnlessItGrows(
        () => here({ ...how, maxEventBytes: usualThreadFrom }),
        () => inThread(body),
      )
    : here(how);
}

/**
 * Encodes a small body here unless its events turn out to be large: sixteen kilobytes of OTLP can
 * become thirty megabytes, because a resource becomes a part of every record. That shows while the
 * body is unpacked, and then encoding begins again in a thread.
 */
async function encodeUnlessItGrows(
  here: () => EncodedBody,
  inThread: () => Promise<EncodedBody>,
): Promise<EncodedBody> {
  try {
    return here();
  } catch (error) {
    // No columns have been placed yet, because that comes after unpacking.
    if (error instanceof HttpError && error.code === 'events-too-large') return inThread();
    throw error;
  }
}
