import { MalformedMessageError } from '../reader.js';
import type { Sample } from '../../series/row-writer.js';
import { floatTag, stringTag, type StoredTags } from '../../series/tags.js';
import { foldedBuckets } from './exponential.js';
import type { ExponentialPoint, HistogramPoint, NumberPoint, SummaryPoint } from './messages.js';

/**
 * The series of each kind of data point. A histogram is several series: one per bucket, whose
 * counts include the smaller buckets, and one per statistic.
 */

export function ofNumber({ asDouble, asInt }: NumberPoint, tags: StoredTags): readonly Sample[] {
  const value = asDouble ?? asInt;
  if (value === undefined) throw new MalformedMessageError('the data point has neither asDouble nor asInt');
  return [{ tags, value }];
}

export function ofHistogram(point: HistogramPoint, tags: StoredTags): readonly Sample[] {
  const { bucketCounts: counts, explicitBounds: bounds } = point;
  if (counts.length > 0 && counts.length !== bounds.length + 1)
    throw new MalformedMessageError(
      `the data point has ${counts.length} bucketCounts for ${bounds.length} explicitBounds; expected ${bounds.length + 1}`,
    );
  const unordered = bounds.findIndex((bound, i) => Number.isNaN(bound) || (i > 0 && bound <= bounds[i - 1]!));
  if (unordered >= 0)
    throw new MalformedMessageError(`explicitBounds[${unordered}] is not greater than the one before`);
  const buckets = counts.map((count, i) => ({ bound: bounds[i] ?? Infinity, count }));
  return histogramSamples(buckets, point, tags);
}

export const ofExponential = (point: ExponentialPoint, tags: StoredTags): readonly Sample[] =>
  histogramSamples(foldedBuckets(point), point, tags);

interface Bucket {
  readonly bound: number;
  readonly count: number;
}

export function histogramSamples(
  buckets: readonly Bucket[],
  { count, sum, min, max }: Pick<HistogramPoint, 'count' | 'sum'> & Partial<Pick<HistogramPoint, 'min' | 'max'>>,
  tags: StoredTags,
): readonly Sample[] {
  let below = 0;
  const cumulative = buckets.map(({ bound, count }) => ({
    tags: new Map([...tags, ['axiom.histogram', stringTag('bucket')], ['le', floatTag(bound)]]),
    value: (below += count),
  }));
  const statistics = Object.entries({ count, sum, min, max }).flatMap(([name, value]) =>
    value === undefined ? [] : [{ tags: new Map([...tags, ['axiom.histogram', stringTag(name)]]), value }],
  );
  return [...cumulative, ...statistics];
}

export const ofSummary = ({ count, sum = 0, quantileValues }: SummaryPoint, tags: StoredTags): readonly Sample[] => [
  // A quantile without observations is NaN.
  ...quantileValues.flatMap(({ quantile = 0, value = 0 }) =>
    Number.isNaN(value) ? [] : [{ tags: new Map([...tags, ['quantile', floatTag(quantile)]]), value }],
  ),
  ...Object.entries({ count, sum }).map(([name, value]) => ({
    tags: new Map([...tags, ['axiom.summary', stringTag(name)]]),
    value,
  })),
];
