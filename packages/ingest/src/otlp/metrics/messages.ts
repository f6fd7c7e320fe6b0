import { type DecodedMessage, message } from '../message-schema.js';
import type { Names } from '../message-schema.js';

/** The messages of OTLP metrics below the scope, declared once for both readers. */

export const temporalities: Names = {
  prefix: 'AGGREGATION_TEMPORALITY_',
  names: ['unspecified', 'delta', 'cumulative'],
};

const NumberDataPoint = message('NumberDataPoint', {
  timeUnixNano: { number: 3, kind: 'time' },
  asDouble: { number: 4, kind: 'double' },
  asInt: { number: 6, kind: 'sfixed64' },
  attributes: { number: 7, kind: 'attributes' },
  flags: { number: 8, kind: 'uint32' },
});
const HistogramDataPoint = message('HistogramDataPoint', {
  timeUnixNano: { number: 3, kind: 'time' },
  count: { number: 4, kind: 'fixed64' },
  sum: { number: 5, kind: 'double' },
  bucketCounts: { number: 6, kind: 'fixed64s' },
  explicitBounds: { number: 7, kind: 'doubles' },
  attributes: { number: 9, kind: 'attributes' },
  flags: { number: 10, kind: 'uint32' },
  min: { number: 11, kind: 'double' },
  max: { number: 12, kind: 'double' },
});
const Buckets = message('Buckets', {
  offset: { number: 1, kind: 'sint32' },
  bucketCounts: { number: 2, kind: 'varints' },
});
const ExponentialHistogramDataPoint = message('ExponentialHistogramDataPoint', {
  attributes: { number: 1, kind: 'attributes' },
  timeUnixNano: { number: 3, kind: 'time' },
  count: { number: 4, kind: 'fixed64' },
  sum: { number: 5, kind: 'double' },
  scale: { number: 6, kind: 'sint32' },
  zeroCount: { number: 7, kind: 'fixed64' },
  positive: { number: 8, kind: { one: Buckets } },
  negative: { number: 9, kind: { one: Buckets } },
  flags: { number: 10, kind: 'uint32' },
  min: { number: 12, kind: 'double' },
  max: { number: 13, kind: 'double' },
  zeroThreshold: { number: 14, kind: 'double' },
});
const ValueAtQuantile = message('ValueAtQuantile', {
  quantile: { number: 1, kind: 'double' },
  value: { number: 2, kind: 'double' },
});
const SummaryDataPoint = message('SummaryDataPoint', {
  timeUnixNano: { number: 3, kind: 'time' },
  count: { number: 4, kind: 'fixed64' },
  sum: { number: 5, kind: 'double' },
  quantileValues: { number: 6, kind: { many: ValueAtQuantile } },
  attributes: { number: 7, kind: 'attributes' },
  flags: { number: 8, kind: 'uint32' },
});

const Gauge = message('Gauge', { dataPoints: { number: 1, kind: { many: NumberDataPoint } } });
const Sum = message('Sum', {
  dataPoints: { number: 1, kind: { many: NumberDataPoint } },
  aggregationTemporality: { number: 2, kind: temporalities },
  isMonotonic: { number: 3, kind: 'bool' },
});
const Histogram = message('Histogram', {
  dataPoints: { number: 1, kind: { many: HistogramDataPoint } },
  aggregationTemporality: { number: 2, kind: temporalities },
});
const ExponentialHistogram = message('ExponentialHistogram', {
  dataPoints: { number: 1, kind: { many: ExponentialHistogramDataPoint } },
  aggregationTemporality: { number: 2, kind: temporalities },
});
const Summary = message('Summary', { dataPoints: { number: 1, kind: { many: SummaryDataPoint } } });

export const Metric = message('Metric', {
  name: { number: 1, kind: 'text' },
  unit: { number: 3, kind: 'text' },
  gauge: { number: 5, kind: { one: Gauge } },
  sum: { number: 7, kind: { one: Sum } },
  histogram: { number: 9, kind: { one: Histogram } },
  exponentialHistogram: { number: 10, kind: { one: ExponentialHistogram } },
  summary: { number: 11, kind: { one: Summary } },
});

export type MetricPart = DecodedMessage<(typeof Metric)['fields']>;
export type NumberPoint = DecodedMessage<(typeof NumberDataPoint)['fields']>;
export type HistogramPoint = DecodedMessage<(typeof HistogramDataPoint)['fields']>;
export type ExponentialPoint = DecodedMessage<(typeof ExponentialHistogramDataPoint)['fields']>;
export type SummaryPoint = DecodedMessage<(typeof SummaryDataPoint)['fields']>;
