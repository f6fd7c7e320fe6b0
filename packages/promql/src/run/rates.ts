import type { PointSeries } from './values.js';
import type { RangeFunction, Window } from './windows.js';

/** Functions of counters and of differences between points. */

/** The sum of the values lost by resets between the points of a window. */
function lostByResets({ values }: PointSeries): (window: Window) => number {
  const lost = new Float64Array(values.length);
  const lostAt = (i: number): number => (values[i]! < values[i - 1]! ? values[i - 1]! : 0);
  for (let i = 1; i < values.length; i++) lost[i] = lost[i - 1]! + lostAt(i);
  return ({ from, to }) => {
    // After an infinity, differences of the sums are NaN.
    if (Number.isFinite(lost[to - 1]!)) return lost[to - 1]! - lost[from]!;
    let sum = 0;
    for (let i = from + 1; i < to; i++) sum += lostAt(i);
    return sum;
  };
}

/** A series that ends this many times its mean interval before an edge did not reach it. */
const reachIntervals = 1.1;

/** How much larger the increase of the whole window is than that between its points. */
function extrapolation(window: Window, { times, values }: PointSeries, increase: number, isCounter: boolean): number {
  const { from, to, start, end } = window;
  const covered = (times[to - 1]! - times[from]!) / 1000;
  const interval = covered / (to - from - 1);
  let toStart = (times[from]! - start) / 1000;
  let toEnd = (end - times[to - 1]!) / 1000;
  if (toStart >= interval * reachIntervals) toStart = interval / 2;
  // A counter was not negative: it began at zero after the start.
  if (isCounter && increase > 0 && values[from]! >= 0)
    toStart = Math.min(toStart, covered * (values[from]! / increase));
  if (toEnd >= interval * reachIntervals) toEnd = interval / 2;
  return (covered + toStart + toEnd) / covered;
}

const difference =
  (isCounter: boolean, perSecond: boolean): RangeFunction =>
  (series) => {
    const lost = isCounter ? lostByResets(series) : undefined;
    const { values } = series;
    return (window) => {
      const { from, to, start, end } = window;
      if (to - from < 2) return undefined;
      const resets = lost?.(window) ?? 0;
      const increase = values[to - 1]! - values[from]! + resets;
      const whole = increase * extrapolation(window, series, increase, isCounter);
      return perSecond ? whole / ((end - start) / 1000) : whole;
    };
  };

const lastDifference =
  (isRate: boolean): RangeFunction =>
  ({ times, values }) =>
  ({ from, to }) => {
    if (to - from < 2) return undefined;
    const [before, last] = [values[to - 2]!, values[to - 1]!];
    const change = isRate && last < before ? last : last - before;
    return isRate ? change / ((times[to - 1]! - times[to - 2]!) / 1000) : change;
  };

/** Slope per second, and value at a time, of the regression line. */
function regression(
  { times, values }: PointSeries,
  { from, to }: Window,
  origin: number,
): { readonly slope: number; readonly value: number } {
  let [sumX, sumY, sumXY, sumXX, isConstant] = [0, 0, 0, 0, true];
  for (let i = from; i < to; i++) {
    const x = (times[i]! - origin) / 1000;
    const y = values[i]!;
    isConstant &&= y === values[from]!;
    sumX += x;
    sumY += y;
    sumXY += x * y;
    sumXX += x * x;
  }
  if (isConstant) {
    const [slope, value] = Number.isFinite(values[from]!) ? [0, values[from]!] : [Number.NaN, Number.NaN];
    return { slope, value };
  }
  const count = to - from;
  const slope = (sumXY - (sumX * sumY) / count) / (sumXX - (sumX * sumX) / count);
  return { slope, value: sumY / count - (slope * sumX) / count };
}

const count =
  (counts: (before: number, value: number) => boolean): RangeFunction =>
  ({ values }) =>
  ({ from, to }) => {
    let found = 0;
    for (let i = from + 1; i < to; i++) if (counts(values[i - 1]!, values[i]!)) found++;
    return found;
  };

export const rateFunctions = {
  rate: difference(true, true),
  increase: difference(true, false),
  delta: difference(false, false),
  irate: lastDifference(true),
  idelta: lastDifference(false),
  deriv: (series) => (window) =>
    window.to - window.from < 2 ? undefined : regression(series, window, series.times[window.from]!).slope,
  predict_linear: (series) => (window) => {
    if (window.to - window.from < 2) return undefined;
    const { slope, value } = regression(series, window, window.time);
    return slope * window.argument + value;
  },
  changes: count((before, value) => value !== before && !(Number.isNaN(value) && Number.isNaN(before))),
  resets: count((before, value) => value < before),
} as const satisfies Readonly<Record<string, RangeFunction>>;
