import { hash } from 'node:crypto';
import { MalformedMessageError } from '../otlp/reader.js';
import { describedKey, type DescribedTable, isDescribed } from './described-series.js';
import { pointRecord, RowColumns, type SeriesDescription } from './row-columns.js';
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

/** A series whose name and tags are within the bounds. */
export interface Series {
  readonly metric: string;
  /** The halves of its ID. */
  readonly idLow: number;
  readonly idHigh: number;
  /** A day since the epoch for which its description is on disk; NaN if none is known. */
  describedDay: number;
}

/** How much may be written. */
export interface RowsBound {
  /** Maximum bytes of the rows. */
  readonly max: number;
  /** Creates the error thrown above the maximum. */
  readonly tooMany: () => Error;
  /** Called before the rows take this many bytes. */
  readonly growing?: ((bytes: number) => void) | undefined;
}

/** What a row of a series says: a finite value, another one, or that the series ends. */
type PointRecord = typeof pointRecord | 'nan' | 'inf' | '-inf' | 'end';

const day = 86_400_000;
const noneDescribed = { keys: new BigInt64Array(1) };
/** Earlier times are seconds or milliseconds that were sent as nanoseconds. */
const earliest = 100_000_000_000;
const firstAnnounced = 2 ** 20;

/**
 * Writes points, and once per day the tags of their series unless they are on disk, as the rows of
 * a metrics dataset (docs/decisions/0036).
 */
export class SeriesRows {
  readonly columns = new RowColumns();
  /** Keys of the series described here. */
  readonly describedKeys = new Set<bigint>();
  /** Points written. */
  points = 0;
  readonly #bound: RowsBound;
  readonly #arrival: number;
  readonly #arrivalDay: number;
  readonly #describedTable: Pick<DescribedTable, 'keys'>;
  #announcedBytes = 0;

  /**
   * @param arrival ingest time, milliseconds since the epoch
   * @param described series that need no description
   */
  constructor(bound: RowsBound, arrival: number, described: Pick<DescribedTable, 'keys'> = noneDescribed) {
    this.#bound = bound;
    this.#arrival = arrival;
    this.#arrivalDay = Math.floor(arrival / day);
    this.#describedTable = described;
  }

  /**
   * Writes the samples of one point: all of them, or none.
   * @param sent milliseconds since the epoch; 0 for the ingest time
   * @throws MalformedMessageError for a point that cannot be stored
   */
  point(info: MetricInfo, sent: number, samples: readonly Sample[]): void {
    const { samples: maxSamples } = seriesBounds;
    if (samples.length > maxSamples.max)
      throw new MalformedMessageError(`the point has more than ${maxSamples.max} buckets`);
    const time = this.#timeOf(sent);
    // The tags of the other samples differ in statistics and bounds alone, which are short.
    checkSeries(info, samples[0]?.tags ?? new Map());
    const bad = samples.find(({ value }) => !Number.isFinite(value));
    if (bad !== undefined) throw new MalformedMessageError(`the value ${bad.value} is no finite number`);
    for (const { tags, value } of samples) {
      const text = tagsJson(tags);
      this.#row(pointRecord, seriesOf(info.metric, text), time, () => ({ ...info, tags: text }));
      this.columns.setValue(value);
    }
    this.#endPoint();
  }

  /**
   * Marks the end of a series: it has no value from here on.
   * @param sent milliseconds since the epoch; 0 for the ingest time
   * @throws MalformedMessageError for a mark that cannot be stored
   */
  end(info: MetricInfo, sent: number, tags: StoredTags): void {
    this.endOf(identifySeries(info, tags), sent, () => describeSeries(info, tags));
  }

  /**
   * Marks the end of an identified series.
   * @throws MalformedMessageError for a mark that cannot be stored
   */
  endOf(series: Series, sent: number, describe: () => SeriesDescription): void {
    this.#row('end', series, this.#timeOf(sent), describe);
    this.#endPoint();
  }

  /**
   * Writes a value of an identified series; it may be NaN or infinite, as Prometheus sends them.
   * @param sent milliseconds since the epoch; 0 for the ingest time
   * @throws MalformedMessageError for a time that cannot be stored
   */
  pointOf(series: Series, sent: number, value: number, describe: () => SeriesDescription): void {
    this.#row(recordOf(value), series, this.#timeOf(sent), describe);
    if (Number.isFinite(value)) this.columns.setValue(value);
    this.#endPoint();
  }

  #endPoint(): void {
    this.points++;
    const { bytes } = this.columns;
    const { max, tooMany, growing } = this.#bound;
    if (bytes > max) throw tooMany();
    if (bytes <= this.#announcedBytes) return;
    this.#announcedBytes = Math.max(firstAnnounced, 2 * bytes);
    growing?.(this.#announcedBytes);
  }

  #timeOf(sent: number): number {
    const time = sent === 0 ? this.#arrival : sent;
    if (time < earliest)
      throw new MalformedMessageError(`the time ${new Date(time).toISOString()} is before 1973; send nanoseconds`);
    if (time > this.#arrival + day)
      throw new MalformedMessageError(`the time ${shownTime(time)} is more than a day in the future`);
    return time;
  }

  /** Adds a row of a series, after the description of the series if it is new. */
  #row(record: PointRecord, series: Series, time: number, describe: () => SeriesDescription): void {
    const { metric, idLow, idHigh } = series;
    const ofDay = Math.floor(time / day);
    const key = this.#newKey(series, ofDay);
    if (key !== undefined) {
      const description = describe();
      this.columns.add('series', metric, idLow, idHigh, (ofDay + 1) * day - 1);
      this.columns.describe(description);
      this.describedKeys.add(key);
    }
    this.columns.add(record, metric, idLow, idHigh, time);
  }

  /**
   * The key of a series that has to be described for a day. Those of past days always are, because
   * a trim may have deleted their descriptions.
   */
  #newKey(series: Series, ofDay: number): bigint | undefined {
    const isPast = ofDay < this.#arrivalDay;
    if (series.describedDay === ofDay && !isPast) return undefined;
    const id = (BigInt(series.idHigh) << 32n) | BigInt(series.idLow >>> 0);
    const key = describedKey(id, ofDay);
    if (this.describedKeys.has(key)) return undefined;
    if (isPast || !isDescribed(this.#describedTable, key)) return key;
    series.describedDay = ofDay;
    return undefined;
  }
}

/** @throws MalformedMessageError for names and tags that cannot be stored */
export function identifySeries(info: MetricInfo, tags: StoredTags): Series {
  checkSeries(info, tags);
  return seriesOf(info.metric, tagsJson(tags));
}

/** @throws MalformedMessageError for names and tags that cannot be stored */
export function describeSeries(info: MetricInfo, tags: StoredTags): SeriesDescription {
  checkSeries(info, tags);
  return { ...info, tags: tagsJson(tags) };
}

function checkSeries({ metric, unit }: MetricInfo, tags: StoredTags): void {
  const { nameBytes, tagBytes, tags: maxTags } = seriesBounds;
  if (metric === '') throw new MalformedMessageError('the metric has no name');
  checkLength('the name of the metric', metric, nameBytes.max);
  checkLength('the unit', unit, nameBytes.max);
  if (tags.size > maxTags.max) throw new MalformedMessageError(`the point has more than ${maxTags.max} attributes`);
  for (const [name, value] of tags) {
    checkLength('the name of an attribute', name, nameBytes.max);
    checkLength(`the attribute '${name}'`, value, tagBytes.max);
  }
}

/** Tags in the order of their names, so that equal tags have equal texts. */
const tagsJson = (tags: StoredTags): string =>
  JSON.stringify(Object.fromEntries([...tags].toSorted(([a], [b]) => (a < b ? -1 : 1))));

/**
 * The ID is a hash of the metric and its tags: nothing assigns it, and a repeated point gets it
 * again.
 */
function seriesOf(metric: string, tags: string): Series {
  const id = hash('sha1', `${metric}\0${tags}`, 'buffer');
  return { metric, idLow: id.readInt32LE(0), idHigh: id.readInt32LE(4), describedDay: NaN };
}

const recordOf = (value: number): PointRecord =>
  Number.isFinite(value) ? pointRecord : Number.isNaN(value) ? 'nan' : value > 0 ? 'inf' : '-inf';

function checkLength(what: string, text: string, max: number): void {
  // A UTF-16 unit takes at most three bytes.
  if (text.length * 3 <= max) return;
  const bytes = Buffer.byteLength(text);
  if (bytes > max) throw new MalformedMessageError(`${what} has ${bytes} bytes; at most ${max} are stored`);
}

const shownTime = (time: number): string => (time < 8.64e15 ? new Date(time).toISOString() : `${time} ms`);
