import { afterAll, beforeAll, expect, it } from 'vitest';
import type { EngineTestServer } from '@millrace/server/testing/engine-test-server';
import { sharedTestServer } from '@millrace/server/testing/shared-test-server';

let world: EngineTestServer;
beforeAll(async () => {
  world = await sharedTestServer();
  await world.dataset(
    'logs',
    Array.from({ length: 900 }, (_, n) => ({ n })),
  );
});
afterAll(() => world.close());

/** The number of rows that were read during `work`, according to the metrics. */
async function rowsReadBy(work: () => Promise<unknown>): Promise<number> {
  const total = async (): Promise<number> => {
    const { text } = await world.send('GET', '/metrics');
    return Number(/^millrace_query_rows_read_total (\d+)$/m.exec(text)?.[1] ?? 0);
  };
  const before = await total();
  await work();
  return (await total()) - before;
}

it('rows that the engine read are counted, and none for an answer from the cache', async () => {
  const ask = () => world.apl('logs | summarize sum(n)');
  const read = await rowsReadBy(ask);
  expect(read).toBeGreaterThanOrEqual(900);
  expect(read).toBeLessThanOrEqual(2 * 900);
  expect(await rowsReadBy(ask)).toBe(0);
});

it('structured queries count too', async () => {
  const body = {
    startTime: '2020-01-01T00:00:00Z',
    endTime: '2100-01-01T00:00:00Z',
    aggregations: [{ op: 'max', field: 'n' }],
  };
  expect(await rowsReadBy(() => world.query('logs', body))).toBeGreaterThanOrEqual(900);
});
