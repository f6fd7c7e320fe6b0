import type { Work } from '@millrace/mpl';
import { labelsKey, metricName, withoutLabels } from '../model/labels.js';
import { type GridSeries, groupBy, newSeries, samplesPerSeries } from './values.js';

/** Quantiles of classic histograms: a series for each upper bound, in the label `le`. */

const bound = 'le';
/** OpenTelemetry's histograms have their parts in one metric, told apart by the last of these. */
const droppedLabels: ReadonlySet<string> = new Set([bound, metricName, 'axiom.histogram']);

/** An upper bound, and how many values are at most that large. */
interface Bucket {
  readonly upper: number;
  readonly count: number;
}

function upperBound({ labels }: GridSeries): number {
  const text = labels.get(bound) ?? '';
  const infinity = /^([+-]?)inf$/i.exec(text);
  if (infinity !== null) return infinity[1] === '-' ? -Infinity : Infinity;
  return text === '' ? Number.NaN : Number(text);
}

export function* histogramQuantiles(
  shares: Float64Array,
  series: readonly GridSeries[],
  work: Work,
): Generator<void, readonly GridSeries[]> {
  work.touch(samplesPerSeries * series.length);
  const bounded = series
    .map((each) => ({ ...each, upper: upperBound(each), rest: withoutLabels(each.labels, droppedLabels) }))
    .filter(({ upper }) => !Number.isNaN(upper))
    .toSorted((a, b) => a.upper - b.upper);
  const results: GridSeries[] = [];
  for (const buckets of groupBy(bounded, ({ rest }) => labelsKey(rest)).values()) {
    const result = newSeries(buckets[0]!.rest, shares.length, work);
    for (const [i, share] of shares.entries()) {
      const found = buckets.flatMap(({ upper, present, values }) =>
        present[i] === 1 ? [{ upper, count: values[i]! }] : [],
      );
      if (work.isDue(10 * buckets.length)) yield;
      if (found.length === 0) continue;
      result.values[i] = bucketQuantile(share, found);
      result.present[i] = 1;
    }
    results.push(result);
  }
  return results;
}

/** Smaller falls of the counts are rounding errors. */
const tolerance = 1e-12;

/** @param sorted by their bounds; the count of a bucket includes the ones before */
export function bucketQuantile(share: number, sorted: readonly Bucket[]): number {
  if (Number.isNaN(share)) return Number.NaN;
  if (share < 0) return -Infinity;
  if (share > 1) return Infinity;
  if (sorted.at(-1)?.upper !== Infinity) return Number.NaN;
  const buckets = risingBuckets(withoutRepeats(sorted));
  const total = buckets.at(-1)!.count;
  if (buckets.length < 2 || !(total > 0)) return Number.NaN;
  const rank = share * total;
  const reached = buckets.findIndex(({ count }) => count >= rank);
  const at = reached < 0 ? buckets.length - 1 : reached;
  const { upper, count } = buckets[at]!;
  // Nothing is known about values beyond the last finite bound, or below the first one.
  if (at === buckets.length - 1) return buckets[at - 1]!.upper;
  if (at === 0 && upper <= 0) return upper;
  const before = at === 0 ? { upper: 0, count: 0 } : buckets[at - 1]!;
  return before.upper + (upper - before.upper) * ((rank - before.count) / (count - before.count));
}

/** Buckets with equal bounds are one. */
function withoutRepeats(buckets: readonly Bucket[]): readonly Bucket[] {
  const kept: Bucket[] = [];
  for (const bucket of buckets) {
    const last = kept.at(-1);
    if (last?.upper === bucket.upper) kept[kept.length - 1] = { ...last, count: last.count + bucket.count };
    else kept.push(bucket);
  }
  return kept;
}

/** Buckets are scraped one after the other, so a larger one may lag behind. */
function risingBuckets(buckets: readonly Bucket[]): readonly Bucket[] {
  let max = 0;
  return buckets.map(({ upper, count }, i) => {
    if (i > 0 && Math.abs(count - max) <= tolerance * Math.abs(count + max)) return { upper, count: max };
    max = i === 0 ? count : Math.max(max, count);
    return { upper, count: max };
  });
}
