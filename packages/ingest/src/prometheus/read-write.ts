import { httpError } from '@millrace/api/errors';
import { CorruptDataError } from '../bytes/corrupt-data-error.js';
import { eightBytes, lengthPrefixed, varint, WireReader } from '../bytes/wire-reader.js';
import { MalformedMessageError } from '../otlp/reader.js';
import type { MetricInfo, SeriesRows } from '../series/row-writer.js';
import { floatTag, stringTag, type StoredTags } from '../series/tags.js';

/**
 * Writes the samples of a `prometheus.WriteRequest`:
 *
 *     WriteRequest  1 timeseries, 3 metadata (skipped: it comes in requests of its own)
 *     TimeSeries    1 labels {1 name, 2 value}, 2 samples {1 value, 2 milliseconds}, 4 native histograms
 *
 * NaN, also as a staleness marker, means that there is no value: such samples are left out.
 * @param reject called for samples that cannot be stored
 * @throws HttpError `invalid-events` for a damaged request
 */
export function readWrite(
  request: Uint8Array,
  rows: SeriesRows,
  reject: (error: string, points?: number) => void,
): void {
  try {
    new WriteReader(request, rows, reject).read();
  } catch (error) {
    if (!(error instanceof CorruptDataError)) throw error;
    throw httpError('invalid-events', { problem: `the body is no WriteRequest: ${error.message}` }, { cause: error });
  }
}

class WriteReader {
  readonly #wire: WireReader;
  readonly #rows: SeriesRows;
  readonly #reject: (error: string, points?: number) => void;

  constructor(request: Uint8Array, rows: SeriesRows, reject: (error: string, points?: number) => void) {
    this.#wire = new WireReader(request);
    this.#rows = rows;
    this.#reject = reject;
  }

  read(): void {
    const end = this.#wire.body.length;
    while (this.#wire.at < end) {
      const tag = this.#wire.tag(end, 'WriteRequest');
      if (tag >>> 3 === 1) this.#series(this.#part(tag, end, 'WriteRequest.timeseries'));
      else this.#wire.skip(tag, end, 'WriteRequest');
    }
  }

  /** The end of a message that begins here. */
  #part(tag: number, end: number, where: string): number {
    this.#wire.expect(tag, lengthPrefixed, where);
    return this.#wire.length(end, where);
  }

  #series(end: number): void {
    const labels = new Map<string, string>();
    const samples: { readonly value: number; readonly time: number }[] = [];
    let histograms = 0;
    while (this.#wire.at < end) {
      const tag = this.#wire.tag(end, 'TimeSeries');
      switch (tag >>> 3) {
        case 1:
          this.#label(labels, this.#part(tag, end, 'TimeSeries.labels'));
          break;
        case 2:
          samples.push(this.#sample(this.#part(tag, end, 'TimeSeries.samples')));
          break;
        case 4:
          histograms++;
          this.#wire.skip(tag, end, 'TimeSeries.histograms');
          break;
        default:
          this.#wire.skip(tag, end, 'TimeSeries');
      }
    }
    const metric = labels.get('__name__') ?? '';
    labels.delete('__name__');
    if (histograms > 0) this.#reject(`${metric}: native histograms are not stored; send classic ones`, histograms);
    const info = infoOf(metric);
    const tags = tagsOf(labels);
    for (const { value, time } of samples) {
      if (Number.isNaN(value)) continue;
      try {
        this.#rows.point(info, time, [{ tags, value }]);
      } catch (error) {
        if (!(error instanceof MalformedMessageError)) throw error;
        this.#reject(`${metric.slice(0, 100)}: ${error.message}`);
      }
    }
  }

  #label(labels: Map<string, string>, end: number): void {
    let name = '';
    let value = '';
    while (this.#wire.at < end) {
      const tag = this.#wire.tag(end, 'Label');
      const number = tag >>> 3;
      if (number !== 1 && number !== 2) this.#wire.skip(tag, end, 'Label');
      else {
        const stop = this.#part(tag, end, number === 1 ? 'Label.name' : 'Label.value');
        const text = this.#wire.body.toString('utf8', this.#wire.at, stop);
        this.#wire.at = stop;
        if (number === 1) name = text;
        else value = text;
      }
    }
    // An empty value means that the label is missing.
    if (value !== '') labels.set(name, value);
  }

  #sample(end: number): { readonly value: number; readonly time: number } {
    let value = 0;
    let time = 0;
    while (this.#wire.at < end) {
      const tag = this.#wire.tag(end, 'Sample');
      switch (tag >>> 3) {
        case 1:
          this.#wire.expect(tag, eightBytes, 'Sample.value');
          value = this.#wire.words.getFloat64(this.#wire.take(8, end, 'Sample.value'), true);
          break;
        case 2:
          this.#wire.expect(tag, varint, 'Sample.timestamp');
          this.#wire.varint(end, 'Sample.timestamp');
          time = (this.#wire.high | 0) * 4_294_967_296 + this.#wire.low;
          break;
        default:
          this.#wire.skip(tag, end, 'Sample');
      }
    }
    return { value, time };
  }
}

/** Version 1 sends types apart from samples, so the name decides, by the conventions for names. */
const infoOf = (metric: string): MetricInfo =>
  /_(total|count|sum|bucket)$/.test(metric)
    ? { metric, type: 'CounterMonotonic', temporality: 'Cumulative', unit: '' }
    : { metric, type: 'Gauge', temporality: '', unit: '' };

/** Labels that are numbers, so that queries can compare them. */
const numbers: ReadonlySet<string> = new Set(['le', 'quantile']);

const tagsOf = (labels: ReadonlyMap<string, string>): StoredTags =>
  new Map([...labels].map(([name, value]) => [name, numbers.has(name) ? numberTag(value) : stringTag(value)]));

function numberTag(value: string): string {
  const number = value === '+Inf' ? Infinity : value === '-Inf' ? -Infinity : Number(value);
  return Number.isNaN(number) ? stringTag(value) : floatTag(number);
}
