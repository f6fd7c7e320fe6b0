import { setTimeout as sleep } from 'node:timers/promises';
import type { Engine, QueryOptions } from '@millrace/engine';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type EngineTestServer, openEngineTestServer } from '@millrace/server/testing/engine-test-server';

/**
 * A vacuum drops a column after a query that names it was compiled, and before the engine reads it.
 */

let world: EngineTestServer;
/**
 * Runs once, before the next statement that reads a field. Background statements of the storage do
 * not count.
 */
let before: (() => Promise<unknown>) | undefined;

async function runInBetween(sql: string): Promise<void> {
  if (!/\b(gone|kept)\b/.test(sql)) return;
  const task = before;
  before = undefined;
  await task?.();
}

beforeAll(async () => {
  world = await openEngineTestServer(
    {},
    (engine) =>
      new Proxy(engine, {
        get: (target, name) => {
          if (name === 'query')
            return async (sql: string, options: QueryOptions) => {
              await runInBetween(sql);
              return target.query(sql, options);
            };
          if (name === 'stream')
            return async function* (...args: Parameters<Engine['stream']>) {
              await runInBetween(args[0]);
              yield* target.stream(...args);
            };
          const value: unknown = Reflect.get(target, name);
          return typeof value === 'function' ? (value.bind(target) as unknown) : value;
        },
      }),
  );
});
afterAll(() => world.close());

const deletion = (dataset: string, commit: boolean) =>
  ['/v2/datasets/_apl/delete', { apl: `${dataset} | where gone == 1 or kept == 2`, commit }] as const;

const ways: readonly (readonly [string, (dataset: string) => readonly [path: string, body: unknown]])[] = [
  ['APL', (dataset) => ['/v1/datasets/_apl', { apl: `${dataset} | where gone == 1 or kept == 2` }]],
  ['aggregated', (dataset) => ['/v1/datasets/_apl', { apl: `${dataset} | summarize max(gone), n = sum(kept)` }]],
  ['facts', (dataset) => ['/v1/datasets/_apl', { apl: `${dataset} | extend gone | evaluate pivot(kept, sum(gone))` }]],
  ['structured', (dataset) => [`/v1/datasets/${dataset}/query`, { project: [{ field: 'kept' }, { field: 'gone' }] }]],
  [
    'structured, aggregated',
    (dataset) => [`/v1/datasets/${dataset}/query`, { aggregations: [{ op: 'sum', field: 'kept' }], groupBy: ['gone'] }],
  ],
  ['batch', (dataset) => ['/v1/query/batch', [{ queryId: 'a', aplRequest: { apl: dataset } }]]],
  ['export', (dataset) => ['/v1/export', { apl: dataset }]],
  ['export as Parquet', (dataset) => ['/v1/export', { apl: dataset, format: 'parquet' }]],
  ['deletion, only counted', (dataset) => deletion(dataset, false)],
  ['deletion', (dataset) => deletion(dataset, true)],
  ['estimate', (dataset) => ['/v1/query/estimate', { apl: dataset }]],
];
let number = 0;
it.each(ways)('%s: the query is compiled again, and answered', async (_, requestFor) => {
  const dataset = `vacuumed${number++}`;
  await world.dataset(dataset, [{ gone: 1, _time: '2020-01-01T00:00:00Z' }, { kept: 2 }]);
  await world.send('POST', `/v2/datasets/${dataset}/trim`, { maxDuration: '24h' });
  const vacuumed = { fields: undefined as unknown };
  const vacuum = async (): Promise<void> => {
    await world.send('POST', `/v2/datasets/${dataset}/vacuum`);
    vacuumed.fields = (await world.send<readonly { name: string }[]>('GET', `/v2/datasets/${dataset}/fields`)).body.map(
      ({ name }) => name,
    );
  };
  const [path, body] = requestFor(dataset);
  const ask = () => world.send('POST', path, body);
  const { status, text } = await (isDeletion(body) ? askDuring(vacuum, ask) : vacuumDuring(ask, vacuum));
  expect(vacuumed.fields, 'the vacuum came first').not.toContain('gone');
  expect([status, text]).toEqual([200, expect.not.stringContaining('"status":5')]);
  if (path.includes('delete')) expect(text).toContain('"rowsMatched":1');
  else if (!path.includes('estimate') && !text.startsWith('PAR1')) expect(text).toMatch(/kept|sum/i);
});

const isDeletion = (body: unknown): boolean =>
  typeof body === 'object' && body !== null && 'commit' in body && body.commit === true;

function vacuumDuring<T>(ask: () => Promise<T>, vacuum: () => Promise<void>): Promise<T> {
  before = vacuum;
  return ask();
}

/**
 * Queries while a vacuum searches for empty columns, so that a deletion is compiled before the
 * vacuum ends and runs after it.
 */
async function askDuring<T>(vacuum: () => Promise<void>, ask: () => Promise<T>): Promise<T> {
  const requestFor = new Promise<T>((resolve, reject) => {
    before = async () => {
      ask().then(resolve, reject);
      await sleep(200);
    };
  });
  await vacuum();
  return requestFor;
}
