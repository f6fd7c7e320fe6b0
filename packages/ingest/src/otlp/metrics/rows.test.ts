import { expect, test } from 'vitest';
import { DEFAULT_LIMITS } from '@millrace/events';
import { JsonBytes } from '../../bytes/json-bytes.js';
import { DescribedSeries } from '../../series/described-series.js';
import { SeriesRows } from '../../series/row-writer.js';
import { rowsOfBlock, testBound, type WrittenRow } from '../../series/testing/rows-of.js';
import { floatTag, tagOfJson } from '../../series/tags.js';
import { attribute, arrival, bodyOf, type Format, formats } from '../testing/test-requests.js';
import { metricsOf } from '../testing/metrics.js';
import { JsonReader } from '../json.js';
import { ProtobufReader } from '../protobuf.js';
import { readMetrics } from './encode-metrics.js';
import { MetricWriter } from './metric-writer.js';

/** The rows of data points. */

const time = '1790000000123456789';
const newBytes = (): JsonBytes => new JsonBytes(0, 1 << 24, () => new Error('too large'));

function rowsOf(
  request: object,
  format: Format = formats[1],
): { rows: readonly WrittenRow[]; errors: readonly string[] } {
  const pieces = newBytes();
  const errors: string[] = [];
  const rows = new SeriesRows(testBound, Number(arrival / 1_000_000n));
  const writer = new MetricWriter(rows, pieces, (error) => errors.push(error));
  const body = bodyOf('metrics', format, request);
  const recordError = (error: string): void => void errors.push(error);
  if (format === 'application/json')
    readMetrics(new JsonReader(body, DEFAULT_LIMITS, pieces), writer, pieces, recordError);
  else readMetrics(new ProtobufReader(body, DEFAULT_LIMITS, pieces), writer, pieces, recordError);
  return { rows: rowsOfBlock(rows), errors };
}

/** Values by the tags that tell the series of one point apart. */
const valuesOf = (request: object): readonly string[] => {
  const { rows } = rowsOf(request);
  const names = new Map(rows.filter(({ tags }) => tags !== undefined).map(({ series, tags }) => [series, tags]));
  return rows.filter(({ record }) => record === 'point').map(({ series, value }) => `${names.get(series)} ${value}`);
};

test.each(formats)('a counter is a description of its series and its points (%s)', (format) => {
  const dataPoints = [1, 2].map((asInt) => ({ timeUnixNano: time, asInt: String(asInt) }));
  const sum = { dataPoints, aggregationTemporality: 2, isMonotonic: true };
  const { rows } = rowsOf(metricsOf([{ name: 'requests', unit: '{request}', sum }], { host: 'a' }), format);
  const { series } = rows[0]!;
  const common = { metric: 'requests', series };
  expect(rows).toEqual([
    {
      ...common,
      _time: BigInt(Date.UTC(2026, 8, 21, 23, 59, 59, 999)) * 1_000_000n,
      record: 'series',
      tags: '{"host":"sa"}',
      type: 'CounterMonotonic',
      temporality: 'Cumulative',
      unit: '{request}',
    },
    { ...common, _time: 1_790_000_000_123_000_000n, record: 'point', value: 1 },
    { ...common, _time: 1_790_000_000_123_000_000n, record: 'point', value: 2 },
  ]);
});

test('tags keep their types; point wins over scope, scope over resource', () => {
  const of = (key: string, value: object) => attribute(key, value);
  const request = {
    resourceMetrics: [
      {
        resource: { attributes: ['r', 's', 'p'].map((key) => of(key, { stringValue: 'resource' })) },
        scopeMetrics: [
          {
            scope: { name: 'lib', attributes: ['s', 'p'].map((key) => of(key, { stringValue: 'scope' })) },
            metrics: [
              {
                name: 'm',
                gauge: {
                  dataPoints: [
                    {
                      asDouble: 1,
                      attributes: [
                        of('p', { stringValue: 'point' }),
                        of('int', { intValue: '404' }),
                        of('float', { doubleValue: 1 }),
                        of('yes', { boolValue: true }),
                        of('list', { arrayValue: { values: [{ stringValue: 'x' }, { intValue: '5' }] } }),
                        of('none', {}),
                      ],
                    },
                  ],
                },
              },
            ],
          },
        ],
      },
    ],
  };
  expect(JSON.parse(rowsOf(request).rows[0]!.tags!)).toEqual({
    'otel.scope.name': 'slib',
    r: 'sresource',
    s: 'sscope',
    p: 'spoint',
    int: 'i404',
    float: 'f1',
    yes: 'b1',
    list: 'a["sx","i5"]',
  });
});

test('buckets of a histogram include the smaller ones', () => {
  const point = { timeUnixNano: time, count: '6', sum: 7.5, max: 4, bucketCounts: [1, 2, 3], explicitBounds: [0.5, 2] };
  expect(valuesOf(metricsOf([{ name: 'h', histogram: { dataPoints: [point] } }]))).toEqual([
    '{"axiom.histogram":"sbucket","le":"f0.5"} 1',
    '{"axiom.histogram":"sbucket","le":"f2"} 3',
    '{"axiom.histogram":"sbucket","le":"finf"} 6',
    '{"axiom.histogram":"scount"} 6',
    '{"axiom.histogram":"ssum"} 7.5',
    '{"axiom.histogram":"smax"} 4',
  ]);
});

test('buckets of an exponential histogram keep at most four bounds to a power of two', () => {
  const positive = { offset: 0, bucketCounts: Array.from({ length: 16 }, () => 1) };
  const point = { timeUnixNano: time, count: '20', scale: 4, zeroCount: 1, positive, negative: { bucketCounts: [3] } };
  const values = valuesOf(metricsOf([{ name: 'h', exponentialHistogram: { dataPoints: [point] } }]));
  const bounds = [-1, 0, 2 ** 0.25, 2 ** 0.5, 2 ** 0.75, 2, Infinity];
  expect(values.slice(0, -1)).toEqual(
    [3, 4, 8, 12, 16, 20, 20].map(
      (count, i) => `{"axiom.histogram":"sbucket","le":"${floatTag(bounds[i]!)}"} ${count}`,
    ),
  );
});

test('a summary', () => {
  const quantileValues = [
    { quantile: 0.5, value: 1 },
    { quantile: 0.99, value: 3 },
  ];
  const point = { timeUnixNano: time, count: '2', sum: 4, quantileValues };
  expect(valuesOf(metricsOf([{ name: 's', summary: { dataPoints: [point] } }]))).toEqual([
    '{"quantile":"f0.5"} 1',
    '{"quantile":"f0.99"} 3',
    '{"axiom.summary":"scount"} 2',
    '{"axiom.summary":"ssum"} 4',
  ]);
});

test.each([
  [{ name: 'm', gauge: { dataPoints: [{ asDouble: 'Infinity' }] } }, 'the value Infinity is no finite number'],
  [{ name: 'm', gauge: { dataPoints: [{}] } }, 'neither asDouble nor asInt'],
  [{ name: '', gauge: { dataPoints: [{ asInt: '1' }] } }, 'the metric has no name'],
  [{ name: 'm'.repeat(257), gauge: { dataPoints: [{ asInt: '1' }] } }, 'has 257 bytes; at most 256 are stored'],
  [{ name: 'm', gauge: { dataPoints: [{ asInt: '1', timeUnixNano: '1790000000' }] } }, 'is before 1973'],
  [{ name: 'm' }, 'expected gauge, sum, histogram'],
  [
    { name: 'm', histogram: { dataPoints: [{ count: '1', bucketCounts: ['1'], explicitBounds: [1] }] } },
    '1 bucketCounts for 1 explicitBounds; expected 2',
  ],
  [
    { name: 'm', histogram: { dataPoints: [{ count: '1', bucketCounts: [1, 0, 0], explicitBounds: [2, 1] }] } },
    'explicitBounds[1] is not greater',
  ],
])('%j is rejected', (metric, error) => {
  expect(rowsOf(metricsOf([metric]))).toEqual({ rows: [], errors: [expect.stringContaining(error)] });
});

test('a point without a value ends its series; histogram series are omitted', () => {
  const dataPoints = [{ flags: 1, timeUnixNano: time }];
  const kindsOf = (metric: object): readonly unknown[] =>
    rowsOf(metricsOf([{ name: 'm', ...metric }])).rows.map(({ record, value }) => [record, value]);
  expect(kindsOf({ gauge: { dataPoints } })).toEqual([
    ['series', undefined],
    ['end', undefined],
  ]);
  expect(kindsOf({ histogram: { dataPoints, aggregationTemporality: 2 } })).toEqual([]);
});

test.each([
  ['"a\\"b"', 'sa"b'],
  ['true', 'b1'],
  ['-5', 'i-5'],
  ['1.0', 'f1'],
  ['1e300', 'f1e+300'],
  ['{"a":1}', 's{"a":1}'],
  ['[1.5,true]', 'a["f1.5","b1"]'],
  ['null', undefined],
])('the tag of %s', (json, tag) => expect(tagOfJson(json)).toBe(tag));

test('a series is described once a day, as long as its description is on disk', () => {
  const described = new DescribedSeries();
  const now = Date.UTC(2026, 8, 21, 12);
  const recordsAt = (time: number): readonly string[] => {
    const rows = new SeriesRows(testBound, now, described.table);
    rows.point({ metric: 'm', type: 'Gauge', temporality: '', unit: '' }, time, [{ tags: new Map(), value: 1 }]);
    described.add(BigInt64Array.from(rows.describedKeys));
    return rowsOfBlock(rows).map(({ record }) => record);
  };
  expect(recordsAt(now)).toEqual(['series', 'point']);
  expect(recordsAt(now + 1000)).toEqual(['point']);
  expect(recordsAt(now + 86_400_000)).toEqual(['series', 'point']);
  // A trim may have deleted those of past days.
  for (let i = 0; i < 2; i++) expect(recordsAt(now - 86_400_000)).toEqual(['series', 'point']);
});
