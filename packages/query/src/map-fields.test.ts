import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type EngineTestServer, openEngineTestServer } from '@millrace/server/testing/engine-test-server';

/**
 * Values in columns or in a map field, depending on what `geo` was when the events arrived, are
 * read from both locations.
 */

const times = { startTime: '2026-05-01T10:00:00Z', endTime: '2026-05-01T10:01:00Z' };
const event = (k: number, more: object = {}): object => ({ _time: `2026-05-01T10:00:0${k}Z`, k, ...more });
/** Earlier events, each with a field that no other has: too few for columns. */
const crowd = Array.from({ length: 1000 }, (_, i) => ({ _time: '2026-04-01T00:00:00Z', [`f${i}`]: i }));

describe.each([
  ['in columns', [], {}],
  ['among rare fields', crowd, { columnBudget: 16 }],
])('%s', (_, before, settings) => {
  let world: EngineTestServer;
  beforeAll(async () => {
    world = await openEngineTestServer(settings);
    await world.dataset('logs', before);
    await world.ingest('logs', [event(1, { geo: { city: 'old', n: 5 } })]);
    await world.send('PUT', '/v2/datasets/logs/mapfields', ['geo']);
    await world.ingest('logs', [event(2, { geo: { city: 'new', n: 7 } }), event(3)]);
    await world.send('PUT', '/v2/datasets/logs/mapfields', []);
    await world.ingest('logs', [event(4, { geo: { city: 'again', n: 9 } })]);
  });
  afterAll(() => world.close());

  const columnsOf = async (apl: string): Promise<readonly unknown[]> =>
    (await world.apl(apl, times)).tables[0]!.columns;

  it.each(['geo.city', "['geo.city']", "['geo']['city']"])('%s', async (spelt) => {
    expect(await columnsOf(`logs | sort by k asc | project z = ${spelt}`)).toEqual([['old', 'new', null, 'again']]);
    expect(await columnsOf(`logs | where ${spelt} == 'new' | project k`)).toEqual([[2]]);
    expect(await columnsOf(`logs | summarize sum(geo.n), count() by z = ${spelt} | sort by z asc`)).toEqual([
      ['again', 'new', 'old', null],
      [9, 7, 5, 0],
      [1, 1, 1, 1],
    ]);
  });

  it('events are returned as stored', async () => {
    expect(await columnsOf("logs | where geo.city == 'new' | project-away _*, f*")).toContainEqual([
      { city: 'new', n: 7 },
    ]);
    const { matches } = await world.query('logs', {
      ...times,
      resolution: 'auto',
      filter: { op: '==', field: 'geo.city', value: 'new' },
    });
    expect(matches.map(({ data }) => data)).toEqual([{ k: 2, geo: { city: 'new', n: 7 } }]);
  });

  it('structured queries', async () => {
    const { buckets } = await world.query('logs', {
      ...times,
      resolution: 'auto',
      groupBy: ['geo.city'],
      aggregations: [{ op: 'sum', field: 'geo.n' }],
      order: [{ field: 'geo.city' }],
    });
    expect(buckets.totals.map(({ group, aggregations }) => [group['geo.city'], aggregations?.[0]?.value])).toEqual([
      ['again', 9],
      ['new', 7],
      ['old', 5],
      [null, 0],
    ]);
  });

  it('virtual fields', async () => {
    await world.send('POST', '/v2/vfields', { dataset: 'logs', name: 'town', expression: 'toupper(geo.city)' });
    expect(await columnsOf('logs | where k < 3 | sort by k asc | project town')).toEqual([['OLD', 'NEW']]);
  });
});
