import { afterAll, beforeAll, expect, it } from 'vitest';
import type { EngineTestServer } from '@millrace/server/testing/engine-test-server';
import { sharedTestServer } from '@millrace/server/testing/shared-test-server';

/** The default time range of a series, or a rate. */

const day = '2026-05-01T';
const range = { startTime: `${day}10:00:00Z`, endTime: `${day}11:00:00Z` };
let world: EngineTestServer;
beforeAll(async () => {
  world = await sharedTestServer();
  await world.dataset('empty');
  await world.dataset('logs', [
    { _time: `${day}10:00:00.000000001Z`, ip: 'a' },
    { _time: `${day}10:00:30Z`, ip: 'b' },
    { _time: `${day}10:01:00Z`, ip: 'a' },
    { _time: `${day}10:02:30.5Z` },
  ]);
});
afterAll(() => world.close());

it('make-series without bounds: from the first event to the last', async () => {
  const series = async (apl: string, more: object = {}) => {
    const [counts, times] = (await world.apl(apl, more)).tables[0]!.columns;
    return { counts: counts![0], times: times![0] };
  };
  const minutes = (...at: readonly string[]) => at.map((time) => `${day}${time}:00Z`);
  const all = { counts: [2, 1, 1], times: minutes('10:00', '10:01', '10:02') };
  expect(await series('logs | make-series count() on _time step 1m')).toEqual(all);
  expect(await series('logs | make-series count() on _time step 1m', { startTime: `${day}10:01:00Z` })).toEqual({
    counts: [1, 1],
    times: minutes('10:01', '10:02'),
  });
  expect(await series(`logs | make-series count() on _time to datetime(${day}10:01:00Z) step 1m`)).toEqual({
    counts: [2],
    times: minutes('10:00'),
  });
  expect(await series('logs | where ip == "b" | make-series count() on _time step 1m')).toEqual({
    ...all,
    counts: [1, 0, 0],
  });
  expect(await series('empty | make-series count() on _time step 1m')).toEqual({
    counts: [],
    times: [],
  });
  expect((await series('logs | make-series count() on _time step 1m', range)).counts).toHaveLength(60);
  const exported = await world.send('POST', '/v1/export', { apl: 'logs | make-series count() on _time step 1m' });
  expect(JSON.parse(exported.text)).toEqual({ count_: all.counts, _time: all.times });
  const refused = await world.send<{ message: string }>('POST', '/v1/datasets/_apl', {
    apl: 'logs | make-series count() on _time step 100ns',
  });
  expect([refused.status, refused.body.message]).toEqual([400, expect.stringContaining('at most 1048576 bins')]);
});

it('a rate without bounds is per second between the first event and the last', async () => {
  const n = 3;
  await world.dataset('rates', [
    { _time: `${day}10:00:00Z`, n },
    { _time: `${day}10:00:10Z`, n },
  ]);
  const rate = async (dataset: string, more: object = {}) =>
    (await world.apl(`${dataset} | summarize rate(n)`, more)).tables[0]!.columns;
  expect(await rate('rates')).toEqual([[0.6]]);
  expect(await rate('rates', { startTime: `${day}09:59:50Z` })).toEqual([[0.3]]);
  expect(await rate('rates', { startTime: `${day}10:00:10Z` })).toEqual([[3]]);
  expect(await rate('rates', { startTime: `${day}10:00:00Z`, endTime: `${day}10:01:00Z` })).toEqual([[0.1]]);
  expect(await rate('empty')).toEqual([[0]]);
});

it('an estimate knows the times of events as its query does', async () => {
  const estimate = (apl: string) => world.send('POST', '/v1/query/estimate', { apl });
  const apl = 'logs | make-series count() on _time step 1m';
  expect(await estimate(apl)).toMatchObject({ status: 200, body: { rows: 4 } });
  expect(await estimate(`${apl.slice(0, -2)}100ns`)).toMatchObject({
    status: 400,
    body: { message: expect.stringContaining('at most 1048576 bins') as string },
  });
  expect(await estimate('empty | make-series count() on _time step 1m')).toMatchObject({ body: { rows: 0 } });
});

it('a view may have a series with any step, because its ranges may have any length', async () => {
  const view = (name: string, aplQuery: string) => world.send('POST', '/v2/views', { name, aplQuery });
  expect(await view('minutes', 'logs | make-series count() on _time step 1m')).toMatchObject({ status: 200 });
  expect((await world.apl('minutes | project count_')).tables[0]!.columns).toEqual([[[2, 1, 1]]]);
  expect(await view('milliseconds', 'logs | make-series count() on _time step 1ms')).toMatchObject({ status: 200 });
  const years = 'from datetime(2000-01-01) to datetime(2026-01-01)';
  expect(await view('refused', `logs | make-series count() on _time ${years} step 1ms`)).toMatchObject({ status: 400 });
});
