import type { Work } from '@millrace/mpl';
import { type Grid, type Labels, labelsKey, labelsOf, type PointSeries } from '@millrace/promql';
import type { Combination, RangePlan } from '../plan/range-program.js';

/** The value of a bucket: of a mean, the sum and the count. */
interface Bucket {
  /** End of the bucket, milliseconds. */
  readonly time: number;
  readonly values: readonly number[];
}

/** A row of the engine. */
export interface BucketRow extends Bucket {
  readonly labels: readonly string[];
}

const combinations: Readonly<Record<Combination, (buckets: readonly Bucket[]) => number>> = {
  sum: (buckets) => sumOf(buckets, 0),
  mean: (buckets) => sumOf(buckets, 0) / sumOf(buckets, 1),
  min: (buckets) => buckets.reduce((least, { values: [value] }) => Math.min(least, value!), Infinity),
  max: (buckets) => buckets.reduce((most, { values: [value] }) => Math.max(most, value!), -Infinity),
  first: ([bucket]) => bucket!.values[0]!,
  last: (buckets) => buckets.at(-1)!.values[0]!,
  only: ([bucket]) => bucket!.values[0]!,
};

const sumOf = (buckets: readonly Bucket[], i: number): number =>
  buckets.reduce((sum, { values }) => sum + values[i]!, 0);

/**
 * The series of a range aggregation at the times of a grid, from its buckets.
 * @throws WorkExceeded
 */
export function* combineBuckets(
  rows: readonly BucketRow[],
  { labels, width, inRange, combine, divisor }: RangePlan,
  { grid, offset, work }: { readonly grid: Grid; readonly offset: number; readonly work: Work },
): Generator<void, readonly PointSeries[]> {
  const series = new Map<string, { readonly labels: Labels; readonly buckets: Map<number, Bucket> }>();
  for (const row of rows) {
    const own = labelsOf(labels.map((label, i) => [label, row.labels[i]!] as const));
    const key = labelsKey(own);
    let one = series.get(key);
    if (one === undefined) {
      one = { labels: own, buckets: new Map() };
      series.set(key, one);
    }
    one.buckets.set(Math.round((row.time + offset - grid.start) / width), row);
    if (work.isDue(20)) yield;
  }
  const perStep = Math.round(grid.step / width);
  const made: PointSeries[] = [];
  for (const { labels: own, buckets } of [...series.values()].toSorted((a, b) => compare(a.labels, b.labels))) {
    const times: number[] = [];
    const values: number[] = [];
    for (let i = 0; i < grid.length; i++) {
      const last = grid.length === 1 ? 0 : i * perStep;
      const within: Bucket[] = [];
      for (let at = last - inRange + 1; at <= last; at++) {
        const bucket = buckets.get(at);
        if (bucket !== undefined) within.push(bucket);
      }
      if (work.isDue(inRange)) yield;
      if (within.length === 0) continue;
      times.push(grid.start + i * grid.step);
      values.push(combinations[combine](within) / divisor);
    }
    work.create('point', times.length);
    made.push({ labels: own, times: Float64Array.from(times), values: Float64Array.from(values) });
  }
  return made;
}

const compare = (a: Labels, b: Labels): number => (labelsKey(a) < labelsKey(b) ? -1 : 1);
