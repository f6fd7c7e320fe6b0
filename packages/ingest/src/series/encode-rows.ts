import type { EncodeOptions, Failure } from '@millrace/events';
import type { FormatResult } from '../formats/format.js';
import type { DescribedTable } from './described-series.js';
import { type RowsBound, SeriesRows } from './row-writer.js';

type RejectOptions = Pick<EncodeOptions, 'arrivalTime' | 'limits'>;

/** Collects data points that cannot be stored. */
class RejectedPoints {
  readonly failures: Failure[] = [];
  count = 0;
  readonly #options: RejectOptions;

  constructor(options: RejectOptions) {
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
 * several, and series have separate rows. The fields are fixed: neither a schema nor labels of the
 * dataset apply to them, and the placement is not asked, because the table has a column for each.
 * @param write returns details for the response
 */
export function encodeRows(
  bound: RowsBound,
  options: RejectOptions & { readonly described?: DescribedTable },
  write: (rows: SeriesRows, rejected: RejectedPoints) => void | Pick<FormatResult, 'items'>,
): FormatResult {
  const rows = new SeriesRows(bound, Number(options.arrivalTime / 1_000_000n), options.described);
  const rejected = new RejectedPoints(options);
  const details = write(rows, rejected);
  const { times } = rows.columns;
  return {
    block: rows.columns.toBlock(options.limits),
    ingested: rows.points,
    failed: rejected.count,
    failures: rejected.failures,
    dropped: [],
    droppedElsewhere: 0,
    uses: [],
    placed: [],
    withOthers: 0,
    ...(times !== undefined && { times }),
    ...details,
    described: BigInt64Array.from(rows.describedKeys),
  };
}
