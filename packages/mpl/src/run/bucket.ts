import type { Work } from '../model/work.js';
import type { BucketSpec, Step, TagValue } from '../plan/plan.js';
import { pickTags } from '../tags.js';
import { computeIncreases } from './align.js';
import { groupsBy } from './group.js';
import { type Bucket, histogramQuantile, valueQuantile } from './quantiles.js';
import { checkCells, type Frame, type Grid, gridOf, type Series, type Steps, timesOf } from './series.js';

type BucketStep = Extract<Step, { readonly kind: 'bucket' }>;

const partTag = 'axiom.histogram';
/** They tell the parts of a histogram apart and cannot stay in a result. */
const partTags = ['le', partTag];

/** Quantiles and statistics of histograms, as one series for each group and result. */
export function* bucket(frame: Frame, { by, width, fn, perSecond, specs }: BucketStep, work: Work): Steps<Frame> {
  const grid = gridOf(frame.range, width);
  const names = by.filter((name) => !partTags.includes(name));
  const groups = yield* groupsBy(frame.series, names, work);
  checkCells(groups.length * specs.length, grid);
  const times = timesOf(grid);
  const series: Series[] = [];
  for (const members of groups) {
    const valueOf =
      fn === 'histogram'
        ? yield* ofValues(members, grid, work)
        : yield* ofBuckets(members, grid, fn === 'interpolate_cumulative_histogram', perSecond, work);
    for (const spec of specs) {
      work.create('value', grid.length);
      const values = new Float64Array(grid.length);
      for (let i = 0; i < grid.length; i++) {
        values[i] = valueOf.of(spec, i);
        if (work.isDue(valueOf.samples)) yield;
      }
      series.push({
        metric: members[0]!.metric,
        tags: new Map([
          ...pickTags(members[0]!.tags, names),
          ['spec', { type: 'string', value: nameOf(spec) } satisfies TagValue],
        ]),
        type: 'Gauge',
        temporality: '',
        times,
        values,
      });
    }
  }
  return { ...frame, grid, series };
}

const nameOf = (spec: BucketSpec): string =>
  spec.kind === 'word' ? spec.word : `p${Number((spec.quantile * 100).toPrecision(12))}`;

interface ValueOf {
  readonly of: (spec: BucketSpec, window: number) => number;
  /** Samples that a value touches. */
  readonly samples: number;
}

/** Of the values of all series. */
function* ofValues(members: readonly Series[], grid: Grid, work: Work): Steps<ValueOf> {
  const windows: number[][] = Array.from({ length: grid.length }, () => []);
  let points = 0;
  for (const { times, values } of members) {
    for (const [i, value] of values.entries())
      if (!Number.isNaN(value)) windows[Math.floor((times[i]! - grid.start) / grid.step)]?.push(value);
    points += values.length;
    work.create('point', values.length);
    if (work.isDue(values.length)) yield;
  }
  for (const values of windows) {
    values.sort((a, b) => a - b);
    // Sorting touches each value some times.
    if (work.isDue(10 * values.length)) yield;
  }
  const of: ValueOf['of'] = (spec, window) => {
    const values = windows[window]!;
    if (values.length === 0) return Number.NaN;
    if (spec.kind === 'quantile') return valueQuantile(spec.quantile, values);
    const sum = values.reduce((total, value) => total + value, 0);
    switch (spec.word) {
      case 'count':
        return values.length;
      case 'sum':
        return sum;
      case 'avg':
        return sum / values.length;
      case 'min':
        return values[0]!;
      case 'max':
        return values.at(-1)!;
    }
  };
  return { of, samples: 1 + points / grid.length };
}

/** Of the buckets of histograms, which are series with the tag `le`. */
function* ofBuckets(
  members: readonly Series[],
  grid: Grid,
  isCumulative: boolean,
  perSecond: boolean,
  work: Work,
): Steps<ValueOf> {
  const factor = perSecond ? 1000 / grid.step : 1;
  function* inWindows(series: readonly Series[]): Steps<Float64Array> {
    work.create('value', grid.length);
    const out = new Float64Array(grid.length).fill(Number.NaN);
    for (const each of series) {
      const counted = isCumulative ? { ...each, temporality: 'Cumulative' } : { ...each, temporality: 'Delta' };
      for (const [i, value] of computeIncreases(counted, grid, true).entries())
        if (!Number.isNaN(value)) out[i] = (Number.isNaN(out[i]!) ? 0 : out[i]!) + value * factor;
      if (work.isDue(each.values.length + grid.length)) yield;
    }
    return out;
  }
  const part = (name: string) => members.filter(({ tags }) => textOf(tags.get(partTag)) === name);
  const byBound = new Map<number, Series[]>();
  for (const each of members) {
    const le = each.tags.get('le');
    if (le === undefined) continue;
    const same = byBound.get(boundOf(le));
    if (same === undefined) byBound.set(boundOf(le), [each]);
    else same.push(each);
  }
  const bounds = [...byBound.keys()].filter((bound) => !Number.isNaN(bound)).toSorted((a, b) => a - b);
  const counts: Float64Array[] = [];
  for (const bound of bounds) counts.push(yield* inWindows(byBound.get(bound)!));
  const [sums, totals] = [yield* inWindows(part('sum')), yield* inWindows(part('count'))];
  const [min, largest] = [extremes(part('min'), grid, Math.min), extremes(part('max'), grid, Math.max)];
  const of: ValueOf['of'] = (spec, window) => {
    const buckets = bounds
      .map((bound, i): Bucket => [bound, counts[i]![window]!])
      .filter(([, count]) => !Number.isNaN(count));
    const total = buckets.at(-1)?.[1] ?? totals[window]!;
    if (spec.kind === 'quantile') return histogramQuantile(spec.quantile, buckets);
    switch (spec.word) {
      case 'count':
        return Number.isNaN(totals[window]!) ? total : totals[window]!;
      case 'sum':
        return sums[window]!;
      case 'avg':
        return total > 0 ? sums[window]! / total : Number.NaN;
      case 'min':
        return Number.isNaN(min[window]!) ? lowerBound(buckets) : min[window]!;
      case 'max':
        return Number.isNaN(largest[window]!) ? upperBound(buckets) : largest[window]!;
    }
  };
  return { of, samples: 1 + 10 * bounds.length };
}

const textOf = (tag: TagValue | undefined): string => (tag?.type === 'string' ? tag.value : '');

/** Prometheus writes bounds as text. */
function boundOf(tag: TagValue): number {
  if (tag.type === 'int' || tag.type === 'float') return tag.value;
  if (tag.type !== 'string') return Number.NaN;
  return tag.value === '+Inf' ? Infinity : Number(tag.value);
}

function extremes(series: readonly Series[], grid: Grid, choose: (a: number, b: number) => number): Float64Array {
  const out = new Float64Array(grid.length).fill(Number.NaN);
  for (const { times, values } of series)
    for (const [i, value] of values.entries()) {
      const at = Math.floor((times[i]! - grid.start) / grid.step);
      if (Number.isNaN(value) || at < 0 || at >= grid.length) continue;
      out[at] = Number.isNaN(out[at]!) ? value : choose(out[at]!, value);
    }
  return out;
}

/** The lower bound of the first bucket with values. */
function lowerBound(buckets: readonly Bucket[]): number {
  const at = buckets.findIndex(([, count]) => count > 0);
  return at < 0 ? Number.NaN : at === 0 ? Math.min(0, buckets[0]![0]) : buckets[at - 1]![0];
}

/** The upper bound of the last bucket with values; the highest finite one at most. */
function upperBound(buckets: readonly Bucket[]): number {
  const total = buckets.at(-1)?.[1] ?? 0;
  const found = total > 0 ? buckets.find(([, count]) => count >= total)![0] : Number.NaN;
  return found === Infinity ? (buckets.at(-2)?.[0] ?? Number.NaN) : found;
}
