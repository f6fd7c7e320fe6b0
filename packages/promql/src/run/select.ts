import type { QueryTimes } from '../plan/grid.js';
import { checkSize, type GridSeries, newSeries, type PointSeries } from './values.js';

/** Instant and range selectors over stored points, where NaN marks the end of a series. */

/**
 * The last point of each series at the times.
 * @param valueOf what to take of it
 */
export function* selectLatest(
  series: readonly PointSeries[],
  times: Float64Array,
  { lookback }: Pick<QueryTimes, 'lookback'>,
  valueOf: (point: { readonly time: number; readonly value: number }) => number,
): Generator<void, readonly GridSeries[]> {
  checkSize(series.length, times.length);
  const found: GridSeries[] = [];
  for (const one of series) {
    const result = newSeries(one.labels, times.length);
    let next = 0;
    for (const [i, time] of times.entries()) {
      while (next < one.times.length && one.times[next]! <= time) next++;
      if (next === 0) continue;
      const point = { time: one.times[next - 1]!, value: one.values[next - 1]! };
      if (point.time <= time - lookback || Number.isNaN(point.value)) continue;
      result.values[i] = valueOf(point);
      result.present[i] = 1;
    }
    found.push(result);
    yield;
  }
  return found;
}

/** Without the marks of an end. */
export function withoutMarks(series: PointSeries): PointSeries {
  if (!series.values.some(Number.isNaN)) return series;
  const kept = [...series.values.keys()].filter((i) => !Number.isNaN(series.values[i]!));
  return {
    labels: series.labels,
    times: Float64Array.from(kept, (i) => series.times[i]!),
    values: Float64Array.from(kept, (i) => series.values[i]!),
  };
}
