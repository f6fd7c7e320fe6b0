import type { AlignFunction } from '../model/functions.js';
import type { Work } from '../model/work.js';
import {
  checkCells,
  eachSeries,
  type Frame,
  type Grid,
  gridOf,
  increaseOf,
  isDelta,
  type Series,
  type Steps,
  timesOf,
} from './series.js';

/** Combines the values of each window of each series. */
export function* align(frame: Frame, width: number | undefined, fn: AlignFunction, work: Work): Steps<Frame> {
  const grid = gridOf(frame.range, width);
  checkCells(frame.series.length, grid);
  const times = timesOf(grid);
  const series = yield* eachSeries(frame.series, work, (each) => {
    work.create('value', grid.length);
    return { ...each, times, values: fn === 'prom::rate' ? rates(each, grid) : combineWindows(each, grid, fn) };
  });
  return { ...frame, grid, series };
}

/** The window of a time; undefined outside the grid. */
function windowOf({ start, step, length }: Grid, time: number): number | undefined {
  const at = Math.floor((time - start) / step);
  return at >= 0 && at < length ? at : undefined;
}

function combineWindows({ times, values }: Series, grid: Grid, fn: Exclude<AlignFunction, 'prom::rate'>): Float64Array {
  const out = new Float64Array(grid.length).fill(Number.NaN);
  const counts = new Float64Array(grid.length);
  for (const [i, value] of values.entries()) {
    const at = Number.isNaN(value) ? undefined : windowOf(grid, times[i]!);
    if (at === undefined) continue;
    out[at] = counts[at] === 0 ? (fn === 'count' ? 1 : value) : joinValues(fn, out[at]!, value);
    counts[at]!++;
  }
  return fn === 'avg' ? out.map((sum, i) => sum / counts[i]!) : out;
}

function joinValues(fn: Exclude<AlignFunction, 'prom::rate'>, before: number, value: number): number {
  switch (fn) {
    case 'avg':
    case 'sum':
      return before + value;
    case 'count':
      return before + 1;
    case 'min':
      return Math.min(before, value);
    case 'max':
      return Math.max(before, value);
    case 'last':
      return value;
  }
}

/**
 * The increase of a counter in each window, per second. It begins at the last point before the
 * window; a window whose points have none before them begins at its first point.
 */
function rates(series: Series, grid: Grid): Float64Array {
  const out = computeIncreases(series, grid, true);
  return out.map((value) => value / (grid.step / 1000));
}

/**
 * The increase of a series in each window; a gap where it cannot be known.
 * @param counter whether a fall is a reset
 */
export function computeIncreases(series: Series, grid: Grid, counter: boolean): Float64Array {
  const { times, values } = series;
  const out = new Float64Array(grid.length).fill(Number.NaN);
  const delta = isDelta(series);
  let before: number | undefined;
  for (const [i, value] of values.entries()) {
    if (Number.isNaN(value)) continue;
    const at = windowOf(grid, times[i]!);
    const increase = delta ? value : before === undefined ? undefined : increaseOf(before, value, counter);
    if (at !== undefined && increase !== undefined) out[at] = (Number.isNaN(out[at]!) ? 0 : out[at]!) + increase;
    before = value;
  }
  return out;
}
