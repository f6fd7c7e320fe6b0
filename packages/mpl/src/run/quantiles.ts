/** An upper bound, and how many values are at most that large. */
export type Bucket = readonly [upper: number, count: number];

/**
 * The quantile of a histogram with cumulative buckets, as Prometheus defines it: linear inside the
 * bucket that holds the rank. Without values, a gap.
 * @param buckets ascending; the last one is infinite
 */
export function histogramQuantile(quantile: number, buckets: readonly Bucket[]): number {
  const counts = monotone(buckets);
  const total = counts.at(-1) ?? 0;
  if (!(total > 0) || buckets.length < 2 || buckets.at(-1)![0] !== Infinity) return Number.NaN;
  const rank = quantile * total;
  const at = Math.min(
    counts.findIndex((count) => count >= rank),
    buckets.length - 1,
  );
  if (at === buckets.length - 1) return buckets[buckets.length - 2]![0];
  const upper = buckets[at]![0];
  if (at === 0 && upper <= 0) return upper;
  const lower = at === 0 ? 0 : buckets[at - 1]![0];
  const before = at === 0 ? 0 : counts[at - 1]!;
  return lower + (upper - lower) * ((rank - before) / (counts[at]! - before));
}

/** Counts never fall: buckets of a scrape are read one after the other. */
function monotone(buckets: readonly Bucket[]): readonly number[] {
  let max = 0;
  return buckets.map(([, count]) => (max = Math.max(max, count)));
}

/** The quantile of values: linear between the two values around its rank. */
export function valueQuantile(quantile: number, sorted: readonly number[]): number {
  if (sorted.length === 0) return Number.NaN;
  const rank = quantile * (sorted.length - 1);
  const lower = Math.floor(rank);
  const upper = Math.min(lower + 1, sorted.length - 1);
  return sorted[lower]! + (sorted[upper]! - sorted[lower]!) * (rank - lower);
}
