import {
  BlockTooLarge,
  CsvDelimiterError,
  CsvHeaderError,
  type EncodeLimits,
  type EncodeOptions,
  type Familiar,
  LabelsError,
  type LockedSchema,
  OutOfMemoryError,
  type ColumnPlacement,
  type DictionaryHints,
} from '@millrace/events';
import { compileGoLayout, type GoLayout, GoLayoutError } from '@millrace/timestamps';
import { httpError } from '@millrace/api/errors';
import { freeMemory } from '@millrace/runtime/memory/free-memory';
import { decodeBody, isEncoded } from './compression/content-encoding.js';
import type { FormatOptions, FormatResult } from './formats/format.js';
import { bodyFormat, type FormatName } from './formats/body-formats.js';
import { detectCharset, detectUndeclaredCompression } from './content-sniffing.js';
import { refuseIf } from './assert-valid.js';
import type { DescribedTable } from './series/described-series.js';

/** Options of a request that determine how its body is parsed. */
export interface SentOptions {
  readonly contentType: string;
  readonly contentEncoding?: string;
  /** JSON object merged into every event; one character per byte, as Node delivers headers. */
  readonly labels?: string;
  /**
   * Column names of a CSV without a header line; one character per byte, as Node delivers headers.
   */
  readonly csvFields?: string;
  readonly csvDelimiter?: string;
  readonly timestampField?: string;
  /** Go reference layout. */
  readonly timestampFormat?: string;
  /** Which of a protocol's forms the body is in, for a protocol that has several. */
  readonly form?: string;
  /** The dataset to read, for bodies with events of several datasets. */
  readonly part?: Part;
}

/** The events of a body that are for one dataset. */
export interface Part {
  readonly dataset: string;
  /** Also reads the events that name no dataset. */
  readonly rest: boolean;
}

/** All options for parsing a body. Plain data, so that they can be sent to a thread. */
export interface BodyOptions extends SentOptions {
  readonly format: FormatName;
  /** Id of the dataset. */
  readonly dataset: number;
  readonly mapFields: ReadonlySet<string>;
  readonly schema?: LockedSchema;
  /** In shared memory. */
  readonly described?: DescribedTable;
  /** Nanoseconds since the epoch. */
  readonly arrival: bigint;
  readonly limits: BodyLimits;
  /**
   * Maximum bytes of the events, for formats that can expand. Default: the limit on a decompressed
   * body.
   */
  readonly maxEventBytes?: number;
}

export type BodyLimits = EncodeLimits & {
  readonly maxDecompressedBytes: number;
  /** Different fields that a dataset may have. */
  readonly maxDatasetFields?: number;
};

export interface EncodedBody {
  readonly encoded: FormatResult;
  /** Length of the body without its content encoding. */
  readonly bodyBytes: number;
}

interface EncodeHooks {
  readonly habits?: DictionaryHints;
  /** Fields that the dataset knows, which need not be reported. */
  readonly familiar?: Familiar | undefined;
  /**
   * Called before memory is allocated for a decompressed body, with its estimated size, again when
   * the size is known, and when the events of the body take more.
   */
  readonly expanded?: (bytes: number) => void;
}

/**
 * Encodes the body of a request as columns.
 * @throws HttpError when the body as a whole is invalid
 */
export function encodeBody(
  sent: Uint8Array,
  options: BodyOptions,
  placement: ColumnPlacement,
  { habits, familiar, expanded }: EncodeHooks = {},
): EncodedBody {
  const body = decodeBody(sent, options.contentEncoding, options.limits.maxDecompressedBytes, expanded);
  const encodeOptions: FormatOptions = {
    ...encodeOptionsOf(options, placement),
    ...(habits !== undefined && { habits }),
    ...(familiar !== undefined && { familiar }),
    ...(expanded !== undefined && { growing: (bytes) => expanded(body.byteLength + bytes) }),
  };
  try {
    expanded?.(body.byteLength);
    return { encoded: encodeAs(body, options, encodeOptions), bodyBytes: body.byteLength };
  } catch (error) {
    if (error instanceof BlockTooLarge) throw httpError('invalid-events', { problem: error.message }, { cause: error });
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

function encodeAs(body: Uint8Array, options: BodyOptions, encodeOptions: FormatOptions): FormatResult {
  refuseIf(detectUndeclaredCompression(body, isEncoded(options.contentEncoding)));
  refuseIf(detectCharset(body, options.contentType));
  return bodyFormat(options.format).encode(body, options, encodeOptions);
}

/**
 * Errors that reject a complete request, each with the part of the request to name if its message
 * does not.
 */
const refusals = [
  [LabelsError, 'X-Axiom-Event-Labels: '],
  [CsvHeaderError, ''],
  [CsvDelimiterError, 'csv-delimiter: '],
] as const;

function encodeOptionsOf(options: BodyOptions, placement: ColumnPlacement): EncodeOptions {
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
