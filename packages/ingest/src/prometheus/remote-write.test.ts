import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type EngineTestServer } from '@millrace/server/testing/engine-test-server';
import { sharedTestServer } from '@millrace/server/testing/shared-test-server';
import { lengthDelimitedField } from '../otlp/testing/otlp-protobuf.js';
import { snappy } from '../testing/snappy.js';
import {
  histogramMessage,
  type SentSeries,
  type SentValue,
  writeRequest,
  writeRequest2,
} from './testing/write-request.js';

/** Requests of Prometheus, from the sender to the results of queries. */

let world: EngineTestServer;
beforeAll(async () => {
  world = await sharedTestServer();
  await world.send('POST', '/v2/datasets', { name: 'scraped', kind: 'otel:metrics:v1' });
  await world.dataset('events');
});
afterAll(() => world.close());

const start = 1_790_000_040;

/** Values at intervals of a minute. */
const minutes = (values: readonly SentValue[]): SentSeries['samples'] =>
  values.map((value, i) => [(start + 60 * i) * 1000, value] as const);

interface Series {
  readonly labels: Readonly<Record<string, string>>;
  readonly values: readonly SentValue[];
  readonly more?: Uint8Array;
}

const sentOf = ({ values, ...series }: Series): SentSeries => ({ ...series, samples: minutes(values) });
const requestOf = (all: readonly Series[]): Buffer => writeRequest(all.map(sentOf));

async function send(body: Uint8Array, path = '/v1/ingest/scraped/prometheus/api/v1/write', more: object = {}) {
  const response = await fetch(world.url + path, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${world.owner}`,
      'content-type': 'application/x-protobuf',
      'content-encoding': 'snappy',
      'x-prometheus-remote-write-version': '0.1.0',
      ...more,
    },
    body: Uint8Array.from(body),
  });
  const written = ['samples', 'histograms', 'exemplars'].map((kind) =>
    response.headers.get(`x-prometheus-remote-write-${kind}-written`),
  );
  return { status: response.status, text: await response.text(), written };
}

const write = (series: readonly Series[], path?: string, more?: object) => send(snappy(requestOf(series)), path, more);

async function valuesOf(mpl: string): Promise<readonly unknown[]> {
  const { body } = await world.send<{
    readonly series: readonly { readonly tags: object; readonly data: readonly (number | null)[] }[];
  }>('POST', '/v1/query/_mpl', { mpl, startTime: '2026-09-21T14:14:00Z', endTime: '2026-09-21T14:24:00Z' });
  return body.series.map(({ tags, data }) => [tags, data.filter((value) => value !== null)]);
}

const up = { __name__: 'up', job: 'node' };

test('samples are stored once, however often they are sent', async () => {
  for (let i = 0; i < 2; i++)
    expect(await write([{ labels: up, values: [1, 0, 1] }])).toEqual({
      status: 204,
      text: '',
      written: ['3', '0', '0'],
    });
  expect(await valuesOf('scraped:up | align to 1m using last')).toEqual([[{ job: 'node' }, [1, 0, 1]]]);
});

test('labels may follow the samples', async () => {
  const label = Buffer.concat([
    lengthDelimitedField(1, Buffer.from('host')),
    lengthDelimitedField(2, Buffer.from('a')),
  ]);
  const late = { labels: { __name__: 'late' }, values: [5], more: lengthDelimitedField(1, label) };
  const early = { labels: { __name__: 'late' }, values: [4] };
  expect((await write([early, late, early])).written).toEqual(['3', '0', '0']);
  expect(await valuesOf('scraped:late | align to 1m using last')).toEqual([
    [{ host: 'a' }, [5]],
    [{}, [4]],
  ]);
});

test('a cached series is described again for each day', async () => {
  const labels = { __name__: 'daily', host: 'a' };
  const days = [0, 1].map((day) => writeRequest([{ labels, samples: [[(start + 86_400 * day) * 1000, day]] }]));
  for (const day of [...days, ...days]) expect((await send(snappy(day))).status).toBe(204);
  const { body } = await world.send<{ readonly series: readonly object[] }>('POST', '/v1/query/_mpl', {
    mpl: 'scraped:daily | align to 1m using last',
    startTime: '2026-09-22T14:14:00Z',
    endTime: '2026-09-22T14:24:00Z',
  });
  expect(body.series).toMatchObject([{ tags: { host: 'a' } }]);
});

test('counters, and quantiles of classic histograms', async () => {
  const bucket = (le: string, values: readonly number[]): Series => ({
    labels: { __name__: 'latency_bucket', le },
    values,
  });
  await write(
    [
      { labels: { __name__: 'requests_total' }, values: [10, 70, 10] },
      bucket('0.1', [0, 5]),
      bucket('1', [0, 9]),
      bucket('+Inf', [0, 10]),
    ],
    '/api/v1/write',
    { 'x-axiom-metrics-dataset': 'scraped' },
  );
  expect(await valuesOf('scraped:requests_total | map increase | align to 1m using sum')).toEqual([[{}, [60, 10]]]);
  const quantile = 'bucket to 1m using interpolate_cumulative_histogram(increase, 0.5, 0.9)';
  expect(await valuesOf(`scraped:latency_bucket | ${quantile}`)).toEqual([
    [{ spec: 'p50' }, [0.1]],
    [{ spec: 'p90' }, [1]],
  ]);
});

test('ends, NaN and infinities are gaps of MPL', async () => {
  const labels = { __name__: 'some', job: 'a' };
  expect((await write([{ labels, values: [1, 'end', Number.NaN, Infinity, 2] }])).status).toBe(204);
  expect(await valuesOf('scraped:some | align to 1m using last')).toEqual([[{ job: 'a' }, [1, 2]]]);
});

test.each([
  ['no name', requestOf([{ labels: { a: 'b' }, values: [1] }]), 400, 'the metric has no name'],
  ['a damaged request', Buffer.from([0x0a, 0x7f, 1]), 400, 'the body is no WriteRequest: byte 1'],
])('%s', async (_, body, status, says) => {
  expect(await send(snappy(body))).toMatchObject({ status, text: expect.stringContaining(says) });
});

test('requests that are refused as a whole', async () => {
  expect(await send(Buffer.from('not snappy'))).toMatchObject({ status: 400 });
  expect(await write([], '/v1/ingest/events/prometheus')).toMatchObject({
    status: 400,
    text: expect.stringContaining('stores events, not metrics'),
  });
  const unknown = { 'content-type': 'application/x-protobuf;proto=io.prometheus.write.v3.Request' };
  expect(await write([], undefined, unknown)).toMatchObject({
    status: 415,
    text: expect.stringContaining('application/x-protobuf;proto=io.prometheus.write.v2.Request'),
  });
});

const version2 = {
  'content-type': 'application/x-protobuf;proto=io.prometheus.write.v2.Request',
  'x-prometheus-remote-write-version': '2.0.0',
};

test('version 2: symbols, types and units', async () => {
  const requests = writeRequest2([
    { labels: { __name__: 'v2_bytes', job: 'a' }, samples: minutes([10, 40, 5]), type: 1, unit: 'bytes' },
    { labels: { __name__: 'v2_open', job: 'a' }, samples: minutes([3, 1]), type: 2 },
  ]);
  expect(await send(snappy(requests), undefined, version2)).toEqual({
    status: 204,
    text: '',
    written: ['5', '0', '0'],
  });
  expect(await valuesOf('scraped:v2_bytes | align to 1m using prom::rate | map * 60')).toEqual([
    [{ job: 'a' }, [30, 5]],
  ]);
  expect(await valuesOf('scraped:v2_open | align to 1m using last')).toEqual([[{ job: 'a' }, [3, 1]]]);
  const { text } = await world.send(
    'GET',
    '/v1/query/metrics/info/datasets/scraped/metrics?start=2026-09-21T00:00:00Z&end=2026-09-22T00:00:00Z',
    undefined,
    { headers: { accept: 'application/vnd.metrics-info.v2+json' } },
  );
  expect(JSON.parse(text)).toMatchObject({
    v2_bytes: { type: 'CounterMonotonic', temporality: 'Cumulative', unit: 'bytes' },
    v2_open: { type: 'Gauge' },
  });
});

test('version 2 names what was stored when something was not', async () => {
  const request = writeRequest2([
    { labels: { __name__: 'v2_some' }, samples: minutes([1, 2]) },
    { labels: { job: 'nameless' }, samples: minutes([1]) },
  ]);
  expect(await send(snappy(request), undefined, version2)).toEqual({
    status: 400,
    text: expect.stringContaining('the metric has no name'),
    written: ['2', '0', '0'],
  });
  const broken = Buffer.concat([request, lengthDelimitedField(5, lengthDelimitedField(1, Buffer.from([90, 91])))]);
  expect(await send(snappy(broken), undefined, version2)).toMatchObject({
    status: 400,
    text: expect.stringContaining('symbol 90 is referred to'),
  });
});

test('a body in another encoding of HTTP', async () => {
  const body = gzipSync(requestOf([{ labels: { __name__: 'zipped' }, values: [7] }]));
  expect(await send(body, undefined, { 'content-encoding': 'gzip' })).toMatchObject({ status: 204 });
  expect(await valuesOf('scraped:zipped | align to 1m using last')).toEqual([[{}, [7]]]);
  expect((await send(body, undefined, { 'content-encoding': 'lz4' })).status).toBe(415);
});

/** The buckets of a metric: upper bounds and counts. */
async function bucketsOf(metric: string): Promise<readonly unknown[]> {
  const found = await valuesOf(`scraped:${metric} | where \`axiom.histogram\` == "bucket" | align to 1m using last`);
  return (found as readonly [Readonly<Record<string, unknown>>, readonly number[]][])
    .map(([tags, values]) => [tags['le'], values[0]])
    .toSorted((a, b) => Number(a[0] === '+Inf') - Number(b[0] === '+Inf') || Number(a[0]) - Number(b[0]));
}

const time = start * 1000;
test.each([
  // The bucket with index i ends at 2^i.
  [
    'integers',
    {
      schema: 0,
      count: 12,
      zeroCount: 2,
      positive: {
        spans: [
          [1, [3, 1]],
          [2, [5]],
        ],
      },
    },
    [
      [0.001, 2],
      [2, 5],
      [4, 6],
      [32, 11],
      ['+Inf', 12],
    ],
  ],
  [
    'floats',
    { schema: 0, count: 4, isFloat: true, positive: { spans: [[0, [1.5, 2.5]]] } },
    [
      [1, 1.5],
      [2, 4],
      ['+Inf', 4],
    ],
  ],
  [
    'negative',
    { schema: 0, count: 3, zeroCount: 1, negative: { spans: [[1, [2]]] } },
    [
      [-1, 2],
      [0.001, 3],
      ['+Inf', 3],
    ],
  ],
  // Sixteen buckets to a power of two become four.
  [
    'fine',
    {
      schema: 4,
      count: 3,
      positive: {
        spans: [
          [1, [1, 1]],
          [2, [1]],
        ],
      },
    },
    [
      [2 ** 0.25, 2],
      [2 ** 0.5, 3],
      ['+Inf', 3],
    ],
  ],
  [
    'custom',
    { schema: -53, count: 6, bounds: [0.1, 1], positive: { spans: [[0, [1, 2, 3]]] } },
    [
      [0.1, 1],
      [1, 3],
      ['+Inf', 6],
    ],
  ],
] as const)('native histograms: %s', async (name, histogram, buckets) => {
  const message = histogramMessage({ time, sum: 9, ...histogram });
  for (const [version, request] of [
    [{}, writeRequest([{ labels: { __name__: `${name}_1` }, samples: [], more: lengthDelimitedField(4, message) }])],
    [
      version2,
      writeRequest2([{ labels: { __name__: `${name}_2` }, samples: [], more: lengthDelimitedField(3, message) }]),
    ],
  ] as const) {
    expect(await send(snappy(request), undefined, version)).toEqual({
      status: 204,
      text: '',
      written: ['0', '1', '0'],
    });
    expect(await bucketsOf(version === version2 ? `${name}_2` : `${name}_1`)).toEqual(buckets);
  }
});

test.each([
  ['schema 9', { schema: 9, count: 0 }, 'schema 9 are not supported'],
  [
    'spans',
    {
      schema: 0,
      count: 1,
      positive: {
        spans: [
          [0, [1]],
          [5, []],
        ],
      },
      more: lengthDelimitedField(11, Buffer.from([0x10, 9])),
    },
    'spans have 10 buckets',
  ],
] as const)('a native histogram that cannot be stored: %s', async (_, { ...histogram }, says) => {
  const more = 'more' in histogram ? histogram.more : Buffer.alloc(0);
  const message = Buffer.concat([histogramMessage({ time, sum: 1, ...histogram }), more]);
  const request = writeRequest([{ labels: { __name__: 'bad' }, samples: [], more: lengthDelimitedField(4, message) }]);
  expect(await send(snappy(request))).toEqual({
    status: 400,
    text: expect.stringContaining(says),
    written: ['0', '0', '0'],
  });
});
