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
  type GoLayout,
  GoLayoutError,
  LabelsError,
  type LockedSchema,
  OutOfMemoryError,
  parseHeaderFields,
  type Placement,
  type TextHabits,
} from '@millrace/events';
import { httpError } from '../errors.js';
import { freeMemory } from '../memory/free-memory.js';
import { decodeBody, isEncoded } from './content-encoding.js';
import { formatOf } from './media-types.js';
import {
  hintAtCsv,
  inOtherCharset,
  jsonAsCsv,
  namelessCsv,
  notUtf8,
  otherOtlpFormat,
  packedWithoutSaying,
} from './mislabelled.js';
import { encodeOtlp } from './otlp/encode-otlp.js';
import type { Signal } from './otlp/signal.js';

/** What a request says about how its body is to be read. */
export interface SentOptions {
  readonly contentType: string;
  /** Set for an OTLP body. */
  readonly signal?: Signal;
  readonly contentEncoding?: string;
  /** JSON object merged into every event; one character per byte, as Node delivers headers. */
  readonly labels?: string;
  /** Column names of a CSV without a header line; one character per byte, as Node delivers headers. */
  readonly csvFields?: string;
  readonly csvDelimiter?: string;
  readonly timestampField?: string;
  /** Go reference layout. */
  readonly timestampFormat?: string;
}

/** Everything that says how a body is to be read. Plain data, so it can be sent to a thread. */
export interface BodyOptions extends SentOptions {
  /** Id of the dataset. */
  readonly dataset: number;
  readonly mapFields: ReadonlySet<string>;
  readonly schema?: LockedSchema;
  /** Nanoseconds since the epoch. */
  readonly arrival: bigint;
  readonly limits: BodyLimits;
  /** Most bytes that the records of an OTLP body may become, each with its resource and scope. Default: the limit on a decompressed body. */
  readonly maxEventBytes?: number;
}

export type BodyLimits = EncodeLimits & { readonly maxDecompressedBytes: number };

export interface EncodedBody {
  readonly encoded: EncodeResult;
  /** Length of the body without its content encoding. */
  readonly bodyBytes: number;
}

/**
 * Bytes of a request → columns.
 * @throws HttpError when the body as a whole is wrong
 */
export function encodeBody(
  sent: Uint8Array,
  options: BodyOptions,
  placement: Placement,
  habits?: TextHabits,
): EncodedBody {
  const encodeOptions = { ...encodeOptionsOf(options, placement), ...(habits !== undefined && { habits }) };
  const body = decodeBody(sent, options.contentEncoding, options.limits.maxDecompressedBytes);
  try {
    return { encoded: encodeAs(body, options, encodeOptions), bodyBytes: body.byteLength };
  } catch (error) {
    if (error instanceof OutOfMemoryError) throw httpError('out-of-memory', {}, { cause: error });
    const part = refusals.find(([type]) => error instanceof type)?.[1];
    if (part === undefined || !(error instanceof Error)) throw error;
    const ofBody = error instanceof CsvHeaderError && options.csvFields === undefined;
    const problem = `${part}${error.message}`;
    throw httpError(ofBody ? 'invalid-events' : 'invalid-request', { problem }, { cause: error });
  } finally {
    if (body !== sent) freeMemory(body.buffer);
  }
}

function encodeAs(body: Uint8Array, options: BodyOptions, encodeOptions: EncodeOptions): EncodeResult {
  const {
    signal,
    contentType,
    contentEncoding,
    csvFields,
    limits,
    maxEventBytes = limits.maxDecompressedBytes,
  } = options;
  refuseIf(packedWithoutSaying(body, isEncoded(contentEncoding)));
  refuseIf(inOtherCharset(body, contentType));
  if (signal !== undefined) {
    refuseIf(otherOtlpFormat(body, contentType));
    return encodeOtlp(body, { ...encodeOptions, signal, contentType, maxEventBytes });
  }
  if (formatOf(contentType) === 'csv') {
    // If the columns are named in a header, a line may be anything, even JSON to be kept as text.
    if (csvFields === undefined) refuseIf(namelessCsv(contentType) ?? jsonAsCsv(body));
    return encodeCsv(body, csvOptions(options), encodeOptions);
  }
  refuseIf(notUtf8(body));
  return hintAtCsv(body, encodeJson(body, encodeOptions));
}

function refuseIf(problem: string | undefined): void {
  if (problem !== undefined) throw httpError('invalid-events', { problem });
}

/** Errors that make a whole request wrong, each with the part of the request to name where its message does not. */
const refusals = [
  [LabelsError, 'X-Axiom-Event-Labels: '],
  [CsvHeaderError, ''],
  [CsvDelimiterError, 'csv-delimiter: '],
] as const;

function csvOptions({ csvDelimiter: delimiter, csvFields, limits }: BodyOptions): CsvOptions {
  const header =
    csvFields === undefined
      ? undefined
      : parseHeaderFields(Buffer.from(csvFields, 'latin1').toString(), limits.maxCsvColumns);
  return {
    delimiter: delimiter === undefined ? comma : csvDelimiter(delimiter),
    ...(header !== undefined && { header }),
  };
}

function encodeOptionsOf(options: BodyOptions, placement: Placement): EncodeOptions {
  const { labels, timestampField, timestampFormat, mapFields, schema, limits, arrival } = options;
  return {
    arrivalTime: arrival,
    mapFields,
    placement,
    limits,
    ...(schema !== undefined && { schema }),
    ...(labels !== undefined && { labels: Buffer.from(labels, 'latin1') }),
    ...(timestampField !== undefined && { timestampField }),
    ...(timestampFormat !== undefined && { parseTime: timeParser(timestampFormat) }),
  };
}

function timeParser(layout: string): GoLayout['parse'] {
  try {
    return compileGoLayout(layout).parse;
  } catch (error) {
    if (!(error instanceof GoLayoutError)) throw error;
    throw httpError('invalid-request', { problem: `timestamp-format: ${error.message}` });
  }
}
