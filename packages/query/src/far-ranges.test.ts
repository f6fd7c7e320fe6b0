import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { EngineTestServer } from '@millrace/server/testing/engine-test-server';
import { sharedTestServer } from '@millrace/server/testing/shared-test-server';

/**
 * Ranges beyond 64 bits of nanoseconds: clients send them for "everything" and, by mistake, for
 * nothing.
 */

let world: EngineTestServer;
beforeAll(async () => {
  world = await sharedTestServer();
  await world.dataset('logs', [{ n: 1 }, { n: 2 }]);
});
afterAll(() => world.close());

const everything = [
  { startTime: '0001-01-02T00:00:00Z', endTime: '9999-12-31T23:59:59Z' },
  { startTime: '0001-01-01T00:00:00Z', endTime: '0001-01-01T00:00:00Z' },
  { startTime: '1600-01-01T00:00:00Z' },
  { endTime: '2999-01-01T00:00:00Z' },
];
const nothing = [
  { startTime: '2999-01-01T00:00:00Z' },
  { startTime: '2999-01-01T00:00:00Z', endTime: '3000-01-01T00:00:00Z' },
  { endTime: '1600-01-01T00:00:00Z' },
  { startTime: '1500-01-01T00:00:00Z', endTime: '1600-01-01T00:00:00Z' },
];
const ranges = [...everything.map((range) => ({ range, rows: 2 })), ...nothing.map((range) => ({ range, rows: 0 }))];

describe.each(ranges)('$range', ({ range, rows }) => {
  it.each(['logs', 'logs | summarize count() by bin_auto(_time)', 'logs | summarize count() by bin(_time, 1d)'])(
    '%s',
    async (apl) => expect((await world.apl(apl, range)).status.rowsMatched).toBe(rows),
  );

  it('as a structured query', async () => {
    const body = { ...range, aggregations: [{ op: 'count', field: '*' }] };
    expect((await world.query('logs', body)).status.rowsMatched).toBe(rows);
  });
});

describe('without bounds, bins follow the times of events', () => {
  beforeAll(async () => {
    const times = ['10:00:00', '10:30:00', '11:00:00'];
    await world.dataset(
      'few',
      times.map((time) => ({ _time: `2026-01-01T${time}Z` })),
    );
    const view = (name: string, aplQuery: string) => world.send('POST', '/v2/views', { name, aplQuery });
    await view('binned', 'few | summarize count() by bin_auto(_time)');
    await view("it's binned", 'few | summarize count() by bin_auto(_time)');
    await view('outer', 'binned');
    await view('rated', 'few | summarize r = rate(1)');
  });

  it.each(['few | summarize count() by bin_auto(_time)', 'binned', "['it\\'s binned']", 'outer'])('%s', async (apl) =>
    expect((await world.apl(apl)).tables[0]!.columns[1]).toEqual([1, 1, 1]),
  );

  it('a rate in a view', async () =>
    expect((await world.apl('rated')).tables[0]!.columns[0]![0]).toBeCloseTo(3 / 3600, 9));

  it('of the events that are left after a deletion', async () => {
    await world.dataset(
      'trimmed',
      ['2020-01-01T00:00:00Z', '2026-01-01T10:00:00Z', '2026-01-01T11:00:00Z'].map((_time, id) => ({ _time, id })),
    );
    const size = async () => (await world.send('GET', '/v1/datasets/trimmed/info')).body;
    expect(await size()).toMatchObject({ numEvents: 3, minTime: '2020-01-01T00:00:00Z' });
    const range = { startTime: '2019-01-01T00:00:00Z', endTime: '2027-01-01T00:00:00Z' };
    const deleteEvents = async (apl: string) =>
      world.send('POST', '/v2/datasets/_apl/delete', { apl, ...range, commit: true });
    await deleteEvents('trimmed | where id == 0');
    expect(await size()).toMatchObject({ numEvents: 2, minTime: '2026-01-01T10:00:00Z' });
    await deleteEvents('trimmed | where id > 0');
    expect(await size()).toMatchObject({ numEvents: 0 });
  });

  it('the buckets of a structured request', async () => {
    const { buckets } = await world.query('few', { resolution: 'auto', aggregations: [{ op: 'count', field: '*' }] });
    expect(buckets.series).toHaveLength(3);
  });
});
