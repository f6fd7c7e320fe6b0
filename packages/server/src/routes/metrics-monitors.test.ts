import { afterAll, beforeAll, expect, test } from 'vitest';
import type { EngineTestServer } from '../testing/engine-test-server.js';
import { sharedTestServer } from '../testing/shared-test-server.js';

/** Monitors whose query is MPL, by the evaluation that runs them. */

const dataset = 'monitored_metrics';
/** Full minutes of an hour that is over. */
const end = Math.floor(Date.now() / 60_000) * 60_000 - 3_600_000;

let world: EngineTestServer;
beforeAll(async () => {
  world = await sharedTestServer();
  await world.send('POST', '/v2/datasets', { name: dataset, kind: 'otel:metrics:v1' });
  const pointsOf = (host: string, high: number) =>
    Array.from({ length: 10 }, (_, minute) => ({
      timeUnixNano: `${end - (10 - minute) * 60_000}000000`,
      asDouble: minute === 7 ? high : 1,
      attributes: [{ key: 'host', value: { stringValue: host } }],
    }));
  const metric = { name: 'load', gauge: { dataPoints: [...pointsOf('a', 90), ...pointsOf('b', 2)] } };
  const sent = await world.send(
    'POST',
    '/v1/metrics',
    { resourceMetrics: [{ scopeMetrics: [{ metrics: [metric] }] }] },
    { headers: { 'x-axiom-metrics-dataset': dataset } },
  );
  expect(sent.status).toBe(200);
});
afterAll(() => world.close());

const monitor = {
  name: 'load',
  type: 'Threshold',
  mplQuery: `${dataset}:load | align to 1m using max | group by host using max`,
  operator: 'Above',
  threshold: 50,
  intervalMinutes: 1,
  rangeMinutes: 1,
  notifyByGroup: true,
};
const preview = (changed: object = {}, more: object = { ignoreArrival: true }) =>
  world.send<{
    readonly runs: readonly { readonly state: string; readonly value?: number; readonly error?: string }[];
    readonly changes: readonly { readonly state: string; readonly values: readonly unknown[] }[];
  }>('POST', '/v2/monitors/_preview', {
    monitor: { ...monitor, ...changed },
    startTime: new Date(end - 10 * 60_000).toISOString(),
    endTime: new Date(end).toISOString(),
    ...more,
  });

test('a series above the threshold opens its group, and closes it after', async () => {
  const { status, body } = await preview();
  expect(status).toBe(200);
  expect(body.runs.filter(({ state }) => state === 'open').map(({ value }) => value)).toEqual([90]);
  expect(body.changes.map(({ state, values }) => [state, ...values])).toEqual([
    ['open', 'a'],
    ['closed', 'a'],
  ]);
});

test('a dataset that does not exist is an error of runs', async () => {
  const [run] = (await preview({ mplQuery: 'nothing_here:load | align to 1m using max' })).body.runs;
  expect(run).toMatchObject({ state: 'error', error: expect.stringContaining("'nothing_here' not found") });
});

test.each([
  ['a mistake', { mplQuery: `${dataset}:load | algn` }, { ignoreArrival: true }, 'line 1, column 26'],
  ['matching events', { type: 'MatchEvent' }, { ignoreArrival: true }, 'monitors of matching events read events'],
  ['arrival', {}, {}, 'points of metrics do not record when they arrived'],
])('refused: %s', async (_, changed, more, says) => {
  const { status, text } = await preview(changed, more);
  expect([status, text]).toEqual([400, expect.stringContaining(says)]);
});
