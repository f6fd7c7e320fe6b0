import { readdirSync } from 'node:fs';
import { durableTableSettings, type Engine, preferredTableSettings } from '@millrace/engine';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { logKeepMilliseconds } from '../storage-limits.js';
import { realEngine } from '../testing/real-engine.js';
import { createWordTable } from '../term-index/term-table.js';
import { queryNumbers, queryRows } from './query.js';
import { alterSettings, createTable, quotedTable } from './table-of-dataset.js';

/**
 * An idle directory contains active parts only: parts replaced by a merge are removed even without
 * queries.
 */

let engine: Engine;
let close: () => Promise<void>;
let directory: string;
const id = 1;

beforeAll(async () => {
  ({ engine, close } = await realEngine());
  await createTable(engine, id);
  const sql = `SELECT data_paths[1] FROM system.tables WHERE name = 'd${id}' AND database = 'millrace'`;
  [[directory] = ['']] = await queryRows<[string]>(engine, sql);
});
afterAll(() => close());

const onDisk = (): readonly string[] =>
  readdirSync(directory)
    .filter((name) => /^\d+_\d+_\d+_\d+$/.test(name))
    .toSorted();

const add = (rows: number): Promise<void> =>
  engine.execute(
    `INSERT INTO ${quotedTable(id)} (_time, _seq, _row) SELECT toDateTime64('2026-01-01 00:00:00', 9, 'UTC'), 1, number FROM numbers(${rows})`,
  );
const merge = (): Promise<void> => engine.execute(`OPTIMIZE TABLE ${quotedTable(id)} FINAL`);

/**
 * Restarts the table, as a new engine does. A table's thread that removes parts reads its settings
 * after its current sleep.
 */
async function restart(): Promise<void> {
  await engine.execute(`DETACH TABLE ${quotedTable(id)}`);
  await engine.execute(`ATTACH TABLE ${quotedTable(id)}`);
}

/** Checks the directory, not the engine. */
async function onlyOneIsLeft(): Promise<void> {
  await expect.poll(() => onDisk().length, { timeout: 20_000, interval: 100 }).toBe(1);
}

it('parts replaced by a merge leave the disk without a query, whether merged before or after a restart', async () => {
  for (const _ of [1, 2, 3]) await add(100);
  await merge();
  expect(onDisk()).toHaveLength(4);
  await alterSettings(engine, id, {
    old_parts_lifetime: 1,
    cleanup_delay_period: 1,
    max_cleanup_delay_period: 1,
    cleanup_delay_period_random_add: 0,
  });
  await restart();
  await onlyOneIsLeft();
  for (const _ of [1, 2]) await add(100);
  expect(onDisk().length).toBeGreaterThanOrEqual(3);
  await merge();
  await onlyOneIsLeft();
  expect(await queryNumbers(engine, `SELECT toInt64(count()) FROM ${quotedTable(id)}`, 1)).toEqual([[500n]]);
});

it('an export that began before a merge reads the parts it began with to their end', async () => {
  await add(1_000_000);
  await merge();
  await onlyOneIsLeft();
  const stream = engine.stream(`SELECT _row FROM ${quotedTable(id)}`, { format: 'RowBinary' });
  let bytes = 0;
  for await (const chunk of stream) {
    if (bytes === 0) {
      await add(100);
      await merge();
      // Only the part that is being read stays in addition to the merged one.
      await expect.poll(() => onDisk().length, { timeout: 20_000, interval: 100 }).toBe(2);
    }
    bytes += chunk.byteLength;
  }
  expect(bytes).toBe(4 * 1_000_500);
  await onlyOneIsLeft();
});

it('a table of words removes merged parts as quickly as one of events', async () => {
  await createWordTable(engine, id);
  const sql = "SELECT engine_full FROM system.tables WHERE name = 'w1' AND database = 'millrace'";
  const [[settings] = []] = await queryRows<[string]>(engine, sql);
  for (const [name, value] of [
    ['old_parts_lifetime', durableTableSettings['old_parts_lifetime']],
    ['max_cleanup_delay_period', preferredTableSettings['max_cleanup_delay_period']],
  ])
    expect(settings).toContain(`${name} = ${value}`);
});

it('the log keeps events for longer than the engine keeps what a merge replaced', () => {
  const seconds = [
    durableTableSettings['old_parts_lifetime'],
    preferredTableSettings['max_cleanup_delay_period'],
  ].reduce<number>((sum, value) => sum + Number(value), 0);
  expect(seconds).toBeLessThanOrEqual(120);
  expect(logKeepMilliseconds).toBeGreaterThan(seconds * 1000);
});
