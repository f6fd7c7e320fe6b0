import type { ExponentialPoint } from './messages.js';

/**
 * The largest scale of stored buckets: four to a power of two. Senders change the scale while they
 * run; buckets of a smaller scale have some of the bounds of this one, so series continue.
 */
const maxScale = 2;

/** The buckets of an exponential histogram by their upper bounds, ascending. */
export function foldedBuckets({
  scale: sent,
  count,
  zeroCount,
  zeroThreshold = 0,
  positive,
  negative,
}: ExponentialPoint): readonly { readonly bound: number; readonly count: number }[] {
  const scale = Math.min(sent, maxScale);
  const narrower = 2 ** (sent - scale);
  const boundOf = (index: number): number => 2 ** (index * 2 ** -scale);
  const byBound = new Map<number, number>();
  const add = (bound: number, count: number): void => {
    if (count > 0) byBound.set(bound, (byBound.get(bound) ?? 0) + count);
  };
  const indexOf = (offset: number, i: number): number => Math.floor((offset + i) / narrower);
  negative?.bucketCounts.forEach((count, i) => add(-boundOf(indexOf(negative.offset, i)), count));
  add(zeroThreshold, zeroCount);
  positive?.bucketCounts.forEach((count, i) => add(boundOf(indexOf(positive.offset, i) + 1), count));
  const finite = [...byBound]
    .filter(([bound]) => Number.isFinite(bound))
    .map(([bound, count]) => ({ bound, count }))
    .toSorted((a, b) => a.bound - b.bound);
  const below = finite.reduce((sum, { count }) => sum + count, 0);
  return [...finite, { bound: Infinity, count: Math.max(0, count - below) }];
}
