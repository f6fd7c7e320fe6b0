import type { Range } from '../plan/plan.js';
import type { Tags } from '../tags.js';
import { BoundExceeded, metricsBounds } from '../model/bounds.js';
import type { Work } from '../model/work.js';

/** Windows of equal width; milliseconds. */
export interface Grid {
  readonly start: number;
  readonly step: number;
  readonly length: number;
}

/** A series while a query is evaluated. NaN is a gap. */
export interface Series {
  readonly metric: string;
  readonly tags: Tags;
  /** Empty if unknown. */
  readonly type: string;
  readonly temporality: string;
  /** Ascending; milliseconds. */
  readonly times: Float64Array;
  readonly values: Float64Array;
}

/** The series of one step of a query. On a grid, all of them have a value for each window. */
export interface Frame {
  readonly grid: Grid | undefined;
  readonly range: Range;
  readonly series: readonly Series[];
}

/**
 * The windows of a width that touch a range, at multiples of the width; without a width, the range
 * itself is the only one.
 * @throws BoundExceeded
 */
export function gridOf({ start, end }: Range, width: number | undefined): Grid {
  if (width === undefined) return { start, step: end - start, length: 1 };
  const first = Math.floor(start / width) * width;
  const length = Math.ceil((end - first) / width);
  if (length > metricsBounds.windows.max)
    throw new BoundExceeded(metricsBounds.windows, 'align to longer windows or shorten the time range');
  return { start: first, step: width, length };
}

/** Start times of the windows. */
export function timesOf({ start, step, length }: Grid): Float64Array {
  const times = new Float64Array(length);
  for (let i = 0; i < length; i++) times[i] = start + i * step;
  return times;
}

/** @throws BoundExceeded when the series would not fit into memory */
export function checkCells(series: number, { length }: Grid): void {
  if (series * length > metricsBounds.cells.max)
    throw new BoundExceeded(
      metricsBounds.cells,
      'select fewer series, align to longer windows, or shorten the time range',
    );
}

/** Whether a fall of the values means that a counter began again. */
export const isCounter = ({ type, temporality }: Pick<Series, 'type' | 'temporality'>): boolean =>
  (type === 'CounterMonotonic' || type === 'Histogram' || type === 'Summary') && temporality !== 'Delta';

/** Whether each value is an increase itself. */
export const isDelta = ({ temporality }: Pick<Series, 'temporality'>): boolean => temporality === 'Delta';

/** The increase from one value of a series to the next one; after a reset, all of the new value. */
export const increaseOf = (before: number, value: number, counter: boolean): number =>
  counter && value < before ? value : value - before;

/** Steps of an evaluation; others may run between them. */
export type Steps<T> = Generator<void, T>;

/** Work on the tags of a series, in samples. */
export const samplesPerSeries = 20;

/** Applies a function to each series. It touches each of its values about once. */
export function* eachSeries<T>(series: readonly Series[], work: Work, fn: (series: Series) => T): Steps<readonly T[]> {
  const results: T[] = [];
  for (const each of series) {
    results.push(fn(each));
    if (work.isDue(samplesPerSeries + each.values.length)) yield;
  }
  return results;
}
