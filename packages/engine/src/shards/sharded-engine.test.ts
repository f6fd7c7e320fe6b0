import { quoteIdentifier, quoteString } from '@millrace/sql';
import { expect, it } from 'vitest';
import type { Engine, EngineHealth, EngineState, Replication } from '../engine.js';
import { EngineError } from '../errors.js';
import { ShardedEngine, UnknownShardError } from './sharded-engine.js';
import { TablesIn } from './find-tables.js';

/** An engine that records its statements. */
function recordingEngine({ replicas = 0 } = {}) {
  const statements: string[] = [];
  const listeners: (() => void)[] = [];
  const noted = { statements, state: 'ready' as EngineState, ready: () => listeners.forEach((tell) => tell()) };
  const note = async (sql: string) => {
    statements.push(sql);
    return {
      body: new Uint8Array(),
      columns: [],
      rows: 0,
      statistics: { elapsedNanoseconds: 0, rowsRead: 0, bytesRead: 0 },
    };
  };
  const replication: Replication = {
    engineOf: ({ table }) => `${replicas} replicas of ${table}`,
    spread: async ({ table }, to) => void statements.push(`spread ${table} ${to}`),
    askEach: async (sql) => [await note(sql)],
    askMost: async (_, sql) => [await note(sql)],
  };
  const engine: Engine = {
    ...(replicas > 0 && { replication }),
    query: note,
    stream: async function* (sql) {
      await note(sql);
      yield new Uint8Array();
    },
    execute: async (sql) => void statements.push(sql),
    insert: async ({ table }) => void statements.push(`insert into ${table.table}`),
    health: (): EngineHealth => ({ state: noted.state, since: 0, restarts: 1, reason: 'why', memoryBytes: 0 }),
    onReady: (listener) => {
      listeners.push(listener);
      return () => void listeners.splice(listeners.indexOf(listener), 1);
    },
    close: async () => void (noted.state = 'closed'),
  };
  return { ...noted, noted, engine };
}

const tableOf = (table: string) => ({ database: 'db', table });
const format = 'RowBinary' as const;

/** Two shards: the tables d1 and d3 are on the first, d2 on the second. */
function two(options?: { readonly replicas: number }) {
  const shards = [recordingEngine(options), recordingEngine(options)] as const;
  const engine = new ShardedEngine(
    shards.map((shard) => shard.engine),
    'db',
  );
  for (const [table, shard] of [
    ['d1', 1],
    ['d2', 2],
    ['d3', 1],
  ] as const)
    engine.place(tableOf(table), shard);
  return { engine, shards, statements: () => shards.map(({ statements }) => statements.splice(0)) };
}

it.each([
  ['SELECT 1', []],
  ['SELECT * FROM `db`.`d1` AS a JOIN `db`.`d2` AS b', ['d1', 'd2']],
  ['SELECT * FROM `db`.`d1` UNION ALL SELECT * FROM `db`.`d1`', ['d1']],
  ["KILL MUTATION WHERE database = 'db' AND table = 'd7' AND x", ['d7']],
  // Text inside string literals of a query is ignored.
  ["SELECT 'of `db`.`d1`' FROM `db`.`d2`", ['d2']],
  [`SELECT ${quoteString("it's \\ `db`.`d1` '")}`, []],
  [`SELECT ${quoteString('\\')}, a FROM \`db\`.\`d1\``, ['d1']],
  [`SELECT ${quoteString("database = 'db' AND table = 'd7'")}`, []],
  [`SELECT ${quoteIdentifier('a`db`.`d1')}, ${quoteIdentifier("it's")} FROM \`db\`.\`d3\``, ['d3']],
  ['SELECT `d1` FROM `other`.`d1`', []],
])('tables are found outside of texts: %s', (sql, tables) => {
  expect(new TablesIn('db').of(sql)).toEqual(tables);
});

it('a text of any length, with whatever in it, is skipped', () => {
  const text = String.raw`\\\'`.repeat(500_000) + '`'.repeat(500_000);
  expect(new TablesIn('db').of(`SELECT '${text}' FROM \`db\`.\`d1\``)).toEqual(['d1']);
});

it('statements go to the shard of their tables, or to any available one if they name none', async () => {
  const { engine, shards, statements } = two();
  await engine.query('SELECT a FROM `db`.`d2`', { format });
  await engine.execute('ALTER TABLE `db`.`d1` x', { defines: tableOf('d1'), everywhere: true });
  await engine.insert({ table: tableOf('d2'), columns: [], chunks: [] });
  for await (const _ of engine.stream('SELECT b FROM `db`.`d3`', { format }));
  expect(statements()).toEqual([
    ['ALTER TABLE `db`.`d1` x', 'SELECT b FROM `db`.`d3`'],
    ['SELECT a FROM `db`.`d2`', 'insert into d2'],
  ]);
  await engine.execute('CREATE DATABASE IF NOT EXISTS `db`', { everywhere: true });
  expect(statements()).toEqual([['CREATE DATABASE IF NOT EXISTS `db`'], ['CREATE DATABASE IF NOT EXISTS `db`']]);
  shards[0].noted.state = 'restarting';
  await engine.query('SELECT 1', { format });
  expect(statements()).toEqual([[], ['SELECT 1']]);
});

it('a statement over tables of two shards, or of an unknown shard, is not executed', async () => {
  const { engine, statements } = two();
  const code = (sql: string) => engine.query(sql, { format }).catch((error: EngineError) => error.code);
  expect(await code('SELECT * FROM `db`.`d1`, `db`.`d2`')).toBe('rejected');
  expect(await code('SELECT * FROM `db`.`d9`')).toBe('unknown-table');
  await expect(engine.insert({ table: tableOf('d9'), columns: [], chunks: [] })).rejects.toThrow(EngineError);
  engine.place(tableOf('d9'), 3);
  await expect(engine.query('SELECT * FROM `db`.`d9`', { format })).rejects.toMatchObject({ shard: 3 });
  expect(statements()).toEqual([[], []]);
});

it('an unavailable shard does not delay the others', async () => {
  const { engine, shards, statements } = two();
  shards[1].noted.state = 'down';
  expect(engine.health()).toMatchObject({ state: 'ready', restarts: 2, reason: 'shard 2 down: why' });
  await engine.query('SELECT 1 FROM `db`.`d1`', { format });
  await expect(engine.query('SELECT 1 FROM `db`.`d2`', { format })).rejects.toMatchObject({ code: 'unavailable' });
  await expect(engine.insert({ table: tableOf('d2'), columns: [], chunks: [] })).rejects.toMatchObject({
    code: 'unavailable',
    outcome: 'elsewhere',
  });
  expect(statements()).toEqual([['SELECT 1 FROM `db`.`d1`'], []]);
  shards[0].noted.state = 'restarting';
  expect(engine.health().state).toBe('restarting');
  let notifications = 0;
  const remove = engine.onReady(() => notifications++);
  shards[1].ready();
  remove();
  shards[0].ready();
  expect(notifications).toBe(1);
  await engine.close();
  expect(engine.health().state).toBe('closed');
});

it('a shard that is added gets its statements, and tells its listeners', async () => {
  const { engine, shards } = two();
  const third = recordingEngine();
  let notifications = 0;
  const remove = engine.onReady(() => notifications++);
  engine.place(tableOf('d9'), 3);
  expect(() => engine.of(tableOf('d9'))).toThrow(UnknownShardError);
  engine.add(third.engine);
  await engine.query('SELECT * FROM `db`.`d9`', { format });
  third.ready();
  shards[0].ready();
  expect([third.statements, notifications]).toEqual([['SELECT * FROM `db`.`d9`'], 2]);
  remove();
  third.ready();
  expect(notifications).toBe(2);
});

it('replicas are those of the shard of a table', async () => {
  const [one, three] = [recordingEngine({ replicas: 1 }), recordingEngine({ replicas: 3 })];
  const engine = new ShardedEngine([one.engine, three.engine], 'db');
  engine.place(tableOf('d1'), 1);
  engine.place(tableOf('d2'), 2);
  const { replication } = engine;
  expect(replication?.engineOf(tableOf('d2'))).toBe('3 replicas of d2');
  await replication?.spread(tableOf('d2'), 'most');
  await replication?.askEach('SELECT count() FROM `db`.`d1`', { format });
  await replication?.askMost(tableOf('d2'), 'SELECT count() FROM `db`.`d2`', { format });
  expect([one.statements, three.statements]).toEqual([
    ['SELECT count() FROM `db`.`d1`'],
    ['spread d2 most', 'SELECT count() FROM `db`.`d2`'],
  ]);
  expect(two().engine.replication).toBeUndefined();
});
