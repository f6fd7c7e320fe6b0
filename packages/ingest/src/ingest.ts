import type { ArrivalClock } from '@millrace/runtime/arrival-clock';
import { atOnce, type LockedSchema, type SteppedPlacement } from '@millrace/events';
import { HttpError } from '@millrace/api/errors';
import type { StoredDataset } from '@millrace/storage/fields/dataset';
import type { EventStorage } from '@millrace/storage/event-storage';
import type { Idempotency } from '@millrace/storage/frame';
import { fieldsWithRoom } from '@millrace/storage/fields/column-capacity';
import { ingestStatus, type IngestStatus } from './response.js';
import { DescribedSeries } from './series/described-series.js';
import { isEncoded } from './compression/content-encoding.js';
import { type BodyLimits, type BodyOptions, encodeBody, type EncodedBody, type SentOptions } from './encode-body.js';
import type { BodySender, Encoders } from './encoders.js';
import { type FormatResult, type FormatMetadata, threadFromBytes } from './formats/format.js';
import { bodyFormat, detectFormat, type FormatName, takesTimeField } from './formats/body-formats.js';
import { digestOf, fingerprintOf, type IdempotentRequests, idempotencyOf } from './idempotency.js';
import type { IngestReply } from './ingest-reply.js';

/** One ingest request, with parsed headers and query and the raw body. */
export interface IngestRequest {
  readonly dataset: IngestTarget;
  /** May be transferred to a thread, so it cannot be used afterwards. */
  readonly body: Uint8Array;
  /** The formats that the route accepts; the content type selects one. */
  readonly formats: readonly FormatName[];
  readonly options: SentOptions;
  /** The sender; undefined if the server is the sender. */
  readonly sender?: BodySender;
  /** A repeated request with the same key gets the stored reply and is not stored again. */
  readonly idempotencyKey?: string;
}

/** The dataset that events go to, with its ingest metadata. */
export interface IngestTarget {
  readonly name: string;
  readonly stored: StoredDataset;
  readonly mapFields: ReadonlySet<string>;
  readonly schema?: LockedSchema;
  /** Field that supplies the time of events whose request names none. */
  readonly timeField?: string | undefined;
}

export interface IngestDependencies {
  readonly storage: EventStorage;
  readonly encoders: Pick<Encoders, 'encode' | 'usageOf'>;
  readonly limits: BodyLimits;
  readonly arrivalClock: ArrivalClock;
  readonly repeated: IdempotentRequests;
  /**
   * Checks the quotas of the organization. Default: it has none.
   * @throws HttpError `org-quota-reached`
   */
  readonly requireQuota?: () => void;
}

/**
 * Encodes a body as columns and appends them to the log. Once it resolves, every event counted as
 * ingested is fsynced.
 * @throws HttpError when the request as a whole is invalid, and errors of the storage when it
 * cannot accept the events; invalid events are listed in `failures`
 */
export async function ingest(request: IngestRequest, deps: IngestDependencies): Promise<IngestReply> {
  const { idempotencyKey: key, dataset, body, options } = request;
  if (key === undefined && !deps.storage.intake.recognizesRepetitions) return store(request, deps);
  const fingerprint = await fingerprintOf(body, options);
  if (key === undefined) return store(request, deps, { digest: digestOf(fingerprint, request.sender) });
  return deps.repeated.run({
    datasetId: dataset.stored.id,
    key,
    fingerprint,
    find: () => deps.storage.intake.answer(dataset.stored, key),
    store: () => store(request, deps, { remember: (status) => idempotencyOf(key, fingerprint, status) }),
  });
}

/**
 * Computes the reply without storing anything or consuming the body.
 * @throws HttpError when the request as a whole is invalid
 */
export async function dryRun(request: IngestRequest, deps: IngestDependencies): Promise<IngestReply> {
  const copy = { ...request, body: new Uint8Array(request.body) };
  const { encoded, status } = await read(copy, deps.arrivalClock(), deps);
  return { status, ...metadataOf(encoded), repeated: false };
}

/** How a repetition of a request is recognized: by its key, or by its content. */
interface Recognition {
  readonly remember?: (status: IngestStatus) => Idempotency;
  readonly digest?: string;
}

async function store(
  request: IngestRequest,
  deps: IngestDependencies,
  { remember, digest }: Recognition = {},
): Promise<IngestReply> {
  const { storage, arrivalClock } = deps;
  const arrival = arrivalClock();
  const { encoded, status } = await read(request, arrival, deps);
  const listener = metadataOf(encoded);
  if (encoded.ingested === 0) return { status, ...listener, repeated: false };
  const idempotency = remember?.(status);
  const { described } = encoded;
  const { position, repeated = false } = await storage.intake.append(request.dataset.stored, encoded, {
    arrival,
    ...(request.sender !== undefined && { party: request.sender.token }),
    ...(idempotency !== undefined && { idempotency }),
    ...(digest !== undefined && { digest }),
  });
  if (described !== undefined) describedOf(request.dataset.stored).add(described);
  return { status, ...listener, position, repeated };
}

const describedSeries = new WeakMap<StoredDataset, DescribedSeries>();

/** The series that batches of a dataset need not describe. */
function describedOf(dataset: StoredDataset): DescribedSeries {
  const known = describedSeries.get(dataset) ?? new DescribedSeries();
  describedSeries.set(dataset, known);
  return known;
}

const metadataOf = ({ items, others }: FormatResult): FormatMetadata => ({
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
  const { stored, mapFields, schema, timeField } = dataset;
  const format = detectFormat(formats, options.contentType);
  const { threadFrom, grows, describesSeries } = bodyFormat(format);
  const given = {
    ...options,
    format,
    ...(schema !== undefined && { schema }),
    ...(timeField !== undefined &&
      options.timestampField === undefined &&
      takesTimeField(format) && { timestampField: timeField }),
    ...(describesSeries === true && { described: describedOf(stored).table }),
  };
  const how: BodyOptions = { ...given, dataset: stored.id, mapFields, arrival, limits };
  // `stored.placement` is read at the time of placing, because a vacuum replaces it.
  const placement: SteppedPlacement = {
    *placeColumns(batch) {
      return (
        (yield* fieldsWithRoom(stored.fields, batch, limits.maxDatasetFields ?? Infinity)) ??
        (yield* stored.placement.placeColumns(batch))
      );
    },
    place: (batch) => atOnce(placement.placeColumns(batch)),
  };
  const here = (options: BodyOptions): EncodedBody =>
    encodeBody(body, options, placement, { familiar: stored.familiar });
  const inThread = (sent: Uint8Array): Promise<EncodedBody> => encoders.encode(sent, how, placement, sender);
  if (body.byteLength >= threadFrom || isEncoded(options.contentEncoding)) return inThread(body);
  return grows === true && limits.maxDecompressedBytes > threadFromBytes
    ? encodeUnlessItGrows(
        () => here({ ...how, maxEventBytes: threadFromBytes }),
        () => inThread(body),
      )
    : here(how);
}

/**
 * Encodes a small body here unless its events turn out to be large: sixteen kilobytes of OTLP can
 * expand to thirty megabytes, because a resource is repeated in every record. Unpacking detects
 * that, and then encoding restarts in a thread.
 */
async function encodeUnlessItGrows(
  here: () => EncodedBody,
  inThread: () => Promise<EncodedBody>,
): Promise<EncodedBody> {
  try {
    return here();
  } catch (error) {
    // No columns have been placed yet: that follows unpacking.
    if (error instanceof HttpError && error.code === 'events-too-large') return inThread();
    throw error;
  }
}
