import type { Engine, QueryOptions } from '@millrace/engine';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type EngineWorld, openEngineWorld } from '../testing/engine-world.js';

/** A vacuum drops a column after a query that names it was compiled, and before the engine reads it. */

let world: EngineWorld;
/** Runs once, before the next statement of a kind. */
let before: { readonly what: 'read' | 'delete'; readonly task: () => Promise<unknown> } | undefined;

async function meanwhile(what: 'read' | 'delete'): Promise<void> {
  if (before?.what !== what) return;
  const { task } = before;
  before = undefined;
  await task();
}

beforeAll(async () => {
  world = await openEngineWorld(
    {},
    (engine) =>
      new Proxy(engine, {
        get: (target, name) => {
          if (name === 'query')
            return async (sql: string, options: QueryOptions) => {
              await meanwhile('read');
              return target.query(sql, options);
            };
          if (name === 'execute')
            return async (...args: Parameters<Engine['execute']>) => {
              if (args[0].startsWith('DELETE')) await meanwhile('delete');
              return target.execute(...args);
            };
          if (name === 'stream')
            return async function* (...args: Parameters<Engine['stream']>) {
              await meanwhile('read');
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
  ['deletion, once it has counted', (dataset) => deletion(dataset, true)],
  ['estimate', (dataset) => ['/v1/query/estimate', { apl: dataset }]],
];
let number = 0;
it.each(ways)('%s: the query is compiled again, and answered', async (way, asked) => {
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
  before = { what: way.endsWith('has counted') ? 'delete' : 'read', task: vacuum };
  const [path, body] = asked(dataset);
  const { status, text } = await world.send('POST', path, body);
  expect(vacuumed.fields, 'the vacuum came first').not.toContain('gone');
  expect([status, text]).toEqual([200, expect.not.stringContaining('"status":5')]);
  if (path.includes('delete')) expect(text).toContain('"rowsMatched":1');
  else if (!path.includes('estimate') && !text.startsWith('PAR1')) expect(text).toMatch(/kept|sum/i);
});
