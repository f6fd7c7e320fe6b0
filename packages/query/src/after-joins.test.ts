import { afterAll, beforeAll, expect, it } from 'vitest';
import { type EngineTestServer, openEngineTestServer, type Tabular } from '@millrace/server/testing/engine-test-server';

/**
 * The engine's condition cache must not hide events from queries after a join, or after a filter
 * that follows a limit.
 */

let world: EngineTestServer;
beforeAll(async () => {
  world = await openEngineTestServer({ resultCacheBytes: 0 });
});
afterAll(() => world.close());

const range = { startTime: '2024-06-15T11:00:00Z', endTime: '2024-06-15T12:00:00Z' };
const events = Array.from({ length: 5 }, (_, id) => ({
  _time: new Date(Date.UTC(2024, 5, 15, 11, id)).toISOString(),
  id,
  text: `s${id}`,
}));

it.each([
  ['semi', 'take 4 | join kind=leftsemi (semi | take 4) on _time | where _time < datetime(2024-01-01)'],
  ['anti', 'take 4 | join kind=leftanti (anti | take 4 | where _time < datetime(2024-01-01)) on _time'],
  ['nested', 'take 4 | top-nested of _time by max(id), of text by max(id) | where _time < datetime(2024-01-01)'],
  ['first', 'where id < 99 | take 1 | where id > 100'],
  ['top', 'where id < 99 | top 3 by text | where id > 100 | count'],
  ['parts', 'where id < 99 | take 1 | union (print id = 1) | where id > 100'],
])('%s: no later query misses events', async (dataset, operators) => {
  await world.dataset(dataset, events);
  const ids = async (text: string) => (await world.apl<Tabular>(text, range)).tables[0]!.columns[0];
  await world.apl(`${dataset} | ${operators}`, range);
  expect(await ids(`${dataset} | project id`)).toEqual([4, 3, 2, 1, 0]);
  expect(await ids(`${dataset} | where id < 99 | project id`)).toEqual([4, 3, 2, 1, 0]);
});
