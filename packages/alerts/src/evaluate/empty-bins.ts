import type { Point } from './series.js';

/** Bins without rows: a count of no events is 0, other aggregates of no events are unknown. */

/** More bins would take longer to evaluate than to query. */
const maxBins = 10_000;

interface Bins {
  /** Length of a bin, milliseconds. */
  readonly bin: number;
  /** End of the last complete bin at the latest, milliseconds since the epoch. */
  readonly end: number;
}

/**
 * Adds zeros to a series of counts in order of time, from its first bin to the last complete one,
 * so that traffic that stops is a low value. Longer series than `maxBins` are returned as they
 * are.
 */
export function withEmptyBins(points: readonly Point[], { bin, end }: Bins): readonly Point[] {
  const [first] = points;
  if (first === undefined || bin <= 0) return points;
  const start = Date.parse(first.time);
  const count = Math.floor((end - start) / bin);
  if (count <= points.length || count > maxBins) return points;
  const known = new Map(points.map((point) => [Date.parse(point.time), point]));
  return Array.from({ length: count }, (_, i) => {
    const time = start + i * bin;
    return known.get(time) ?? { time: new Date(time).toISOString(), value: 0, column: first.column };
  });
}
