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
import { decodeBody } from './content-encoding.js';

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
}

export interface IngestOutcome {
  readonly encoded: EncodeResult;
  /** Decompressed body plus labels, as the interface counts it. */
  readonly processedBytes: number;
  /** Position in the log; absent when no event was stored. */
  readonly position?: bigint;
}

/**
 * Bytes → columns → log. Resolved means every counted event is fsynced.
 * @throws HttpError when the request as a whole is wrong, and what the storage throws when it cannot take it; single bad events are in
 * `encoded.failures`
 */
export async function ingest(request: IngestRequest, deps: IngestDependencies): Promise<IngestOutcome> {
  const body = await decodeBody(request.body, request.contentEncoding, deps.limits.maxDecompressedBytes);
  const arrival = deps.clock();
  const encoded = encode(body, request, { ...encodeOptions(request, deps.limits), arrivalTime: arrival });
  const labelBytes = request.labels?.length ?? 0;
  const processedBytes = body.byteLength + labelBytes;
  if (encoded.ingested === 0) return { encoded, processedBytes };
  const { position } = await deps.storage.append(request.dataset.stored, encoded, { arrival });
  return { encoded, processedBytes, position };
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
