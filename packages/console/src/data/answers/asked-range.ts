import { MILLISECOND, nowInstant } from '../time/instants.js';
import { boundsOf, type Range } from '../time/ranges.js';

/** The time that somebody asked for, in milliseconds since the epoch. */
export interface AskedRange {
  readonly from: number;
  readonly to: number;
}

/**
 * What a question asked for: the range in its answer is widened to whole buckets. `now` is that of
 * the server, to the second, because the clock of the browser may be another.
 */
export function askedRange(range: Range, answered: Headers): AskedRange | undefined {
  const at = Date.parse(answered.get('date') ?? '');
  const bounds = boundsOf(range, Number.isNaN(at) ? nowInstant() : BigInt(at) * MILLISECOND);
  return bounds && { from: Number(bounds.start / MILLISECOND), to: Number(bounds.end / MILLISECOND) };
}
