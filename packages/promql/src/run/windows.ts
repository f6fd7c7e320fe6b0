import type { Work } from '@millrace/mpl';
import { checkSize, type GridSeries, type Matrix, newSeries, type PointSeries } from './values.js';

/** A window of a series: points `from` to before `to`. Times are in milliseconds. */
export interface Window {
  readonly from: number;
  readonly to: number;
  readonly start: number;
  readonly end: number;
  /** Time of the evaluation, which offsets do not move. */
  readonly time: number;
  /** The scalar argument of the function. */
  readonly argument: number;
}

/** The value of a window with at least one point; undefined for none. */
type WindowFunction = (window: Window) => number | undefined;
/** Prepares a function for the windows of a series. */
export type RangeFunction = (series: PointSeries) => WindowFunction;

/**
 * Evaluates a function over the windows of each series.
 * @param isConstantTime whether the function reads only the ends of a window
 */
export function* overWindows(
  { series, ends, range }: Matrix,
  times: Float64Array,
  argument: Float64Array | undefined,
  fn: RangeFunction,
  { work, isConstantTime }: { readonly work: Work; readonly isConstantTime: boolean },
): Generator<void, readonly GridSeries[]> {
  checkSize(series.length, ends.length);
  const results: GridSeries[] = [];
  for (const one of series) {
    const result = newSeries(one.labels, ends.length, work);
    const valueOf = fn(one);
    work.touch(one.times.length);
    const { length } = one.times;
    let [from, to] = [0, 0];
    for (const [i, end] of ends.entries()) {
      const start = end - range;
      while (to < length && one.times[to]! <= end) to++;
      while (from < to && one.times[from]! <= start) from++;
      if (work.isDue(isConstantTime ? 1 : 1 + to - from)) yield;
      if (from === to) continue;
      const value = valueOf({ from, to, start, end, time: times[i]!, argument: argument?.[i] ?? Number.NaN });
      if (value === undefined) continue;
      result.values[i] = value;
      result.present[i] = 1;
    }
    results.push(result);
  }
  return results;
}
