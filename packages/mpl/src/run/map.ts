import type { MapFunction } from '../model/functions.js';
import type { Work } from '../model/work.js';
import { eachSeries, type Frame, increaseOf, isCounter, isDelta, type Series, type Steps } from './series.js';

/** Applies a function to each value of each series. */
export function* map(frame: Frame, fn: MapFunction, argument: number, work: Work): Steps<Frame> {
  const series = yield* eachSeries(frame.series, work, (each) => {
    work.create('value', each.values.length);
    return { ...each, values: mapValues(each, fn, argument), ...resultKind(each, fn) };
  });
  return { ...frame, series };
}

/** What a series is after the function: rates do not have resets. */
const resultKind = ({ type, temporality }: Series, fn: MapFunction): Pick<Series, 'type' | 'temporality'> =>
  fn === 'rate' || fn === 'increase' ? { type: 'Gauge', temporality: '' } : { type, temporality };

const gap = Number.NaN;
const where = (holds: boolean, value: number): number => (holds ? value : gap);
const flag = (value: number, holds: boolean): number => (Number.isNaN(value) ? gap : Number(holds));

function mapValues(series: Series, fn: MapFunction, n: number): Float64Array {
  const { values } = series;
  switch (fn) {
    case '+':
      return values.map((value) => value + n);
    case '-':
      return values.map((value) => value - n);
    case '*':
      return values.map((value) => value * n);
    case '/':
      return values.map((value) => where(n !== 0, value / n));
    case 'abs':
      return values.map(Math.abs);
    case 'min':
      return values.map((value) => Math.min(value, n));
    case 'max':
      return values.map((value) => Math.max(value, n));
    case 'rate':
      return changes(series, (increase, seconds) => increase / seconds);
    case 'increase':
      return changes(series, (increase) => increase);
    case 'fill::const':
      return values.map((value) => (Number.isNaN(value) ? n : value));
    case 'fill::prev':
      return fillForward(values);
    case 'interpolate::linear':
      return interpolate(series);
    case 'filter::lt':
      return values.map((value) => where(value < n, value));
    case 'filter::lte':
      return values.map((value) => where(value <= n, value));
    case 'filter::gt':
      return values.map((value) => where(value > n, value));
    case 'filter::gte':
      return values.map((value) => where(value >= n, value));
    case 'filter::eq':
      return values.map((value) => where(value === n, value));
    case 'filter::neq':
      return values.map((value) => where(value !== n, value));
    case 'is::lt':
      return values.map((value) => flag(value, value < n));
    case 'is::lte':
      return values.map((value) => flag(value, value <= n));
    case 'is::gt':
      return values.map((value) => flag(value, value > n));
    case 'is::gte':
      return values.map((value) => flag(value, value >= n));
    case 'is::eq':
      return values.map((value) => flag(value, value === n));
    case 'is::neq':
      return values.map((value) => flag(value, value !== n));
  }
}

/** A value from each point and the point before it; the first one is a gap. */
function changes(series: Series, of: (increase: number, seconds: number) => number): Float64Array {
  const { times, values } = series;
  const [counter, delta] = [isCounter(series), isDelta(series)];
  let before: number | undefined;
  return values.map((value, i) => {
    if (Number.isNaN(value)) return gap;
    const last = before;
    before = i;
    if (last === undefined) return gap;
    const increase = delta ? value : increaseOf(values[last]!, value, counter);
    return of(increase, (times[i]! - times[last]!) / 1000);
  });
}

function fillForward(values: Float64Array): Float64Array {
  let before = gap;
  return values.map((value) => (before = Number.isNaN(value) ? before : value));
}

function interpolate({ times, values }: Series): Float64Array {
  const out = values.slice();
  let before: number | undefined;
  for (const [i, value] of values.entries()) {
    if (Number.isNaN(value)) continue;
    if (before !== undefined) {
      const slope = (value - values[before]!) / (times[i]! - times[before]!);
      for (let k = before + 1; k < i; k++) out[k] = values[before]! + slope * (times[k]! - times[before]!);
    }
    before = i;
  }
  return out;
}
