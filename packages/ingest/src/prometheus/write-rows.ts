import { MalformedMessageError } from '../otlp/reader.js';
import type { MetricInfo, Sample, SeriesRows } from '../series/row-writer.js';
import { floatTag, stringTag, type StoredTags } from '../series/tags.js';
import type { WriteSample } from './message-reader.js';
import { type NativeHistogram, nativeSamples } from './native-histogram.js';

/** A series of a request. */
export interface WrittenSeries {
  /** With `__name__`; none is empty. */
  readonly labels: ReadonlyMap<string, string>;
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
  readonly writtenCounts: WrittenCounts = { samples: 0, histograms: 0 };

  /** @param reject called for samples that cannot be stored */
  constructor(rows: SeriesRows, reject: (error: string) => void) {
    this.#rows = rows;
    this.#reject = reject;
  }

  series({ labels, samples, histograms, metadata }: WrittenSeries): void {
    const metric = labels.get('__name__') ?? '';
    const info = infoOf(metric, metadata);
    const tags = tagsOf(labels);
    for (const { value, time, isEnd } of samples)
      this.#point(metric, 'samples', () =>
        isEnd ? this.#rows.end(info, time, tags) : this.#rows.anyPoint(info, time, { tags, value }),
      );
    for (const histogram of histograms)
      this.#point(metric, 'histograms', () => {
        const about: MetricInfo = {
          ...info,
          type: 'Histogram',
          temporality: histogram.isGauge ? '' : 'Cumulative',
        };
        if (histogram.isEnd) this.#endStatistics(about, histogram.time, tags);
        else this.#rows.point(about, histogram.time, nativeSamples(histogram, tags));
      });
  }

  /** Buckets have no marker: they end when they are too old. */
  #endStatistics(info: MetricInfo, time: number, tags: StoredTags): void {
    for (const { tags: own } of statistics(tags)) this.#rows.end(info, time, own);
  }

  #point(metric: string, kind: keyof WrittenCounts, write: () => void): void {
    try {
      write();
      this.writtenCounts[kind]++;
    } catch (error) {
      if (!(error instanceof MalformedMessageError)) throw error;
      this.#reject(`${metric.slice(0, 100)}: ${error.message}`);
    }
  }
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
