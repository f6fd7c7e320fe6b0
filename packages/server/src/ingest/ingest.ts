import {
  comma,
  compileGoLayout,
  csvDelimiter,
  CsvDelimiterError,
  CsvHeaderError,
  type CsvOptions,
  encodeCsv,
  type EncodeLimits,
  encodeJson,
  type EncodeOptions,
  type EncodeResult,
  GoLayoutError,
  LabelsError,
  type LockedSchema,
  parseHeaderFields,
} from '@millrace/events';
import { httpError } from '../errors.js';
import type { StoredDataset } from '../storage/dataset.js';
import type { Storage } from '../storage/storage.js';
import type { Idempotency } from '../storage/frame.js';
import { ingestStatus, type IngestStatus } from './answer.js';
import { decodeBody } from './content-encoding.js';
import { fingerprintOf, type IdempotentRequests, idempotencyOf, type IngestReply } from './idempotency.js';

/** One ingest request, parsed as far as headers and query go. */
export interface IngestRequest {
  readonly dataset: IngestTarget;
  readonly body: Uint8Array;
  readonly contentType: string;
  readonly contentEncoding?: string;
  /** JSON object merged into every event; one character a byte, as HTTP brings headers. */
  readonly labels?: string;
  /** Column names of a CSV without a header line. */
  readonly csvFields?: string;
  readonly csvDelimiter?: string;
  readonly timestampField?: string;
  /** Go reference layout. */
  readonly timestampFormat?: string;
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
  readonly limits: EncodeLimits & { readonly maxDecompressedBytes: number };
  /** Nanoseconds since the epoch. */
  readonly clock: () => bigint;
  readonly repeated: IdempotentRequests;
}

/**
 * Bytes → columns → log. Resolved means every counted event is fsynced.
 * @throws HttpError when the request as a whole is wrong, and what the storage throws when it cannot take it; single bad
 * events are in `failures`
 */
export function ingest(request: IngestRequest, deps: IngestDependencies): Promise<IngestReply> {
  const { idempotencyKey: key, dataset, body } = request;
  if (key === undefined) return store(request, deps);
  const fingerprint = fingerprintOf(body);
  return deps.repeated.run({
    datasetId: dataset.stored.id,
    key,
    fingerprint,
    find: () => deps.storage.answer(dataset.stored, key),
    store: () => store(request, deps, (status) => idempotencyOf(key, fingerprint, status)),
  });
}

async function store(
  request: IngestRequest,
  { storage, limits, clock }: IngestDependencies,
  remember?: (status: IngestStatus) => Idempotency,
): Promise<IngestReply> {
  const body = await decodeBody(request.body, request.contentEncoding, limits.maxDecompressedBytes);
  const arrival = clock();
  const encoded = encode(body, request, { ...encodeOptions(request, limits), arrivalTime: arrival });
  const processedBytes = body.byteLength + (request.labels?.length ?? 0);
  const status = ingestStatus(encoded, processedBytes, storage.pendingBytes);
  if (encoded.ingested === 0) return { status, repeated: false };
  const idempotency = remember?.(status);
  const { position } = await storage.append(request.dataset.stored, encoded, {
    arrival,
    ...(idempotency !== undefined && { idempotency }),
  });
  return { status, position, repeated: false };
}

function encode(body: Uint8Array, request: IngestRequest, options: EncodeOptions): EncodeResult {
  try {
    return isCsv(request.contentType)
      ? encodeCsv(body, csvOptions(request, options), options)
      : encodeJson(body, options);
  } catch (error) {
    const name = refusals.find(([type]) => error instanceof type)?.[1];
    if (name === undefined || !(error instanceof Error)) throw error;
    throw httpError('invalid-request', { problem: `${name}: ${error.message}` }, { cause: error });
  }
}

/** What makes a request wrong as a whole, and which part of it is meant. */
const refusals = [
  [LabelsError, 'X-Axiom-Event-Labels'],
  [CsvHeaderError, 'CSV header'],
  [CsvDelimiterError, 'csv-delimiter'],
] as const;

function csvOptions({ csvDelimiter: delimiter, csvFields }: IngestRequest, { limits }: EncodeOptions): CsvOptions {
  const header = csvFields === undefined ? undefined : parseHeaderFields(csvFields, limits.maxCsvColumns);
  return {
    delimiter: delimiter === undefined ? comma : csvDelimiter(delimiter),
    ...(header !== undefined && { header }),
  };
}

/** The formats of JSON are told apart by their bytes; CSV is told by the content type alone. */
const isCsv = (contentType: string): boolean => /^text\/csv\b/i.test(contentType.trim());

function encodeOptions(request: IngestRequest, limits: EncodeLimits): Omit<EncodeOptions, 'arrivalTime'> {
  const { dataset, labels, timestampField, timestampFormat } = request;
  return {
    mapFields: dataset.mapFields,
    placement: dataset.stored.placement,
    limits,
    ...(dataset.schema !== undefined && { schema: dataset.schema }),
    ...(labels !== undefined && { labels: Buffer.from(labels, 'latin1') }),
    ...(timestampField !== undefined && { timestampField }),
    ...(timestampFormat !== undefined && { parseTime: timeParser(timestampFormat) }),
  };
}

function timeParser(layout: string): (text: string) => bigint | undefined {
  try {
    return compileGoLayout(layout).parse;
  } catch (error) {
    if (!(error instanceof GoLayoutError)) throw error;
    throw httpError('invalid-request', { problem: `timestamp-format: ${error.message}` });
  }
}
