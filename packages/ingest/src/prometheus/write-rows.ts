import { MalformedMessageError } from '../otlp/reader.js';
import {
  describeSeries,
  identifySeries,
  type MetricInfo,
  type Sample,
  type Series,
  type SeriesRows,
} from '../series/row-writer.js';
import { type LabelSource, seriesCache } from '../series/series-cache.js';
import type { SeriesDescription } from '../series/row-columns.js';
import { floatTag, stringTag, type StoredTags } from '../series/tags.js';
import type { WriteSample } from './message-reader.js';
import { type NativeHistogram, nativeSamples } from './native-histogram.js';

/** A series of a request. */
export interface WrittenSeries {
  /** Bytes that are the same whenever the series is sent, if there are any. */
  readonly bytes: { readonly source: LabelSource; readonly start: number; readonly end: number } | undefined;
  /** With `__name__`; none is empty. */
  readonly labels: () => ReadonlyMap<string, string>;
  readonly samples: readonly WriteSample[];
  readonly histograms: readonly NativeHistogram[];
  /** Only version 2 sends it. */
  readonly metadata?: { readonly type: number; readonly unit: string };
}

/** How many of the parts of a request became rows. */
export interface WrittenCounts {
  samples: number;
  histograms: number;
}

/** Writes series as rows of a metrics dataset. */
export class WriteRows {
  readonly #rows: SeriesRows;
  readonly #reject: (error: string) => void;
  readonly #space: number | undefined;
  readonly writtenCounts: WrittenCounts = { samples: 0, histograms: 0 };

  /**
   * @param reject called for samples that cannot be stored
   * @param space of `SeriesCache`; without one, nothing is cached
   */
  constructor(rows: SeriesRows, reject: (error: string) => void, space?: number) {
    this.#rows = rows;
    this.#reject = reject;
    this.#space = space;
  }

  series(written: WrittenSeries): void {
    let decoded: LabeledSeries | undefined;
    const decode = (): LabeledSeries => (decoded ??= decodeLabels(written));
    const describe = (): SeriesDescription => describeSeries(decode().info, decode().tags);
    let series: Series | undefined;
    for (const { value, time, isEnd } of written.samples)
      this.#point(decode, 'samples', () => {
        series ??= this.#identify(written, decode);
        if (isEnd) this.#rows.endOf(series, time, describe);
        else this.#rows.pointOf(series, time, value, describe);
      });
    for (const histogram of written.histograms)
      this.#point(decode, 'histograms', () => {
        const { info, tags } = decode();
        const about: MetricInfo = {
          ...info,
          type: 'Histogram',
          temporality: histogram.isGauge ? '' : 'Cumulative',
        };
        if (histogram.isEnd) this.#endStatistics(about, histogram.time, tags);
        else this.#rows.point(about, histogram.time, nativeSamples(histogram, tags));
      });
  }

  #identify({ bytes }: WrittenSeries, decode: () => LabeledSeries): Series {
    const space = this.#space;
    const known =
      space === undefined || bytes === undefined
        ? undefined
        : seriesCache.find(space, bytes.source, bytes.start, bytes.end);
    if (known !== undefined) return known;
    const { info, tags } = decode();
    const series = identifySeries(info, tags);
    if (space !== undefined && bytes !== undefined)
      seriesCache.add(space, bytes.source, bytes.start, bytes.end, series);
    return series;
  }

  /** Buckets have no marker: they end when they are too old. */
  #endStatistics(info: MetricInfo, time: number, tags: StoredTags): void {
    for (const { tags: own } of statistics(tags)) this.#rows.end(info, time, own);
  }

  #point(decode: () => LabeledSeries, kind: keyof WrittenCounts, write: () => void): void {
    try {
      write();
      this.writtenCounts[kind]++;
    } catch (error) {
      if (!(error instanceof MalformedMessageError)) throw error;
      this.#reject(`${decode().info.metric.slice(0, 100)}: ${error.message}`);
    }
  }
}

interface LabeledSeries {
  readonly info: MetricInfo;
  readonly tags: StoredTags;
}

function decodeLabels({ labels, metadata }: WrittenSeries): LabeledSeries {
  const all = labels();
  return { info: infoOf(all.get('__name__') ?? '', metadata), tags: tagsOf(all) };
}

const statistics = (tags: StoredTags): readonly Pick<Sample, 'tags'>[] =>
  ['count', 'sum'].map((name) => ({ tags: new Map([...tags, ['axiom.histogram', stringTag(name)]]) }));

/** Types of version 2 that decide how values are read. */
const metadataTypes = { counter: 1, histogram: 3, summary: 5 } as const;
const counterName = /_(total|count|sum|bucket)$/;
const partOfHistogram = /_(count|sum|bucket)$/;

/** Without a type, which version 1 sends apart from samples, the name decides by its convention. */
function infoOf(
  metric: string,
  { type, unit }: NonNullable<WrittenSeries['metadata']> = { type: 0, unit: '' },
): MetricInfo {
  const isCounter =
    type === 0
      ? counterName.test(metric)
      : type === metadataTypes.counter ||
        ((type === metadataTypes.histogram || type === metadataTypes.summary) && partOfHistogram.test(metric));
  return isCounter
    ? { metric, type: 'CounterMonotonic', temporality: 'Cumulative', unit }
    : { metric, type: 'Gauge', temporality: '', unit };
}

/** Labels that are numbers, so that queries can compare them. */
const numbers: ReadonlySet<string> = new Set(['le', 'quantile']);

const tagsOf = (labels: ReadonlyMap<string, string>): StoredTags =>
  new Map(
    [...labels]
      .filter(([name]) => name !== '__name__')
      .map(([name, value]) => [name, numbers.has(name) ? numberTag(value) : stringTag(value)]),
  );

function numberTag(value: string): string {
  const number = value === '+Inf' ? Infinity : value === '-Inf' ? -Infinity : Number(value);
  return Number.isNaN(number) ? stringTag(value) : floatTag(number);
}
