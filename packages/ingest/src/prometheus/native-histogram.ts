import { foldBuckets } from '../otlp/metrics/exponential.js';
import { histogramSamples } from '../otlp/metrics/samples.js';
import { MalformedMessageError } from '../otlp/reader.js';
import type { Sample } from '../series/row-writer.js';
import type { StoredTags } from '../series/tags.js';
import type { MessageReader } from './message-reader.js';

/** Native histograms, which both versions of remote write send in the same form. */

/** Runs of buckets: each begins so many indexes after the one before. */
interface Span {
  readonly offset: number;
  readonly length: number;
}

interface Side {
  readonly spans: Span[];
  /** Integers: differences to the bucket before. */
  readonly deltas: number[];
  readonly counts: number[];
}

export interface NativeHistogram {
  readonly time: number;
  readonly count: number;
  readonly sum: number;
  readonly schema: number;
  readonly zeroThreshold: number;
  readonly zeroCount: number;
  readonly positive: Side;
  readonly negative: Side;
  /** The sum is the staleness marker. */
  readonly isEnd: boolean;
  /** It may fall, as a gauge. */
  readonly isGauge: boolean;
  /** Upper bounds, for the schema of custom buckets. */
  readonly bounds: readonly number[];
}

const gaugeHint = 3;

export function readNativeHistogram(reader: MessageReader, end: number): NativeHistogram {
  const numbers = { time: 0, count: 0, sum: 0, schema: 0, zeroThreshold: 0, zeroCount: 0 };
  const side = (): Side => ({ spans: [], deltas: [], counts: [] });
  const [positive, negative] = [side(), side()];
  const bounds: number[] = [];
  let isGauge = false;
  let isEnd = false;
  const where = 'Histogram';
  reader.fields(end, where, (number, tag) => {
    switch (number) {
      case 1:
        numbers.count = reader.readUnsigned(tag, end, where);
        return true;
      case 2:
        numbers.count = reader.double(tag, end, where);
        return true;
      case 3:
        [numbers.sum, isEnd] = reader.doubleOrEnd(tag, end, where);
        return true;
      case 4:
        numbers.schema = reader.zigzag(tag, end, where);
        return true;
      case 5:
        numbers.zeroThreshold = reader.double(tag, end, where);
        return true;
      case 6:
        numbers.zeroCount = reader.readUnsigned(tag, end, where);
        return true;
      case 7:
        numbers.zeroCount = reader.double(tag, end, where);
        return true;
      case 8:
      case 11:
        (number === 8 ? negative : positive).spans.push(readSpan(reader, reader.part(tag, end, where)));
        return true;
      case 9:
      case 12:
        reader.zigzags(tag, end, where, (number === 9 ? negative : positive).deltas);
        return true;
      case 10:
      case 13:
        reader.doubles(tag, end, where, (number === 10 ? negative : positive).counts);
        return true;
      case 14:
        isGauge = reader.readUnsigned(tag, end, where) === gaugeHint;
        return true;
      case 15:
        numbers.time = reader.readSigned(tag, end, where);
        return true;
      case 16:
        reader.doubles(tag, end, where, bounds);
        return true;
      default:
        return false;
    }
  });
  return { ...numbers, positive, negative, isGauge, isEnd, bounds };
}

function readSpan(reader: MessageReader, end: number): Span {
  let [offset, length] = [0, 0];
  reader.fields(end, 'BucketSpan', (number, tag) => {
    if (number === 1) offset = reader.zigzag(tag, end, 'BucketSpan.offset');
    else if (number === 2) length = reader.readUnsigned(tag, end, 'BucketSpan.length');
    else return false;
    return true;
  });
  return { offset, length };
}

/** The schema whose buckets have the bounds of the message. */
const customBuckets = -53;
const schemas = { min: -4, max: 8 };

/**
 * The series of a histogram: those of an exponential histogram of OTLP.
 * @throws MalformedMessageError
 */
export function nativeSamples(histogram: NativeHistogram, tags: StoredTags): readonly Sample[] {
  const { schema, positive, negative, count, zeroThreshold, zeroCount, bounds } = histogram;
  // NaN if one of the values was NaN.
  const sum = Number.isFinite(histogram.sum) ? histogram.sum : undefined;
  if (schema === customBuckets) {
    const buckets = countsOf(positive).map(([index, found]) => ({ bound: bounds[index] ?? Infinity, count: found }));
    const finite = buckets.filter(({ bound }) => bound !== Infinity);
    const below = finite.reduce((all, each) => all + each.count, 0);
    return histogramSamples([...finite, { bound: Infinity, count: Math.max(0, count - below) }], { count, sum }, tags);
  }
  if (schema < schemas.min || schema > schemas.max)
    throw new MalformedMessageError(`native histograms of schema ${schema} are not supported`);
  // Here a bucket ends at the bound of its index, in OTLP it begins there.
  const shiftBuckets = (side: Side) => countsOf(side).map(([index, found]) => [index - 1, found] as const);
  const folded = foldBuckets({
    scale: schema,
    count,
    zeroCount,
    zeroThreshold,
    positive: shiftBuckets(positive),
    negative: shiftBuckets(negative),
  });
  return histogramSamples(folded, { count, sum }, tags);
}

/**
 * Indexes and counts of the buckets of one side.
 * @throws MalformedMessageError when there are not as many counts as the spans have buckets
 */
function countsOf({ spans, deltas, counts }: Side): readonly (readonly [number, number])[] {
  let total = 0;
  const absolute = counts.length > 0 ? counts : deltas.map((delta) => (total += delta));
  const buckets = spans.reduce((sum, { length }) => sum + length, 0);
  if (buckets !== absolute.length)
    throw new MalformedMessageError(`spans have ${buckets} buckets and there are ${absolute.length} counts`);
  const found: (readonly [number, number])[] = [];
  let index = 0;
  for (const { offset, length } of spans) {
    index += offset;
    for (let i = 0; i < length; i++) found.push([index++, absolute[found.length]!]);
  }
  return found;
}
