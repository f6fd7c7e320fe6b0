import { MILLISECOND, nowInstant } from '../time/instants.js';
import { boundsOf, type Range } from '../time/ranges.js';

/** Requested time range in milliseconds since the epoch. */
export interface RequestedRange {
  readonly from: number;
  readonly to: number;
}

/**
 * Requested range of a query; the range in its result is widened to whole buckets. `now` is the
 * server's, in seconds, because the browser's clock may differ.
 */
export function requestedRange(range: Range, answered: Headers): RequestedRange | undefined {
  const at = Date.parse(answered.get('date') ?? '');
  const bounds = boundsOf(range, Number.isNaN(at) ? nowInstant() : BigInt(at) * MILLISECOND);
  return bounds && { from: Number(bounds.start / MILLISECOND), to: Number(bounds.end / MILLISECOND) };
}
