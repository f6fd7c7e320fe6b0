import { afterAll, beforeAll, expect, it } from 'vitest';
import type { EngineTestServer, Legacy } from '@millrace/server/testing/engine-test-server';
import { sharedTestServer } from '@millrace/server/testing/shared-test-server';

/** Time series in the legacy format, beyond the plain ones. */

const day = '2026-05-01T';
const all = 'logs | summarize count() by bin(_time, 1m)';
let world: EngineTestServer;
beforeAll(async () => {
  world = await sharedTestServer();
  await world.dataset('logs', [
    { _time: `${day}10:00:00Z`, ip: 'a' },
    { _time: `${day}10:00:30Z`, ip: 'b' },
    { _time: `${day}10:01:00Z`, ip: 'a' },
    { _time: `${day}10:02:30.5Z` },
  ]);
});
afterAll(() => world.close());

const bucketsOf = async (apl: string) => (await world.apl<Legacy>(apl, {}, 'legacy')).buckets;

it('is there without totals too', async () => {
  const { series } = await bucketsOf(all);
  expect(series.map(({ startTime }) => startTime)).toEqual(
    ['00', '01', '02'].map((minute) => `${day}10:${minute}:00Z`),
  );
  expect(await bucketsOf(`${all} | where count_ > 0`)).toEqual({ series, totals: [] });
  const computed = await bucketsOf(`${all} | extend minute = datetime_part('minute', _time)`);
  expect(computed.series[2]?.groups).toMatchObject([{ aggregations: [{ op: 'count_' }, { op: 'minute', value: 2 }] }]);
});

it('has a bin once, whatever the rows are sorted by', async () => {
  const { series } = await bucketsOf('logs | summarize count() by bin(_time, 1m), ip | sort by ip asc');
  expect(series.map(({ groups }) => groups.map(({ group }) => group['ip']))).toEqual([['a', 'b'], ['a'], [null]]);
});

it('may show its times twice', async () => {
  const { series } = await bucketsOf(`${all} | extend at = _time`);
  expect(series.map(({ groups }) => groups.map(({ group }) => group))).toEqual([[{}], [{}], [{}]]);
});
