import { utimesSync } from 'node:fs';
import type { Engine } from '@millrace/engine';
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { mergePartition, startMerges, stopMerges, type UnmergedPartition, unmergedPartitions } from './parts.js';
import { queryNumbers, queryRows } from './query.js';
import { createTable, dropTable } from './table-of-dataset.js';
import { realEngine } from '../testing/real-engine.js';

/** Which partitions of real tables are worth merging. */

let engine: Engine;
let close: () => Promise<void>;

beforeAll(async () => {
  ({ engine, close } = await realEngine());
});

afterAll(() => close());

beforeEach(async () => {
  for (const id of [1, 2]) {
    await dropTable(engine, id);
    await createTable(engine, id);
  }
});

const unlimitedBytes = 2 ** 40;

/** A part of a day of January 2026, of values that do not compress. */
const add = (id: number, day: number, rows: number): Promise<void> =>
  engine.execute(
    'INSERT INTO `millrace`.`d' +
      id +
      '` (_time, _sysTime, _seq, _row, _overflow) ' +
      `SELECT toDateTime64('2026-01-0${day} 00:00:00', 9, 'UTC') AS t, t, 1, number, ` +
      `map('a', toString(generateUUIDv4(number))) FROM numbers(${rows})`,
  );

const partsOf = async (id: number): Promise<readonly (readonly bigint[])[]> =>
  queryNumbers(
    engine,
    'SELECT toInt64(partition_id) AS partition, toInt64(count()), toInt64(sum(rows)) FROM system.parts ' +
      `WHERE active AND table = 'd${id}' GROUP BY partition ORDER BY partition`,
    3,
  );

/** Partitions due for a merge soon. */
const soon = async (maxBytes = unlimitedBytes): Promise<readonly UnmergedPartition[]> =>
  (await unmergedPartitions(engine, maxBytes)).filter(({ rest }) => rest === 0);

const foundPartitions = async (maxBytes = unlimitedBytes): Promise<readonly string[]> =>
  (await soon(maxBytes)).map(({ datasetId, partition }) => `${datasetId} ${partition}`);

async function mergeAll(): Promise<void> {
  for (const one of await soon()) await mergePartition(engine, one);
}

it('partitions with several parts, the smallest first, are merged into one part each', async () => {
  for (const _ of [1, 2]) await add(1, 1, 3000);
  for (const _ of [1, 2, 3]) await add(2, 2, 1000);
  await add(2, 3, 10);
  expect(await foundPartitions()).toEqual(['2 20260102', '1 20260101']);
  await mergeAll();
  expect(await partsOf(1)).toEqual([[20260101n, 1n, 6000n]]);
  expect(await partsOf(2)).toEqual([
    [20260102n, 1n, 3000n],
    [20260103n, 1n, 10n],
  ]);
  expect(await foundPartitions()).toEqual([]);
});

it('parts that were made before the clock was set back wait no longer than others', async () => {
  for (const _ of [1, 2]) await add(1, 1, 3000);
  const paths = await queryRows<[string]>(engine, "SELECT path FROM system.parts WHERE active AND table = 'd1'");
  await engine.execute('DETACH TABLE `millrace`.`d1`');
  const tomorrow = Date.now() / 1000 + 86_400;
  for (const [path] of paths) utimesSync(path, tomorrow, tomorrow);
  await engine.execute('ATTACH TABLE `millrace`.`d1`');
  const [waiting] = await soon();
  expect(waiting?.age).toBeGreaterThan(3600);
  await mergeAll();
  await add(1, 1, 3000);
  const [merged] = await soon();
  expect(merged?.age).toBeLessThan(3600);
});

it('late parts are not merged with a large one before they are a quarter of it, or some minutes have gone by', async () => {
  await add(1, 1, 40_000);
  expect(await unmergedPartitions(engine, unlimitedBytes)).toEqual([]);
  for (const _ of [1, 2, 3]) await add(1, 1, 100);
  expect(await foundPartitions()).toEqual([]);
  expect((await unmergedPartitions(engine, unlimitedBytes)).map(({ rest }) => rest)).toEqual([300]);
  await add(1, 1, 12_000);
  expect(await foundPartitions()).toEqual(['1 20260101']);
});

it('a part is compact as it is inserted, and made wide as the largest of its partition', async () => {
  const kinds = async () => {
    const sql =
      "SELECT toInt64(rows), toInt64(part_type = 'Wide') FROM system.parts WHERE active AND table = 'd1' ORDER BY rows";
    return queryNumbers(engine, sql, 2);
  };
  await add(1, 1, 200_000);
  await add(1, 2, 40_000);
  await add(1, 3, 250_000);
  await add(1, 3, 1000);
  expect(await kinds()).toEqual([
    [1000n, 0n],
    [40_000n, 0n],
    [200_000n, 0n],
    [250_000n, 0n],
  ]);
  expect(await foundPartitions()).toEqual(['1 20260101', '1 20260103']);
  await mergeAll();
  expect(await kinds()).toEqual([
    [40_000n, 0n],
    [200_000n, 1n],
    [251_000n, 1n],
  ]);
  expect(await foundPartitions()).toEqual([]);
});

it('a part that is alone waits for a deletion in its dataset', async () => {
  await add(1, 1, 200_000);
  await stopMerges(engine, 1);
  await engine.execute('ALTER TABLE `millrace`.`d1` DELETE WHERE _row = 1 SETTINGS mutations_sync = 0');
  expect(await foundPartitions()).toEqual([]);
  await startMerges(engine, 1);
  await vi.waitFor(async () => expect(await partsOf(1)).toEqual([[20260101n, 1n, 199_999n]]), 10_000);
  expect(await foundPartitions()).toEqual(['1 20260101']);
});

it('parts with more bytes than may be merged are left', async () => {
  for (const _ of [1, 2]) await add(1, 1, 3000);
  expect(await foundPartitions(1000)).toEqual([]);
});

it('the state of a partition changes with its parts', async () => {
  const state = async () => (await unmergedPartitions(engine, unlimitedBytes)).map((one) => one.state);
  for (const _ of [1, 2]) await add(1, 1, 100);
  const before = await state();
  expect(await state()).toEqual(before);
  await add(1, 1, 100);
  expect(await state()).not.toEqual(before);
});

it('merges that were stopped begin again', async () => {
  for (const _ of [1, 2]) await add(1, 1, 100);
  await stopMerges(engine, 1);
  await mergeAll().catch(() => undefined);
  expect(await partsOf(1)).toEqual([[20260101n, 2n, 200n]]);
  await startMerges(engine, 1);
  await mergeAll();
  expect(await partsOf(1)).toEqual([[20260101n, 1n, 200n]]);
});

it('the newest events are read from the part whose turn it is, in the order of time, position and row', async () => {
  for (const second of [0, 1])
    await engine.execute(
      'INSERT INTO `millrace`.`d1` (_time, _sysTime, _seq, _row) ' +
        `SELECT toDateTime64('2026-01-01 00:00:0${second}', 9, 'UTC') + toIntervalNanosecond(number * 1000) AS t, t, ${second}, number FROM numbers(100000)`,
    );
  const page = 'SELECT _seq FROM `millrace`.`d1` ORDER BY _time DESC, _seq DESC, _row DESC LIMIT 10';
  const sql = `${page} SETTINGS read_in_order_use_virtual_row = 1, read_in_order_use_virtual_row_per_block = 1`;
  const { statistics } = await engine.query(sql, { format: 'JSONCompactColumns' });
  // A granule and part of another; reading the other part too would double the rows.
  expect(statistics.rowsRead).toBeLessThan(2 * 8192);
});

it('tables have the settings that the engine knows', async () => {
  const sql = "SELECT toInt64(engine_full LIKE '%merge_selector_base = 16%') FROM system.tables WHERE name = 'd1'";
  expect(await queryNumbers(engine, sql, 1)).toEqual([[1n]]);
  const old: Engine = {
    ...engine,
    execute: (sql) => engine.execute(sql),
    query: (sql, options) =>
      sql.includes('merge_tree_settings')
        ? engine.query(sql.replaceAll('merge_selector_base', 'unheard_of'), options)
        : engine.query(sql, options),
  };
  await dropTable(engine, 2);
  await createTable(old, 2);
  expect(await queryNumbers(engine, sql.replace("'d1'", "'d2'"), 1)).toEqual([[0n]]);
});

it('a deletion rewrites parts and adds no events', async () => {
  for (const _ of [1, 2]) await add(1, 1, 1000);
  const [before] = await unmergedPartitions(engine, unlimitedBytes);
  await engine.execute('DELETE FROM `millrace`.`d1` WHERE _row = 7');
  const [after] = await unmergedPartitions(engine, unlimitedBytes);
  expect(after!.state).not.toBe(before!.state);
  expect(after!.blocks).toBe(before!.blocks);
  await add(1, 1, 1000);
  expect((await unmergedPartitions(engine, unlimitedBytes))[0]!.blocks).not.toBe(before!.blocks);
});
