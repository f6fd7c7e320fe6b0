import type { JsonBytes, Piece } from '../../bytes/json-bytes.js';
import type { MetricInfo, Sample, SeriesRows } from '../../series/row-writer.js';
import { stringTag, type StoredTags, tagOfJson } from '../../series/tags.js';
import { type Instant, isSent } from '../instant.js';
import type { Attribute } from '../message-schema.js';
import type { ResourcePart, ScopePart } from '../messages.js';
import { MalformedMessageError } from '../reader.js';
import { type MetricPart, temporalities } from './messages.js';
import { ofExponential, ofHistogram, ofNumber, ofSummary } from './samples.js';

/** The point was sent to say that there is no value. */
const noRecordedValue = 1;

interface Point {
  readonly timeUnixNano: Instant;
  readonly attributes: readonly Attribute[];
  readonly flags: number;
}

/** Writes the data points of metrics as rows; resource, scope and point share one set of tags. */
export class MetricWriter {
  readonly #rows: SeriesRows;
  readonly #pieces: JsonBytes;
  readonly #reject: (error: string) => void;

  /**
   * @param pieces contains the strings of the messages
   * @param reject called for each data point that cannot be stored
   */
  constructor(rows: SeriesRows, pieces: JsonBytes, reject: (error: string) => void) {
    this.#rows = rows;
    this.#pieces = pieces;
    this.#reject = reject;
  }

  resourceTags = ({ resource }: ResourcePart): StoredTags => tagsOf(resource?.attributes ?? []);

  scopeTags({ scope }: ScopePart, ofResource: StoredTags): StoredTags {
    if (scope === undefined) return ofResource;
    const about = { 'otel.scope.name': this.#text(scope.name), 'otel.scope.version': this.#text(scope.version) };
    const named = Object.entries(about).flatMap(([name, text]): [string, string][] =>
      text === '' ? [] : [[name, stringTag(text)]],
    );
    return new Map([...ofResource, ...named, ...tagsOf(scope.attributes)]);
  }

  /**
   * @param place where the metric is in the request
   * @throws MalformedMessageError for a metric without data
   */
  metric(metric: MetricPart, common: StoredTags, place: string): void {
    const { gauge, sum, histogram, exponentialHistogram: exponential, summary } = metric;
    const name = this.#text(metric.name);
    const info = { metric: name, unit: this.#text(metric.unit) };
    const all = <P extends Point>(
      points: readonly P[],
      about: Pick<MetricInfo, 'type' | 'temporality'>,
      samples: (point: P, tags: StoredTags) => readonly Sample[],
    ): void => {
      const whole: MetricInfo = { ...info, ...about };
      const isNumber = gauge !== undefined || sum !== undefined;
      for (const [i, point] of points.entries()) {
        const hasEnded = (point.flags & noRecordedValue) !== 0;
        // Which buckets and quantiles end is unknown.
        if (hasEnded && !isNumber) continue;
        try {
          const tags = new Map([...common, ...tagsOf(point.attributes)]);
          if (hasEnded) {
            this.#rows.end(whole, millisecondsOf(point.timeUnixNano), tags);
            continue;
          }
          this.#rows.point(whole, millisecondsOf(point.timeUnixNano), samples(point, tags));
        } catch (error) {
          if (!(error instanceof MalformedMessageError)) throw error;
          this.#reject(`${place}${name === '' ? '' : ` (${shortenName(name)})`}, data point ${i}: ${error.message}`);
        }
      }
    };
    if (gauge !== undefined) all(gauge.dataPoints, { type: 'Gauge', temporality: '' }, ofNumber);
    else if (sum !== undefined)
      all(
        sum.dataPoints,
        {
          type: sum.isMonotonic ? 'CounterMonotonic' : 'CounterNonMonotonic',
          temporality: temporalityOf(sum.aggregationTemporality),
        },
        ofNumber,
      );
    else if (histogram !== undefined)
      all(
        histogram.dataPoints,
        { type: 'Histogram', temporality: temporalityOf(histogram.aggregationTemporality) },
        ofHistogram,
      );
    else if (exponential !== undefined)
      all(
        exponential.dataPoints,
        { type: 'Histogram', temporality: temporalityOf(exponential.aggregationTemporality) },
        ofExponential,
      );
    else if (summary !== undefined) all(summary.dataPoints, { type: 'Summary', temporality: 'Cumulative' }, ofSummary);
    // A kind of data that this version does not know, or none.
    else throw new MalformedMessageError('expected gauge, sum, histogram, exponentialHistogram or summary');
  }

  #text({ start, end }: Piece): string {
    return start === end ? '' : (JSON.parse(this.#pieces.writtenBytes().toString('utf8', start, end)) as string);
  }
}

function tagsOf(attributes: readonly Attribute[]): StoredTags {
  const tags = new Map<string, string>();
  for (const { key, in: pieces, start, end } of attributes) {
    const tag = tagOfJson(pieces.writtenBytes().toString('utf8', start, end));
    if (tag !== undefined) tags.set(key.text, tag);
  }
  return tags;
}

const millisecondsOf = (time: Instant): number =>
  isSent(time) ? time.seconds * 1000 + Math.floor(time.nanoseconds / 1e6) : 0;

const temporalityOf = (number: number): MetricInfo['temporality'] => {
  const name = temporalities.names[number];
  return name === 'delta' ? 'Delta' : name === 'cumulative' ? 'Cumulative' : '';
};

const shortenName = (name: string): string => (name.length > 100 ? `${name.slice(0, 100)}…` : name);
