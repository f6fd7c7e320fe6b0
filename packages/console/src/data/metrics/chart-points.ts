import { nowInstant, SECOND } from '../time/instants.js';
import { boundsOf, type Range } from '../time/ranges.js';

/** Exporters send once a minute by default: narrower windows would be empty. */
const MIN_WINDOW_SECONDS = 60;
const MAX_POINTS = 240;

/** How many windows suit a chart of a range, at most one a minute. */
export function chartPoints(range: Range, max = MAX_POINTS): number {
  const bounds = boundsOf(range, nowInstant());
  if (bounds === undefined) return max;
  const seconds = Number((bounds.end - bounds.start) / SECOND);
  return Math.max(1, Math.min(max, Math.floor(seconds / MIN_WINDOW_SECONDS)));
}
