import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type SentValue, writeRequest } from '@millrace/ingest/prometheus/testing/write-request';
import { snappy } from '@millrace/ingest/testing/snappy';
import { type EngineTestServer } from '@millrace/server/testing/engine-test-server';
import { sharedTestServer } from '@millrace/server/testing/shared-test-server';

/** The API of Prometheus as Grafana's data source uses it, on a real server. */

let world: EngineTestServer;
const start = 1_790_000_040;
const minutes = (values: readonly SentValue[]): readonly (readonly [number, SentValue])[] =>
  values.map((value, i) => [(start + 60 * i) * 1000, value] as const);

beforeAll(async () => {
  world = await sharedTestServer();
  await world.send('POST', '/v2/datasets', { name: 'prom', kind: 'otel:metrics:v1' });
  await world.dataset('plain-events');
  const bucket = (le: string, perMinute: number) => ({
    labels: { __name__: 'latency_bucket', le },
    samples: minutes([0, 1, 2, 3, 4, 5].map((i) => i * perMinute)),
  });
  const request = writeRequest([
    { labels: { __name__: 'requests_total', job: 'web', code: '200' }, samples: minutes([0, 60, 120, 180, 30, 90]) },
    { labels: { __name__: 'requests_total', job: 'web', code: '500' }, samples: minutes([0, 6, 12, 18, 24, 30]) },
    { labels: { __name__: 'up', job: 'web' }, samples: minutes([1, 1, 0, 1, 1, 1]) },
    { labels: { __name__: 'gone', job: 'web' }, samples: minutes([7, 8, 'end']) },
    { labels: { __name__: 'ratio', job: 'idle' }, samples: minutes([1, Number.NaN, Infinity, -Infinity, Number.NaN]) },
    bucket('0.1', 5),
    bucket('1.0', 9),
    bucket('+Inf', 10),
  ]);
  const response = await fetch(`${world.url}/v1/ingest/prom/prometheus/api/v1/write`, {
    method: 'POST',
    headers: { authorization: `Bearer ${world.owner}`, 'content-type': 'application/x-protobuf' },
    body: Uint8Array.from(snappy(request)),
  });
  expect(response.status).toBe(204);
});
afterAll(() => world.close());

interface Reply {
  readonly status: number;
  readonly body: {
    readonly status: string;
    readonly data: { readonly resultType: string; readonly result: unknown };
    readonly errorType?: string;
    readonly error?: string;
    readonly warnings?: readonly string[];
  };
}

async function ask(
  path: string,
  parameters: Readonly<Record<string, string>> | readonly (readonly [string, string])[],
  { method = 'GET', token = world.owner, dataset = 'prom' } = {},
): Promise<Reply> {
  const form = new URLSearchParams(parameters as Record<string, string>);
  const address = `${world.url}/prometheus/${dataset}/api/v1/${path}`;
  const response = await fetch(method === 'GET' ? `${address}?${form}` : address, {
    method,
    headers: { authorization: `Bearer ${token}` },
    ...(method === 'POST' && { body: form }),
  });
  return { status: response.status, body: (await response.json()) as Reply['body'] };
}

const end = start + 300;
const instant = (query: string, more: Readonly<Record<string, string>> = {}) =>
  ask('query', { query, time: String(end), ...more });
const range = (query: string, more: Readonly<Record<string, string>> = {}) =>
  ask('query_range', { query, start: String(start), end: String(end), step: '60', ...more }, { method: 'POST' });

test.each([
  'sum_over_time(requests_total[1m])',
  'rate(requests_total[2m])',
  'count_over_time(ratio[61s] offset 30s)',
  'sum_over_time(requests_total[1m] @ end())',
  'max_over_time(sum_over_time(up[30s])[1m:10s])',
])('%s over times that are further apart than its range has the values of each time', async (query) => {
  const [from, step, to] = [start - 37, 150, start + 400];
  const { body } = await ask('query_range', { query, start: `${from}`, end: `${to}`, step: `${step}` });
  const found = (body.data.result as readonly { metric: object; values: readonly unknown[] }[]).flatMap(
    ({ metric, values }) => values.map((value) => JSON.stringify([metric, value])),
  );
  const each: string[] = [];
  // The end of the query is another one for each time.
  const at = query.replace('@ end()', `@ ${from + 2 * step}`);
  for (const time of [from, from + step, from + 2 * step]) {
    const { body: one } = await instant(at, { time: `${time}` });
    each.push(
      ...(one.data.result as readonly { metric: object; value: unknown }[]).map(({ metric, value }) =>
        JSON.stringify([metric, value]),
      ),
    );
  }
  expect(found.length).toBeGreaterThan(0);
  expect(found.toSorted()).toEqual(each.toSorted());
});

test.each([
  ['1 + 1', 'scalar', [end, '2']],
  ['"text"', 'string', [end, 'text']],
  ['up', 'vector', [{ metric: { __name__: 'up', job: 'web' }, value: [end, '1'] }]],
  ['sum(requests_total)', 'vector', [{ metric: {}, value: [end, '120'] }]],
  [
    'requests_total{code=~"5.."}[2m]',
    'matrix',
    [
      {
        metric: { __name__: 'requests_total', code: '500', job: 'web' },
        values: [
          [end - 60, '24'],
          [end, '30'],
        ],
      },
    ],
  ],
  ['count({job="web",__name__!~"up|gone"})', 'vector', [{ metric: {}, value: [end, '2'] }]],
  ['latency_bucket{le="1.0"}', 'vector', [{ metric: { __name__: 'latency_bucket', le: '1' }, value: [end, '45'] }]],
  [
    'round(histogram_quantile(0.7, sum by (le) (rate(latency_bucket[5m]))), 0.01)',
    'vector',
    [{ metric: {}, value: [end, '0.55'] }],
  ],
  ['nothing', 'vector', []],
  ['up / 0', 'vector', [{ metric: { job: 'web' }, value: [end, '+Inf'] }]],
] as const)('at an instant: %s', async (query, resultType, result) => {
  expect(await instant(query)).toEqual({ status: 200, body: { status: 'success', data: { resultType, result } } });
});

describe('over a range', () => {
  test.each([
    [
      'up',
      [
        [0, '1'],
        [60, '1'],
        [120, '0'],
        [180, '1'],
        [240, '1'],
        [300, '1'],
      ],
    ],
    [
      'sum(increase(requests_total[2m]))',
      [
        [60, '66'],
        [120, '132'],
        [180, '132'],
        [240, '72'],
        [300, '102'],
      ],
    ],
    [
      'sum(requests_total offset 1m)',
      [
        [60, '0'],
        [120, '66'],
        [180, '132'],
        [240, '198'],
        [300, '54'],
      ],
    ],
    [
      'max_over_time(up[1m:30s]) + 1',
      [
        [0, '2'],
        [60, '2'],
        [120, '2'],
        [180, '2'],
        [240, '2'],
        [300, '2'],
      ],
    ],
    ['2', [0, 60, 120, 180, 240, 300].map((seconds) => [seconds, '2'])],
  ] as const)('%s', async (query, values) => {
    const { body } = await range(query);
    const [series] = body.data.result as readonly { readonly values: readonly (readonly [number, string])[] }[];
    expect(series!.values.map(([time, value]) => [time - start, value])).toEqual(values);
    expect(body.data.resultType).toBe('matrix');
  });

  test.each(['60', '120'])('a staleness marker ends a series, at a step of %s s', async (step) => {
    const { body } = await range('gone', { step });
    const values = [7, 8]
      .map((value, i) => [start + 60 * i, String(value)])
      .filter(([time]) => (Number(time) - start) % Number(step) === 0);
    expect(body.data.result).toEqual([{ metric: { __name__: 'gone', job: 'web' }, values }]);
    expect((await instant('sum_over_time(gone[5m])')).body.data.result).toEqual([
      { metric: { job: 'web' }, value: [end, '8'] },
    ]);
  });

  test('NaN and infinities are values', async () => {
    const { body } = await range('ratio');
    const values = ['1', 'NaN', '+Inf', '-Inf', 'NaN', 'NaN'].map((value, i) => [start + 60 * i, value]);
    expect(body.data.result).toEqual([{ metric: { __name__: 'ratio', job: 'idle' }, values }]);
    expect((await instant('count_over_time(ratio[5m])')).body.data.result).toMatchObject([{ value: [end, '4'] }]);
    expect((await instant('min_over_time(ratio[5m])')).body.data.result).toMatchObject([{ value: [end, '-Inf'] }]);
  });

  test('a step longer than the distance of the points reads the last ones', async () => {
    const { body } = await range('requests_total{code="500"}', { step: '2m' });
    expect(body.data.result).toMatchObject([
      {
        values: [
          [start, '0'],
          [start + 120, '12'],
          [start + 240, '24'],
        ],
      },
    ]);
  });

  test('more series than the limit are left out, with a warning', async () => {
    const { body } = await range('requests_total', { limit: '1' });
    expect(body.data.result).toHaveLength(1);
    expect(body.warnings).toEqual(['results truncated due to limit']);
  });
});

test.each<[string, () => Promise<Reply>, number, string, string]>([
  [
    'syntax',
    () => instant('up{'),
    400,
    'bad_data',
    'invalid parameter "query": 1:4: parse error: unexpected end of input',
  ],
  [
    'points',
    () => range('up', { step: '0.01' }),
    400,
    'bad_data',
    'exceeded maximum resolution of 11,000 points per timeseries. Try decreasing the query resolution (?step=XX)',
  ],
  [
    'step',
    () => range('up', { step: '0' }),
    400,
    'bad_data',
    'invalid parameter "step": zero or negative query resolution step widths are not accepted. Try a positive integer',
  ],
  [
    'order',
    () => range('up', { end: '1' }),
    400,
    'bad_data',
    'invalid parameter "end": end timestamp must not be before start time',
  ],
  [
    'time',
    () => instant('up', { time: 'x' }),
    400,
    'bad_data',
    'invalid parameter "time": cannot parse "x" to a valid timestamp',
  ],
  [
    'type',
    () => range('up[5m]'),
    400,
    'bad_data',
    'invalid parameter "query": invalid expression type "range vector" for range query, must be Scalar or instant Vector',
  ],
  ['matching', () => instant('up * on (job) requests_total'), 422, 'execution', 'many-to-many matching not allowed'],
  ['selector', () => ask('series', {}), 400, 'bad_data', 'no match[] parameter provided'],
  ['dataset', () => ask('query', { query: 'up' }, { dataset: 'absent' }), 404, 'not_found', 'absent'],
  ['events', () => ask('query', { query: 'up' }, { dataset: 'plain-events' }), 400, 'bad_data', 'stores events'],
  ['token', () => ask('query', { query: 'up' }, { token: 'xaat-no' }), 401, 'unauthorized', 'token'],
])('an error: %s', async (_, reply, status, errorType, says) => {
  expect(await reply()).toEqual({ status, body: { status: 'error', errorType, error: expect.stringContaining(says) } });
});

test('a token without the right to query the dataset is rejected', async () => {
  const { body } = await world.send<{ readonly token: string }>('POST', '/v2/tokens', {
    name: 'other',
    datasetCapabilities: { 'plain-events': { query: ['read'] } },
  });
  expect(await ask('query', { query: 'up' }, { token: body.token })).toMatchObject({
    status: 403,
    body: { errorType: 'forbidden' },
  });
});

describe('lists', () => {
  const between = { start: String(start), end: String(end) };
  test.each([
    ['labels', {}, ['__name__', 'code', 'job', 'le']],
    ['labels', { 'match[]': 'up' }, ['__name__', 'job']],
    ['label/__name__/values', {}, ['gone', 'latency_bucket', 'ratio', 'requests_total', 'up']],
    ['label/__name__/values', { 'match[]': '{code="200",job=~"w.*"}' }, ['requests_total']],
    ['label/le/values', {}, ['+Inf', '0.1', '1']],
    ['label/code/values', { limit: '5' }, ['200', '500']],
    ['label/none/values', {}, []],
    ['label/U__co_64_e/values', {}, ['200', '500']],
  ])('%s %j', async (path, parameters, data) => {
    expect(await ask(path, { ...between, ...parameters })).toEqual({ status: 200, body: { status: 'success', data } });
  });

  test('series of several selectors', async () => {
    const parameters = [
      ['match[]', 'up{job="web"}'],
      ['match[]', 'requests_total{code="500",job="web"}'],
    ] as const;
    for (const method of ['GET', 'POST']) {
      const { body } = await ask('series', parameters, { method });
      expect(
        (body.data as unknown as readonly { readonly __name__: string }[]).toSorted((a, b) =>
          a.__name__ < b.__name__ ? -1 : 1,
        ),
      ).toEqual([
        { __name__: 'requests_total', code: '500', job: 'web' },
        { __name__: 'up', job: 'web' },
      ]);
    }
  });

  test('metadata, and the version', async () => {
    const { body } = await ask('metadata', { metric: 'up' });
    expect(body.data).toEqual({ up: [{ type: 'gauge', help: '', unit: '' }] });
    expect((await ask('status/buildinfo', {})).body.data).toMatchObject({ version: '3.5.0' });
  });
});
