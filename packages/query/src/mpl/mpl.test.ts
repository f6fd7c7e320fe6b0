import { afterAll, beforeAll, expect, test } from 'vitest';
import { compile } from '@millrace/mpl';
import { metricsBody, metricsOf } from '@millrace/ingest/otlp/testing/metrics';
import { attribute } from '@millrace/ingest/otlp/testing/test-requests';
import { type EngineTestServer } from '@millrace/server/testing/engine-test-server';
import { sharedTestServer } from '@millrace/server/testing/shared-test-server';

/** Metrics from a sender to the response of a query, on a real server. */

let world: EngineTestServer;
beforeAll(async () => {
  world = await sharedTestServer();
  await world.send('POST', '/v2/datasets', { name: 'metrics', kind: 'otel:metrics:v1' });
  await world.dataset('events');
});
afterAll(() => world.close());

/** A full minute. */
const start = 1_790_000_040;
const range = { startTime: '2026-09-21T14:14:00Z', endTime: '2026-09-21T14:24:00Z' };
const nanoseconds = (seconds: number): string => `${start + seconds}000000000`;
const host = (name: string) => [attribute('host', { stringValue: name })];

interface Reply {
  readonly status: number;
  readonly text: string;
}

async function send(metrics: readonly object[], headers: Readonly<Record<string, string>> = {}): Promise<Reply> {
  const response = await fetch(`${world.url}/v1/metrics`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${world.owner}`,
      'content-type': 'application/x-protobuf',
      'x-axiom-dataset': 'metrics',
      ...headers,
    },
    body: Uint8Array.from(metricsBody(metricsOf(metrics, { 'service.name': 'shop' }))),
  });
  return { status: response.status, text: await response.text() };
}

interface Series {
  readonly metric: string;
  readonly tags: Readonly<Record<string, unknown>>;
  readonly start: number;
  readonly resolution: number;
  readonly data: readonly (number | null)[];
  readonly summary?: number | null;
}

interface Result {
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly series: readonly Series[];
}

const query = (mpl: string, more: object = {}, path = '/v1/query/_mpl') =>
  world.send<Result & { readonly message: string; readonly detail: object }>('POST', path, { mpl, ...range, ...more });

const gauge = (name: string, dataPoints: readonly object[], unit = '') => ({ name, unit, gauge: { dataPoints } });

test('a gauge comes back with its tags, time, unit and type', async () => {
  const at = (seconds: number, asDouble: number, name: string) => ({
    timeUnixNano: nanoseconds(seconds),
    asDouble,
    attributes: host(name),
  });
  const sent = await send([gauge('cpu', [at(0, 0.25, 'a'), at(60, 0.5, 'a'), at(0, 3, 'b')], '1')]);
  expect(sent).toEqual({ status: 200, text: '' });
  const { status, body } = await query('metrics:cpu | where host == "a" | align to 1m using last');
  expect(status).toBe(200);
  expect(body.metadata).toEqual({ group_keys: [], warnings: [], unit: '1', custom_unit: null, ignore_unit: false });
  const [series, ...others] = body.series;
  expect(others).toEqual([]);
  expect(series).toMatchObject({
    metric: 'cpu',
    tags: { host: 'a', 'service.name': 'shop' },
    resolution: 60,
    summary: 0.5,
  });
  expect(series!.data.indexOf(0.25)).toBe((start - series!.start) / 60);
  expect(series!.data.filter((value) => value !== null)).toEqual([0.25, 0.5]);
});

test('the same points sent again count once', async () => {
  const point = { timeUnixNano: nanoseconds(0), asInt: '7', attributes: host('a') };
  for (let i = 0; i < 3; i++) await send([gauge('sent.again', [point])]);
  const { body } = await query('metrics:`sent.again` | align to 10m using sum | group using sum');
  expect(body.series[0]!.data.filter((value) => value !== null)).toEqual([7]);
});

test('the rate of a counter over a reset, summed over hosts', async () => {
  const counts = { a: [0, 60, 120, 30, 90], b: [0, 6, 12, 18, 24] };
  const dataPoints = Object.entries(counts).flatMap(([name, values]) =>
    values.map((value, i) => ({ timeUnixNano: nanoseconds(i * 60), asInt: String(value), attributes: host(name) })),
  );
  await send([{ name: 'requests', sum: { dataPoints, aggregationTemporality: 2, isMonotonic: true } }]);
  const { body } = await query('metrics:requests | align to 1m using prom::rate | group using sum');
  expect(body.series[0]!.tags).toEqual({});
  expect(body.series[0]!.data.filter((value) => value !== null)).toEqual([1.1, 1.1, 0.6, 1.1]);
});

test('quantiles of a histogram', async () => {
  const histogram = (seconds: number, times: number) => ({
    timeUnixNano: nanoseconds(seconds),
    count: String(10 * times),
    sum: 5 * times,
    bucketCounts: [5 * times, 4 * times, times],
    explicitBounds: [0.1, 1],
  });
  const dataPoints = [histogram(0, 1), histogram(60, 2)];
  await send([{ name: 'latency', unit: 's', histogram: { dataPoints, aggregationTemporality: 2 } }]);
  const { body } = await query(
    'metrics:latency | bucket to 1m using interpolate_cumulative_histogram(increase, 0.5, 0.95, count, avg)',
  );
  const values = Object.fromEntries(
    body.series.map(({ tags, data }) => [tags['spec'], data.filter((value) => value !== null)]),
  );
  expect(values).toEqual({ p50: [0.1], p95: [1], count: [10], avg: [0.5] });
});

test('versions of the response', async () => {
  const { body: list } = await query('metrics:cpu | align to 1m using last', {}, '/v1/query/_mpl?format=metrics-v1');
  expect(list).toHaveLength(2);
  const { text, headers } = await world.send(
    'POST',
    '/v1/query/_mpl',
    { apl: 'metrics:cpu | align to 1m using last', ...range },
    { headers: { accept: 'application/vnd.metrics.v3+json' } },
  );
  expect(headers.get('content-type')).toBe('application/vnd.metrics.v3+json');
  const body = JSON.parse(text) as Result;
  expect(body.metadata).toEqual({ unit: '1', warnings: [] });
  expect(Object.keys(body.series[0]!)).toEqual(['metric', 'tags', 'start', 'resolution', 'data']);
});

test('parameters, and the interval of a chart', async () => {
  const { body } = await world.send<Result>(
    'POST',
    '/v1/query/_mpl',
    {
      mpl: 'param $h: string; metrics:cpu | where host == $h | align to $__interval using last',
      params: { param__h: '"b"' },
      ...range,
    },
    { headers: { 'x-axiom-chart-width': '10' } },
  );
  expect(body.series.map(({ tags, resolution }) => [tags['host'], resolution])).toEqual([['b', 60]]);
});

test('a metric that no one sent has no series', async () => {
  expect((await query('metrics:nothing | align to 1m using avg')).body.series).toEqual([]);
});

test.each([
  ['metrics:cpu | algn to 1m using avg', 400, 'line 1, column 15:'],
  ['metrics:cpu | align to 1s using avg', 400, undefined],
  ['events:cpu', 400, "dataset 'events' has kind axiom:events:v1 and stores events, not metrics"],
  ['nothing:cpu', 404, "dataset 'nothing' not found"],
])('%s', async (mpl, status, message) => {
  const { body, status: found } = await query(mpl, mpl.includes('1s') ? { startTime: '2026-01-01T00:00:00Z' } : {});
  expect(found).toBe(status);
  if (message !== undefined) expect(body.message).toContain(message);
});

test('an error has its place', async () => {
  const { body } = await query('metrics:cpu\n| where host = "a"');
  expect(body.detail).toMatchObject({ code: 'mpl_lang::syntax_error', line: 2 });
});

test('wrong kinds are refused with the reason, both ways', async () => {
  const { status, text } = await send([gauge('cpu', [])], { 'x-axiom-metrics-dataset': 'events' });
  expect([status, text]).toEqual([400, expect.stringContaining('stores events, not metrics')]);
  const events = await world.send('POST', '/v1/ingest/metrics', [{ a: 1 }]);
  expect([events.status, events.text]).toEqual([400, expect.stringContaining('stores metrics, not events')]);
  const apl = await world.send('POST', '/v1/query/_apl?format=tabular', { apl: "['metrics']" });
  expect([apl.status, apl.text]).toEqual([400, expect.stringContaining('query it in MPL')]);
  const union = await world.send('POST', '/v1/query/_apl?format=tabular', { apl: 'union * | count' });
  expect(union.status).toBe(200);
});

test('points that cannot be stored are counted', async () => {
  const now = { timeUnixNano: nanoseconds(0) };
  const { status, text } = await send([
    gauge('partly', [
      { ...now, asDouble: 1 },
      { ...now, asDouble: 'NaN' },
      { timeUnixNano: '9000000000000000000', asDouble: 1 },
      { ...now, asDouble: 2, attributes: [attribute('x', { stringValue: 'y'.repeat(2000) })] },
    ]),
  ]);
  expect(status).toBe(200);
  expect(text).toContain('metric 0 (partly), data point 1: the value NaN is no finite number');
  expect(text).toContain('data point 2: the time 2255-03-14T16:00:00.000Z is more than a day in the future');
  expect(text).toContain("data point 3: the attribute 'x' has 2001 bytes; at most 1025 are stored");
});

const info = '/v1/query/metrics/info/datasets/metrics';
const days = 'start=2026-09-21T00:00:00Z&end=2026-09-22T00:00:00Z';

test('metrics are listed by name, or with their types', async () => {
  expect((await world.send('GET', `${info}/metrics?${days}`)).body).toEqual([
    'cpu',
    'latency',
    'partly',
    'requests',
    'sent.again',
  ]);
  const accept = 'application/vnd.metrics-info.v2+json';
  const { headers, text } = await world.send('GET', `${info}/metrics?${days}`, undefined, { headers: { accept } });
  expect(headers.get('content-type')).toBe(accept);
  expect(JSON.parse(text)).toMatchObject({
    cpu: { type: 'Gauge', temporality: null, unit: '1' },
    requests: { type: 'CounterMonotonic', temporality: 'Cumulative', unit: null },
    latency: { type: 'Histogram', temporality: 'Cumulative', unit: 's' },
  });
});

test('tags and their values are listed, of all metrics or of one', async () => {
  const list = async (path: string) => (await world.send('GET', `${info}${path}?${days}`)).body;
  expect(await list('/tags')).toEqual(['axiom.histogram', 'host', 'le', 'service.name']);
  expect(await list('/metrics/sent.again/tags')).toEqual(['host', 'service.name']);
  expect(await list('/metrics/cpu/tags/host/values')).toEqual(['a', 'b']);
  expect(await list('/tags/service.name/values')).toEqual(['shop']);
  expect(await list('/tags/le/values')).toEqual([0.1, 1, '+Inf']);
  expect((await world.send('POST', `${info}/metrics?${days}`, { value: 'b' })).body).toEqual({
    cpu: ['host'],
    requests: ['host'],
  });
  expect((await world.send('POST', `${info}/metrics?${days}`, { value: 0.1 })).body).toEqual({ latency: ['le'] });
});

test.each([
  ['/metrics?start=2020-01-01T00:00:00Z&end=2020-01-02T00:00:00Z', 200, '[]'],
  [`/metrics/nothing/tags?${days}`, 404, "metric 'nothing' not found"],
  [`/tags/nothing/values?${days}`, 404, "tag 'nothing' not found"],
  ['/metrics?start=2020-01-01T00:00:00Z', 400, "'end'"],
])('%s', async (path, status, says) => {
  const reply = await world.send('GET', `${info}${path}`);
  expect([reply.status, reply.text]).toEqual([status, expect.stringContaining(says)]);
});

test('a batch answers queries of metrics beside others, each with its own errors', async () => {
  await send([gauge('of.batch', [{ timeUnixNano: nanoseconds(0), asInt: '7' }])]);
  const mpl = 'metrics:`of.batch` | align to 1m using last';
  const { status, text } = await world.send('POST', '/v1/query/batch', [
    { queryId: 'good', mplRequest: { mpl, ...range } },
    { queryId: 'wrong', mplRequest: { mpl: 'metrics:`of.batch` | align to 1m using lst', ...range } },
    { queryId: 'missing', mplRequest: { mpl: 'nowhere:m', ...range } },
    { queryId: 'events', aplRequest: { apl: 'events | count' }, mplRequest: null },
  ]);
  expect(status).toBe(200);
  const events = text
    .trimEnd()
    .split('\n\n')
    .map((event) => JSON.parse(event.replace(/^data: /, '')) as { queryId: string; data: unknown });
  expect(events.toSorted((a, b) => (a.queryId < b.queryId ? -1 : 1))).toMatchObject([
    { kind: 'apl', queryId: 'events', status: 200, data: { format: 'tabular' } },
    { kind: 'mpl', queryId: 'good', status: 200 },
    { kind: 'mpl', queryId: 'missing', status: 404 },
    { kind: 'mpl', queryId: 'wrong', status: 400, data: { message: expect.stringContaining('lst') as string } },
  ]);
  const good = events.find(({ queryId }) => queryId === 'good');
  expect(good?.data).toEqual((await query(mpl)).body);
});

test('elements of a batch have the chart width of their options, of the request, or 100', async () => {
  await send([gauge('of.width', [{ timeUnixNano: nanoseconds(0), asInt: '7' }])]);
  const hour = { startTime: range.startTime, endTime: new Date(Date.parse(range.startTime) + 3_600_000).toISOString() };
  const mpl = 'metrics:`of.width` | align to $__interval using last';
  const widths = async (header?: string): Promise<readonly number[]> => {
    const response = await fetch(`${world.url}/v1/query/batch`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${world.owner}`,
        'content-type': 'application/json',
        ...(header !== undefined && { 'x-axiom-chart-width': header }),
      },
      body: JSON.stringify([
        { queryId: 'a', mplRequest: { mpl, ...hour } },
        { queryId: 'b', mplRequest: { mpl, ...hour, queryOptions: { chartWidth: 6 } } },
        { queryId: 'c', mplRequest: { mpl, ...hour, queryOptions: { chartWidth: '12' } } },
      ]),
    });
    return (await response.text())
      .trimEnd()
      .split('\n\n')
      .map((event) => JSON.parse(event.replace(/^data: /, '')) as Record<string, unknown> & { queryId: string })
      .toSorted((a, b) => (a.queryId < b.queryId ? -1 : 1))
      .map(({ data }) => (data as { series: readonly { resolution: number }[] }).series[0]!.resolution);
  };
  expect(await widths()).toEqual([60, 600, 300]);
  expect(await widths('60')).toEqual([60, 600, 300]);
  expect(await widths('4')).toEqual([900, 600, 300]);
});

test('OPTIONS describes the language without a token, and its example compiles', async () => {
  const response = await fetch(`${world.url}/v1/query/_mpl`, { method: 'OPTIONS' });
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/markdown; charset=utf-8']);
  const text = await response.text();
  const example = /```\n(.*?)```/s.exec(text)?.[1] ?? '';
  expect(compile(example, { now: start * 1000, range: { start: 0, end: start * 1000 }, params: {} }).kind).not.toBe(
    'failed',
  );
  for (const name of ['prom::rate', 'interpolate_cumulative_histogram', 'fill::const(n)', '+ n'])
    expect(text).toContain(`| \`${name}`);
});

test('more than 128 parameters are rejected', async () => {
  const params = Object.fromEntries(Array.from({ length: 129 }, (_, i) => [`param__p${i}`, '1']));
  const { status, body } = await query('metrics:cpu', { params });
  expect([status, body.message]).toEqual([400, expect.stringContaining('at most 128')]);
});
