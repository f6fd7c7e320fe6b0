import { hash } from 'node:crypto';
import type { JsonBytes } from '../bytes/json-bytes.js';
import { doubleText } from '../otlp/json-text.js';
import { MalformedMessageError } from '../otlp/reader.js';
import { describedKey, isDescribed } from './described-series.js';
import { seriesBounds } from './series-bounds.js';
import type { StoredTags } from './tags.js';

/** What the points of a metric have in common. */
export interface MetricInfo {
  readonly metric: string;
  readonly type: 'Gauge' | 'CounterMonotonic' | 'CounterNonMonotonic' | 'Histogram' | 'Summary';
  /** Empty if it has none. */
  readonly temporality: 'Cumulative' | 'Delta' | '';
  readonly unit: string;
}

/** A value of a series. */
export interface Sample {
  readonly tags: StoredTags;
  readonly value: number;
}

/** What a row of a series says: a finite value, another one, or that the series ends. */
type PointRecord = 'point' | 'nan' | 'inf' | '-inf' | 'end';

const day = 86_400_000;
const noneDescribed = new BigInt64Array(1);
/** Earlier times are seconds or milliseconds that were sent as nanoseconds. */
const earliest = 100_000_000_000;

/**
 * Writes points, and once per day the tags of their series unless they are on disk, as the rows of
 * a metrics dataset: lines of JSON with fixed fields (docs/decisions/0036).
 */
export class SeriesRows {
  readonly #out: JsonBytes;
  readonly #arrival: number;
  readonly #knownKeys: BigInt64Array;
  /** Keys of the series described here. */
  readonly describedKeys = new Set<bigint>();
  /** Points written. */
  points = 0;

  /**
   * @param arrival ingest time, milliseconds since the epoch
   * @param known the table of `DescribedSeries`
   */
  constructor(out: JsonBytes, arrival: number, known: BigInt64Array = noneDescribed) {
    this.#out = out;
    this.#arrival = arrival;
    this.#knownKeys = known;
  }

  /**
   * Writes the samples of one point: all of them, or none.
   * @param sent milliseconds since the epoch; 0 for the ingest time
   * @throws MalformedMessageError for a point that cannot be stored
   */
  point(info: MetricInfo, sent: number, samples: readonly Sample[]): void {
    const time = sent === 0 ? this.#arrival : sent;
    this.#check(info, time, samples);
    for (const sample of samples) this.#sample(info, time, sample);
    this.points++;
    this.#out.check();
  }

  /**
   * Writes a sample that may be NaN or infinite, as Prometheus sends them.
   * @param sent milliseconds since the epoch; 0 for the ingest time
   * @throws MalformedMessageError for a sample that cannot be stored
   */
  anyPoint(info: MetricInfo, sent: number, { tags, value }: Sample): void {
    if (Number.isFinite(value)) this.point(info, sent, [{ tags, value }]);
    else this.#bare(Number.isNaN(value) ? 'nan' : value > 0 ? 'inf' : '-inf', info, sent, tags);
  }

  /**
   * Marks the end of a series: it has no value from here on.
   * @param sent milliseconds since the epoch; 0 for the ingest time
   * @throws MalformedMessageError for a mark that cannot be stored
   */
  end(info: MetricInfo, sent: number, tags: StoredTags): void {
    this.#bare('end', info, sent, tags);
  }

  /** Writes a row without a value: JSON has none but finite numbers. */
  #bare(record: Exclude<PointRecord, 'point'>, info: MetricInfo, sent: number, tags: StoredTags): void {
    const time = sent === 0 ? this.#arrival : sent;
    this.#check(info, time, [{ tags, value: 0 }]);
    this.#row(record, info, time, tags);
    this.#out.ascii('}\n');
    this.points++;
    this.#out.check();
  }

  #check({ metric, unit }: MetricInfo, time: number, samples: readonly Sample[]): void {
    const { nameBytes, tagBytes, tags: maxTags, samples: maxSamples } = seriesBounds;
    if (metric === '') throw new MalformedMessageError('the metric has no name');
    checkLength('the name of the metric', metric, nameBytes.max);
    checkLength('the unit', unit, nameBytes.max);
    if (time < earliest)
      throw new MalformedMessageError(`the time ${new Date(time).toISOString()} is before 1973; send nanoseconds`);
    if (time > this.#arrival + day)
      throw new MalformedMessageError(`the time ${shownTime(time)} is more than a day in the future`);
    if (samples.length > maxSamples.max)
      throw new MalformedMessageError(`the point has more than ${maxSamples.max} buckets`);
    const [first] = samples;
    if (first === undefined) return;
    if (first.tags.size > maxTags.max)
      throw new MalformedMessageError(`the point has more than ${maxTags.max} attributes`);
    for (const [name, value] of first.tags) {
      checkLength('the name of an attribute', name, nameBytes.max);
      checkLength(`the attribute '${name}'`, value, tagBytes.max);
    }
    const bad = samples.find(({ value }) => !Number.isFinite(value));
    if (bad !== undefined) throw new MalformedMessageError(`the value ${bad.value} is no finite number`);
  }

  #sample(info: MetricInfo, time: number, { tags, value }: Sample): void {
    this.#row('point', info, time, tags);
    this.#out.ascii(`,"value":${doubleText(value)}}\n`);
  }

  /** Begins a row of a series, after the description of the series if it is new. */
  #row(record: PointRecord, info: MetricInfo, time: number, tags: StoredTags): void {
    const out = this.#out;
    const text = tagsJson(tags);
    const series = seriesId(info.metric, text);
    const ofDay = Math.floor(time / day);
    if (this.#isNew(series, ofDay)) {
      this.#begin((ofDay + 1) * day - 1, 'series', info.metric, series);
      out.ascii(',"tags":');
      out.string(text);
      out.ascii(`,"type":"${info.type}","temporality":"${info.temporality}","unit":`);
      out.string(info.unit);
      out.ascii('}\n');
    }
    this.#begin(time, record, info.metric, series);
  }

  /**
   * Whether a series has to be described for a day. Those of past days always are, because a trim
   * may have deleted their descriptions.
   */
  #isNew(series: bigint, ofDay: number): boolean {
    const key = describedKey(series, ofDay);
    if (this.describedKeys.has(key)) return false;
    if (ofDay >= Math.floor(this.#arrival / day) && isDescribed(this.#knownKeys, key)) return false;
    this.describedKeys.add(key);
    return true;
  }

  #begin(time: number, record: string, metric: string, series: bigint): void {
    this.#out.ascii(`{"_time":${time}000000,"record":"${record}","metric":`);
    this.#out.string(metric);
    this.#out.ascii(`,"series":${series}`);
  }
}

/** Tags in the order of their names, so that equal tags have equal texts. */
const tagsJson = (tags: StoredTags): string =>
  JSON.stringify(Object.fromEntries([...tags].toSorted(([a], [b]) => (a < b ? -1 : 1))));

/** Hash of the metric and its tags: nothing assigns it, and a repeated point gets it again. */
const seriesId = (metric: string, tags: string): bigint =>
  hash('sha1', `${metric}\0${tags}`, 'buffer').readBigInt64LE(0);

function checkLength(what: string, text: string, max: number): void {
  // A UTF-16 unit takes at most three bytes.
  if (text.length * 3 <= max) return;
  const bytes = Buffer.byteLength(text);
  if (bytes > max) throw new MalformedMessageError(`${what} has ${bytes} bytes; at most ${max} are stored`);
}

const shownTime = (time: number): string => (time < 8.64e15 ? new Date(time).toISOString() : `${time} ms`);
