import { encodeJson, type EncodeOptions, type Failure } from '@millrace/events';
import { freeMemory } from '@millrace/runtime/memory/free-memory';
import type { JsonBytes } from '../bytes/json-bytes.js';
import type { FormatResult } from '../formats/format.js';
import { SeriesRows } from './row-writer.js';

/** Longest text of the tags of a series, which is one value. */
const longestTags = 1_000_000;

/** Collects data points that cannot be stored. */
class RejectedPoints {
  readonly failures: Failure[] = [];
  count = 0;
  readonly #options: Pick<EncodeOptions, 'arrivalTime' | 'limits'>;

  constructor(options: Pick<EncodeOptions, 'arrivalTime' | 'limits'>) {
    this.#options = options;
  }

  add = (error: string, points = 1): void => {
    const { limits, arrivalTime } = this.#options;
    if (this.failures.length < limits.maxFailuresReported)
      this.failures.push({ index: this.count, offset: 0, time: arrivalTime, error });
    this.count += points;
  };
}

/**
 * Encodes the points that `write` writes. Counts are of data points, not of rows: a histogram has
 * several, and series have separate rows.
 * @param write returns details for the response
 */
export function encodeRows(
  lines: JsonBytes,
  options: EncodeOptions & { readonly described?: BigInt64Array },
  write: (rows: SeriesRows, rejected: RejectedPoints) => void | Pick<FormatResult, 'items'>,
): FormatResult {
  const rows = new SeriesRows(lines, Number(options.arrivalTime / 1_000_000n), options.described);
  const rejected = new RejectedPoints(options);
  const details = write(rows, rejected);
  // The fields are fixed: neither a schema nor labels of the dataset apply to them.
  const { schema: _schema, labels: _labels, ...others } = options;
  const limits = { ...options.limits, maxValueBytes: Math.max(options.limits.maxValueBytes, longestTags) };
  const written = lines.writtenBytes();
  try {
    const encoded = encodeJson(written, { ...others, limits, mapFields: new Set() });
    return {
      ...encoded,
      ...details,
      ingested: encoded.ingested === 0 ? 0 : rows.points,
      ...(encoded.failed === 0 && { described: BigInt64Array.from(rows.describedKeys) }),
      failed: rejected.count + encoded.failed,
      failures: [...rejected.failures, ...encoded.failures].slice(0, options.limits.maxFailuresReported),
    };
  } finally {
    freeMemory(written.buffer);
  }
}
