import { afterAll, beforeAll, expect, test } from 'vitest';
import { type EngineTestServer } from '@millrace/server/testing/engine-test-server';
import { sharedTestServer } from '@millrace/server/testing/shared-test-server';
import { prefixed, tag } from '../otlp/testing/otlp-protobuf.js';
import { snappy } from '../testing/snappy.js';

/** Requests of Prometheus, from the sender to the results of queries. */

let world: EngineTestServer;
beforeAll(async () => {
  world = await sharedTestServer();
  await world.send('POST', '/v2/datasets', { name: 'scraped', kind: 'otel:metrics:v1' });
  await world.dataset('events');
});
afterAll(() => world.close());

const start = 1_790_000_040;

interface Series {
  readonly labels: Readonly<Record<string, string>>;
  /** Values at intervals of a minute. */
  readonly values: readonly number[];
  readonly more?: Uint8Array;
}

const text = (number: number, value: string): Buffer => prefixed(number, Buffer.from(value));

function sample(value: number, milliseconds: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeDoubleLE(value);
  const digits: number[] = [];
  for (let rest = BigInt(milliseconds); ; rest >>= 7n) {
    digits.push(Number(rest & 0x7fn) | (rest > 0x7fn ? 0x80 : 0));
    if (rest <= 0x7fn) break;
  }
  return Buffer.concat([tag(1, 1), bytes, tag(2, 0), Buffer.from(digits)]);
}

const requestOf = (all: readonly Series[]): Buffer =>
  Buffer.concat(
    all.map(({ labels, values, more = Buffer.alloc(0) }) =>
      prefixed(
        1,
        Buffer.concat([
          ...Object.entries(labels).map(([name, value]) => prefixed(1, Buffer.concat([text(1, name), text(2, value)]))),
          ...values.map((value, i) => prefixed(2, sample(value, (start + 60 * i) * 1000))),
          more,
        ]),
      ),
    ),
  );

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
  return { status: response.status, text: await response.text() };
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
    expect(await write([{ labels: up, values: [1, 0, 1] }])).toEqual({ status: 204, text: '' });
  expect(await valuesOf('scraped:up | align to 1m using last')).toEqual([[{ job: 'node' }, [1, 0, 1]]]);
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

test('NaN is no value; what cannot be stored does not affect the rest', async () => {
  const labels = { __name__: 'some', job: 'a' };
  expect((await write([{ labels, values: [1, Number.NaN, Infinity, 2] }])).status).toBe(204);
  expect(await valuesOf('scraped:some | align to 1m using last')).toEqual([[{ job: 'a' }, [1, 2]]]);
});

test.each([
  ['native histograms', requestOf([{ labels: up, values: [], more: text(4, 'x') }]), 400, 'native histograms are not'],
  ['no name', requestOf([{ labels: { a: 'b' }, values: [1] }]), 400, 'the metric has no name'],
  ['a damaged request', Buffer.from([0x0a, 0x7f, 1]), 400, 'the body is no WriteRequest: byte 1'],
])('%s', async (_, body, status, says) => {
  expect(await send(snappy(body))).toEqual({ status, text: expect.stringContaining(says) });
});

test('requests that are refused as a whole', async () => {
  expect(await send(Buffer.from('not snappy'))).toMatchObject({ status: 400 });
  expect(await write([], '/v1/ingest/events/prometheus')).toMatchObject({
    status: 400,
    text: expect.stringContaining('stores events, not metrics'),
  });
  const version2 = { 'content-type': 'application/x-protobuf;proto=io.prometheus.write.v2.Request' };
  expect(await write([], undefined, version2)).toMatchObject({
    status: 415,
    text: expect.stringContaining('supported: application/x-protobuf'),
  });
});
