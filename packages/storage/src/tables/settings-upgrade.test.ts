import {
  type Engine,
  EngineError,
  durableTableSettings,
  preferredTableSettings,
  printSettings,
} from '@millrace/engine';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { inMemory } from '@millrace/metadata/sqlite';
import { type Metadata, openMetadata } from '@millrace/metadata/metadata';
import { realEngine } from '../testing/real-engine.js';
import { datasetId, realWorld } from '../testing/harness.js';
import { tablesWithout } from './all-tables.js';
import { SettingsRecord } from './settings-record.js';
import { SettingsUpgrade } from './settings-upgrade.js';
import { createDatabase, createTable, dropTable, quotedTable, tableSettings } from './table-of-dataset.js';

let engine: Engine;
let close: () => Promise<void>;
let metadata: Metadata;
let record: SettingsRecord;
const datasets = [1, 2, 3, 4] as const;

beforeAll(async () => {
  ({ engine, close } = await realEngine());
});
afterAll(async () => {
  await close();
  await metadata.close();
});

/**
 * Table 1 is of a version that set nothing, 2 of one that set something else, 3 of today's; 4 has
 * an additional setting of its operator.
 */
beforeEach(async () => {
  await metadata?.close();
  metadata = await openMetadata(inMemory);
  record = new SettingsRecord(metadata.database);
  for (const id of datasets) await dropTable(engine, id);
  const create = (id: number, settings: string) =>
    engine.execute(
      `CREATE TABLE ${quotedTable(id)} (_time DateTime64(9, 'UTC'), _seq UInt64, _row UInt32) ` +
        `ENGINE = MergeTree ORDER BY (_time, _seq, _row) SETTINGS index_granularity = 8192${settings}`,
    );
  await create(1, '');
  await create(2, ', old_parts_lifetime = 10, merge_selector_base = 16');
  await createTable(engine, 3);
  const ours = { ...durableTableSettings, ...preferredTableSettings };
  await create(4, `, max_parts_to_merge_at_once = 50, ${printSettings(ours)}`);
});

const outdatedTables = async () => tablesWithout(engine, await tableSettings(engine));

async function text(sql: string): Promise<string> {
  const { body } = await engine.query(sql, { format: 'TabSeparated' });
  return Buffer.from(body).toString().trim();
}
const settingsOf = (id: number) => text(`SELECT engine_full FROM system.tables WHERE name = 'd${id}'`);

/** An engine whose statements go through `call`, which may throw before or after it runs them. */
function watchEngine(call: (sql: string, work: () => Promise<unknown>) => Promise<unknown>): Engine {
  return {
    ...engine,
    onReady: (listener) => engine.onReady(listener),
    execute: async (sql, options) => void (await call(sql, () => engine.execute(sql, options))),
    query: (sql, options) => call(sql, () => engine.query(sql, options)) as ReturnType<Engine['query']>,
  };
}

const upgradeOver = (over: Engine): SettingsUpgrade =>
  new SettingsUpgrade({ engine: over, record, logger: pino({ level: 'silent' }) });

/** Runs one start to its end; returns the statements it took. */
async function start(
  call: (sql: string, work: () => Promise<unknown>) => Promise<unknown> = (_, work) => work(),
): Promise<readonly string[]> {
  const statements: string[] = [];
  const over = watchEngine((sql, work) => {
    statements.push(sql);
    return call(sql, work);
  });
  await upgradeOver(over).run();
  return statements;
}

const alteredTables = (statements: readonly string[]): readonly number[] =>
  statements.flatMap((sql) => (sql.startsWith('ALTER') ? [Number(/`d(\d+)`/.exec(sql)?.[1])] : []));

it('tables of an earlier version get the settings of this one, the others are left alone', async () => {
  expect(await outdatedTables()).toEqual([1, 2]);
  const theirs = await settingsOf(4);
  expect(alteredTables(await start())).toEqual([1, 2]);
  expect(await outdatedTables()).toEqual([]);
  for (const [name, value] of Object.entries({ ...durableTableSettings, ...preferredTableSettings }))
    expect(await settingsOf(1)).toContain(`${name} = ${String(value)}`);
  expect(await settingsOf(4)).toBe(theirs);
  expect(await record.read()).toBe(printSettings(await tableSettings(engine)));
});

it('the next start asks no table, until other settings are wanted', async () => {
  await start();
  expect((await start()).filter((sql) => !sql.includes('system.merge_tree_settings'))).toEqual([]);
  // A setting changed by an operator in between stays.
  await engine.execute(`ALTER TABLE ${quotedTable(4)} MODIFY SETTING merge_selector_base = 7`);
  expect(alteredTables(await start())).toEqual([]);
  await record.write('merge_selector_base = 7');
  expect(alteredTables(await start())).toEqual([4]);
});

it('parts that are in memory already keep their whole order there afterwards', async () => {
  await engine.execute(
    `INSERT INTO ${quotedTable(1)} SELECT fromUnixTimestamp64Nano(toInt64(1790000000000000000 + number * 1000003)), 1, number FROM numbers(200000)`,
  );
  const inMemory = async () => {
    await text(`SELECT count() FROM ${quotedTable(1)} WHERE _time > fromUnixTimestamp64Nano(1790000000000000001)`);
    return Number(
      await text("SELECT sum(primary_key_bytes_in_memory) FROM system.parts WHERE active AND table = 'd1'"),
    );
  };
  const before = await inMemory();
  await start();
  expect(await inMemory()).toBeGreaterThan(2 * before);
});

it('a table that cannot be changed does not stop the others, and is tried again', async () => {
  const fails = (sql: string, work: () => Promise<unknown>) =>
    sql.startsWith('ALTER') && sql.includes('`d1`') ? Promise.reject(new EngineError('disk-full')) : work();
  expect(alteredTables(await start(fails))).toEqual([1, 2]);
  expect(await record.read()).toBeUndefined();
  expect(alteredTables(await start())).toEqual([1]);
  expect(await record.read()).toBeDefined();
});

it('a dataset that is deleted concurrently is no failure', async () => {
  const meanwhile = async (sql: string, work: () => Promise<unknown>) => {
    if (sql.startsWith('ALTER') && sql.includes('`d1`')) await dropTable(engine, 1);
    return work();
  };
  expect(alteredTables(await start(meanwhile))).toEqual([1, 2]);
  expect(await record.read()).toBeDefined();
});

it('wherever the engine ends, before a statement or after it, the next start completes the upgrade', async () => {
  const statements = (await start()).length;
  expect(statements).toBeGreaterThan(5);
  for (let nth = 0; nth < 2 * statements; nth++) {
    await engine.execute(`ALTER TABLE ${quotedTable(1)} MODIFY SETTING merge_selector_base = 7`);
    await engine.execute(`ALTER TABLE ${quotedTable(2)} RESET SETTING min_level_for_wide_part`);
    await record.write('');
    let left = nth;
    await start(async (_, work) => {
      if (left-- > 1) return work();
      if (left === 0) await work();
      throw new EngineError('unavailable');
    });
    await start();
    expect(await outdatedTables()).toEqual([]);
  }
});

it('begins when the engine is ready, and a stop lets it finish the current table', async () => {
  const upgrade = upgradeOver(engine);
  upgrade.start();
  await expect.poll(() => record.read()).toBeDefined();
  expect(await outdatedTables()).toEqual([]);
  await upgrade.stop();

  await record.write('');
  for (const id of [1, 2, 3])
    await engine.execute(`ALTER TABLE ${quotedTable(id)} MODIFY SETTING merge_selector_base = 7`);
  let ended: Promise<void> | undefined;
  const stopped = upgradeOver(
    watchEngine((sql, work) => {
      if (sql.startsWith('ALTER')) ended ??= stopped.stop();
      return work();
    }),
  );
  stopped.start();
  await expect.poll(() => ended !== undefined).toBe(true);
  await ended;
  expect(await outdatedTables()).toEqual([2, 3]);
  expect(await record.read()).toBe('');
});

it('an engine that restarts before the first attempt has failed is retried', async () => {
  let ready: () => void = () => undefined;
  let fails = true;
  const upgrade = upgradeOver({
    ...watchEngine(async (sql, work) => {
      if (!fails || !sql.startsWith('ALTER')) return work();
      fails = false;
      ready();
      throw new EngineError('unavailable');
    }),
    onReady: (listener) => {
      ready = listener;
      return () => undefined;
    },
  });
  upgrade.start();
  ready();
  await expect.poll(() => record.read()).toBeDefined();
  expect(await outdatedTables()).toEqual([]);
  await upgrade.stop();
});

it('a server that starts runs it', async () => {
  const world = await realWorld();
  await createDatabase(world.engine);
  await createTable(world.engine, datasetId);
  await world.engine.execute(`ALTER TABLE ${quotedTable(datasetId)} RESET SETTING min_level_for_wide_part`);
  const wanted = await tableSettings(world.engine);
  expect(await tablesWithout(world.engine, wanted)).toEqual([datasetId]);
  const { storage } = await world.open();
  await expect.poll(() => tablesWithout(world.engine, wanted)).toEqual([]);
  await storage.close();
  await world.close();
});
