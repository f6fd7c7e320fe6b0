import { type Engine, EngineError, type EngineResult, type QueryOptions, type Sharding } from '@millrace/engine';
import { HttpError } from '@millrace/api/errors';
import { item, column, type Query, select } from '@millrace/sql';
import { expect, it } from 'vitest';
import { namingShards } from '../datasets-apart.js';
import { AcrossShards, TooManyMovedBytes } from './across-shards.js';

const statistics = { elapsedNanoseconds: 0, rowsRead: 5, bytesRead: 0 };
const result = (body: Uint8Array): EngineResult => ({ body, columns: [], rows: 0, statistics });

/** Two shards, d1 with 10 rows and d2 with 20; a moved part has the given bytes. */
function open(bytes: number | EngineError) {
  const asked: (readonly [sql: string, options: QueryOptions])[] = [];
  const shard = (rows: number): Engine =>
    ({ query: async () => result(new Uint8Array(BigInt64Array.of(BigInt(rows)).buffer)) }) as Partial<Engine> as Engine;
  const shards = [shard(10), shard(20)];
  const sharding: Sharding = {
    shards,
    add: () => undefined,
    place: () => undefined,
    of: ({ table }) => shards[table === 'd1' ? 0 : 1]!,
  };
  const query: Engine['query'] = async (sql, options) => {
    asked.push([sql, options]);
    if (typeof bytes !== 'number') throw bytes;
    return result(new Uint8Array(bytes));
  };
  return { across: new AcrossShards({ sharding, query } as Partial<Engine> as Engine, 100), asked };
}

const read = (name: string): Query =>
  select({ columns: [item(column('x'), 'x')], from: { kind: 'table', database: 'millrace', name } });
const union = select({
  columns: [item(column('x'))],
  from: { kind: 'subquery', query: { kind: 'unionAll', queries: [read('d1'), read('d2')] } },
  settings: { max_rows_to_read: 7 },
});

it('moves the rows of the shard with fewer rows, with the limits and the signal of the query', async () => {
  const { across, asked } = open(100);
  const { signal } = new AbortController();
  const local = await across.localize(union, { signal, deadline: 9, settings: { a: 1 }, limits: { maxSeconds: 3 } });
  expect(local).toEqual({
    sql: 'SELECT `x` FROM ((SELECT * FROM `moved1`) UNION ALL (SELECT `x` AS `x` FROM `millrace`.`d2`)) SETTINGS max_rows_to_read = 7',
    moved: [{ name: 'moved1', rows: new Uint8Array(100) }],
    rowsRead: 5,
  });
  expect(asked).toMatchObject([
    [
      'SELECT `x` AS `x` FROM `millrace`.`d1`',
      { signal, deadline: 9, settings: { a: 1, max_rows_to_read: 7 }, limits: { maxSeconds: 3, maxResultBytes: 100 } },
    ],
  ]);
});

it('moves nothing for a query over one shard', async () => {
  const { across, asked } = open(1);
  expect(await across.localize(read('d1'), {})).toMatchObject({ moved: [], rowsRead: 0 });
  expect(asked).toEqual([]);
});

it.each([101, new EngineError('result-limit', 'SELECT secret')])(
  'rejects more bytes than the limit: %s',
  async (bytes) => {
    const { across } = open(bytes);
    const records = [
      { name: 'one', shard: 1 },
      { name: 'other', shard: 2 },
    ];
    const metadata = { datasets: { find: (name: string) => records.find((each) => each.name === name) } };
    const shards = { metadata } as unknown as Parameters<typeof namingShards>[0];
    const work = namingShards(shards, ['one', 'other'], () => across.localize(union, {}));
    const error: unknown = await work.catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(HttpError);
    expect(error).toMatchObject({
      code: 'datasets-apart',
      message: expect.stringContaining(
        "datasets 'one' (shard 1) and 'other' (shard 2) are apart: more than 100 bytes would move between shards",
      ),
    });
    expect(String(error)).not.toContain('SELECT');
    await expect(across.localize(union, {})).rejects.toThrow(TooManyMovedBytes);
  },
);

it('other errors pass', async () => {
  const { across } = open(new EngineError('unavailable'));
  await expect(across.localize(union, {})).rejects.toMatchObject({ code: 'unavailable' });
});
