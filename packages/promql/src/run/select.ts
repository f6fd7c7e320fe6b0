import type { Work } from '@millrace/mpl';
import type { QueryTimes } from '../plan/grid.js';
import { checkSize, type GridSeries, newSeries, type PointSeries } from './values.js';

/** Instant and range selectors over stored points. */

/**
 * The last point of each series at the times.
 * @param valueOf what to take of it
 */
export function* selectLatest(
  series: readonly PointSeries[],
  times: Float64Array,
  { lookback }: Pick<QueryTimes, 'lookback'>,
  valueOf: (point: { readonly time: number; readonly value: number }) => number,
  work: Work,
): Generator<void, readonly GridSeries[]> {
  checkSize(series.length, times.length);
  const found: GridSeries[] = [];
  for (const one of series) {
    const result = newSeries(one.labels, times.length, work);
    let next = 0;
    for (const [i, time] of times.entries()) {
      while (next < one.times.length && one.times[next]! <= time) next++;
      if (next === 0) continue;
      const point = { time: one.times[next - 1]!, value: one.values[next - 1]! };
      if (point.time <= time - lookback || one.ends?.[next - 1] === 1) continue;
      result.values[i] = valueOf(point);
      result.present[i] = 1;
    }
    found.push(result);
    if (work.isDue(one.times.length + times.length)) yield;
  }
  return found;
}

/** Without the marks of an end. */
export function withoutMarks({ labels, times, values, ends }: PointSeries): PointSeries {
  if (ends?.includes(1) !== true) return { labels, times, values };
  const isPoint = (_: number, i: number): boolean => ends[i] === 0;
  return { labels, times: times.filter(isPoint), values: values.filter(isPoint) };
}
