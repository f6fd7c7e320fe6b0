import type { ExponentialPoint } from './messages.js';

/**
 * The largest scale of stored buckets: four to a power of two. Senders change the scale while they
 * run; buckets of a smaller scale have some of the bounds of this one, so series continue.
 */
const maxScale = 2;

/** Buckets by index: those at `index` begin at 2^(index · 2^-scale), or end at its negative. */
interface IndexedBuckets extends Pick<ExponentialPoint, 'scale' | 'count' | 'zeroCount'> {
  readonly zeroThreshold: number;
  readonly positive: Iterable<readonly [index: number, count: number]>;
  readonly negative: Iterable<readonly [index: number, count: number]>;
}

interface BoundedBucket {
  readonly bound: number;
  readonly count: number;
}

/** The buckets of an exponential histogram by their upper bounds, ascending. */
export const foldedBuckets = ({ zeroThreshold = 0, positive, negative, ...others }: ExponentialPoint) =>
  foldBuckets({ ...others, zeroThreshold, positive: indexBuckets(positive), negative: indexBuckets(negative) });

const indexBuckets = (buckets: ExponentialPoint['positive']): readonly (readonly [number, number])[] =>
  (buckets?.bucketCounts ?? []).map((count, i) => [buckets!.offset + i, count]);

export function foldBuckets(histogram: IndexedBuckets): readonly BoundedBucket[] {
  const { scale: sent, count, zeroCount, zeroThreshold, positive, negative } = histogram;
  const scale = Math.min(sent, maxScale);
  const narrower = 2 ** (sent - scale);
  const boundOf = (index: number): number => 2 ** (index * 2 ** -scale);
  const byBound = new Map<number, number>();
  const add = (bound: number, count: number): void => {
    if (count > 0) byBound.set(bound, (byBound.get(bound) ?? 0) + count);
  };
  for (const [index, found] of negative) add(-boundOf(Math.floor(index / narrower)), found);
  add(zeroThreshold, zeroCount);
  for (const [index, found] of positive) add(boundOf(Math.floor(index / narrower) + 1), found);
  const finite = [...byBound]
    .filter(([bound]) => Number.isFinite(bound))
    .map(([bound, count]) => ({ bound, count }))
    .toSorted((a, b) => a.bound - b.bound);
  const below = finite.reduce((sum, { count }) => sum + count, 0);
  return [...finite, { bound: Infinity, count: Math.max(0, count - below) }];
}
