import type { Engine } from '@millrace/engine';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { highestPosition, presentTables, rowsPerBatchOfAll } from './all-tables.js';
import { standardColumn } from './new-column.js';
import { rowsPerBatch } from './rows-of-batches.js';
import { addColumns, createTable } from './table-of-dataset.js';
import { realEngine } from '../testing/real-engine.js';
import type { Storage } from '../storage.js';
import { append, type FakeStorageHarness, fakeWorld } from '../testing/fake-harness.js';

let engine: Engine;
let close: () => Promise<void>;

beforeAll(async () => {
  ({ engine, close } = await realEngine());
});

afterAll(() => close());

it('one query for all tables answers what a query for each would, whatever columns they have', async () => {
  expect(await presentTables(engine)).toEqual(new Set());
  for (const id of [1, 2, 12]) await createTable(engine, id);
  await addColumns(engine, 1, [standardColumn({ field: 'a', type: 'array' })]);
  await addColumns(engine, 2, [
    standardColumn({ field: 'a', type: 'string' }),
    standardColumn({ field: 'b', type: 'integer' }),
  ]);
  for (const [id, seq, rows] of [
    [1, 5, 2],
    [1, 7, 3],
    [2, 6, 1],
    [2, 7, 4],
    [2, 3, 9],
  ] as const)
    await engine.execute(
      `INSERT INTO millrace.d${id} (_time, _sysTime, _seq, _row) SELECT now(), now(), ${seq}, number FROM numbers(${rows})`,
    );
  await engine.execute('CREATE TABLE millrace.other (_seq UInt64) ENGINE = MergeTree ORDER BY _seq');
  await engine.execute('INSERT INTO millrace.other VALUES (99)');

  expect(await presentTables(engine)).toEqual(new Set([1, 2, 12]));
  expect(await Promise.all([0n, 6n, 7n].map((above) => highestPosition(engine, above)))).toEqual([7n, 7n, 0n]);
  const all = await rowsPerBatchOfAll(engine, 5n);
  expect([...all.keys()].toSorted()).toEqual([1, 2]);
  for (const id of [1, 2]) expect(all.get(id)).toEqual(await rowsPerBatch(engine, id, 5n, 100n));
  expect(all.get(2)).toEqual(
    new Map([
      [6n, 1],
      [7n, 4],
    ]),
  );
});

/** Number of statements with this many datasets, each with a batch. */
async function statementsOf(work: (world: FakeStorageHarness, opened: Storage) => Promise<unknown>, count: number) {
  const datasets = Array.from({ length: count }, (_, i) => i + 1);
  const world = await fakeWorld();
  try {
    const opened = await world.open(datasets);
    for (const id of datasets) await append(opened, id, [1]);
    await opened.flush(datasets);
    const known = world.fake.calls.length;
    await work(world, opened);
    return world.fake.calls.length - known;
  } finally {
    await world.close();
  }
}

it('a start asks the engine no more often with many datasets than with a few', async () => {
  const start = (count: number) =>
    statementsOf((world) => world.open(Array.from({ length: count }, (_, i) => i + 1)), count);
  expect(await start(9)).toBe(await start(2));
});

it('a recount asks the engine no more often with many datasets than with a few', async () => {
  const recount = (count: number) =>
    statementsOf(
      async (_, opened) => expect(await opened.verify()).toMatchObject({ batches: count, wrong: [] }),
      count,
    );
  expect(await recount(9)).toBe(await recount(2));
});
