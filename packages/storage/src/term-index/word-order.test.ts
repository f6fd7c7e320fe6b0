import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Engine } from '@millrace/engine';
import { DEFAULT_BUDGET } from '@millrace/events';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openEngineIn } from '@millrace/server/testing/remote-engine';
import { StoredDataset } from '../fields/dataset.js';
import type { Batch } from '../insert/queue.js';
import { createDatabase, createTable } from '../tables/table-of-dataset.js';
import { body, encode } from '../testing/harness.js';
import { WordIndex } from './term-index.js';
import { dropWordTables, positionOfWords } from './term-table.js';

/** Lookups in the index while batches come, in any order. */

const directory = mkdtempSync(join(tmpdir(), 'millrace-words-'));
const dataset = new StoredDataset(1, DEFAULT_BUDGET);
let engine: Engine;
beforeAll(async () => {
  engine = await openEngineIn(directory);
  await createDatabase(engine);
  await createTable(engine, 1);
  await engine.execute('ALTER TABLE millrace.d1 ADD COLUMN `text#s` Nullable(String)');
});
afterAll(async () => {
  await engine.close();
  rmSync(directory, { recursive: true, force: true });
});

const day = 86_400_000_000_000n;
const start = 1_767_225_600_000_000_000n;

/**
 * Registers a batch of events of some days in the index and stores them, each with the term `at`
 * and its position.
 */
async function add(index: WordIndex, position: bigint, days: number, from = 0): Promise<void> {
  const { block } = encode(dataset, body(3));
  await index.before(dataset, [{ position, arrival: start, block, bytes: 1 } satisfies Batch]);
  await engine.execute(
    `INSERT INTO millrace.d1 (_time, _sysTime, _seq, _row, \`text#s\`) SELECT fromUnixTimestamp64Nano(toInt64(${start} + ${day} * (${from} + number)), 'UTC') AS at, ` +
      `at, ${position}, number, concat('at ', toString(${position}), ' day', toString(${from} + number)) FROM numbers(${days})`,
  );
}

const yes = (): boolean => true;

it('covers settled events and gives the time of the others only', async () => {
  const index = new WordIndex(engine);
  expect(await index.find(1, [['at']])).toBeUndefined();
  await add(index, 5n, 30);
  await add(index, 7n, 3);
  expect(await index.find(1, [['at']])).toBeUndefined();
  await index.cover(dataset, 6n, yes);
  expect(await positionOfWords(engine, 1)).toBe(6n);
  expect(await index.state(1)).toMatchObject({ rows: 3, exists: true });
  // The three days of the second batch, and the span of the event.
  const found = await index.find(1, [['day20']]);
  const stretches = [found!.stretches].flat().filter((one) => one !== 'everywhere');
  expect(stretches.some((one) => one.start <= start + 20n * day && one.end >= start + 20n * day)).toBe(true);
  expect(stretches.some((one) => one.start <= start && one.end >= start + 2n * day)).toBe(true);
  expect((await index.find(1, [['day20', 'nothing']]))?.stretches).toEqual([{ start, end: start + 2n * day }]);
  expect((await index.find(1, [['nothing'], ['day20']]))?.stretches).toEqual(found!.stretches);
  expect(await index.find(1, [['at']])).toBeUndefined();
  await index.cover(dataset, 7n, yes);
  expect((await index.find(1, [['nothing']]))?.stretches).toEqual([]);

  // The times of a term of all events say nothing, but its column does.
  const common = await index.find(1, [['at']]);
  expect(common?.stretches).toBe('everywhere');
  expect(['text#s', 'other#s'].map((column) => common?.mayHave(column, ['at']))).toEqual([true, false]);

  // Another start.
  const again = new WordIndex(engine);
  expect(await again.state(1)).toMatchObject({ rows: 0, exists: true });
  expect((await again.find(1, [['nothing']]))?.stretches).toEqual([]);
  expect((await again.find(1, [['day20']]))!.stretches.length).toBe(1);
});

it('is made again once a batch comes behind others that are covered', async () => {
  const index = new WordIndex(engine);
  await add(index, 6n, 1, 200);
  expect(await positionOfWords(engine, 1)).toBeUndefined();
  expect(await index.find(1, [['day200']])).toBeUndefined();
  await index.cover(dataset, 7n, yes);
  expect((await index.find(1, [['day200']]))!.stretches.length).toBe(1);
  expect((await index.find(1, [['nothing']]))?.stretches).toEqual([]);
});

it('does not say that it covers a batch that comes while it is made', async () => {
  const index = new WordIndex(engine);
  await index.state(1);
  let came = false;
  const query = engine.query.bind(engine);
  engine.query = async (sql, options) => {
    if (sql.startsWith('DESCRIBE') && !came) {
      came = true;
      await add(index, 8n, 1, 300);
    }
    return query(sql, options);
  };
  await add(index, 9n, 1, 301);
  await index.cover(dataset, 9n, yes).catch(() => undefined);
  engine.query = query;
  expect(came).toBe(true);
  expect(await positionOfWords(engine, 1)).not.toBe(9n);
  expect(await index.find(1, [['day300']])).toBeUndefined();
  await index.cover(dataset, 9n, yes);
  expect((await index.find(1, [['day300']]))!.stretches.length).toBe(1);
});

it('is dropped while texts change, and made afterwards', async () => {
  const index = new WordIndex(engine);
  expect((await index.find(1, [['nothing']]))?.stretches).toEqual([]);
  await index.lock(1);
  await index.cover(dataset, 9n, yes);
  expect(await positionOfWords(engine, 1)).toBeUndefined();
  expect(await index.find(1, [['nothing']])).toBeUndefined();
  index.release(1);
  await index.cover(dataset, 9n, yes);
  expect((await index.find(1, [['nothing']]))?.stretches).toEqual([]);
});

it('stops between steps, and goes on from there', async () => {
  await dropWordTables(engine);
  expect(await positionOfWords(engine, 1)).toBeUndefined();
  const index = new WordIndex(engine);
  await add(index, 10n, 5, 448);
  await engine.execute(
    'INSERT INTO millrace.d1 (_time, _sysTime, _seq, _row, `text#s`) SELECT fromUnixTimestamp64Nano(toInt64(' +
      `${start} + number * 10000000), 'UTC') AS at, at, 11 + intDiv(number, 50000), number, 'many' FROM numbers(300000)`,
  );
  const fresh = new WordIndex(engine);
  await fresh.cover(dataset, 20n, () => false);
  const upTo = await positionOfWords(engine, 1);
  expect(upTo).toBeGreaterThan(0n);
  expect(upTo).toBeLessThan(20n);
  await fresh.cover(dataset, 20n, yes);
  expect(await positionOfWords(engine, 1)).toBe(20n);
  expect((await fresh.find(1, [['day450']]))!.stretches.length).toBe(1);
});

it('finds the same in memory if complete, and does not query the engine', async () => {
  const sets = [
    [['day20']],
    [['nothing']],
    [['at', 'day450']],
    [['day20', 'day450']],
    [['day20'], ['day450'], ['nothing']],
    [['at']],
    [['many']],
    [['x'.repeat(80)]],
  ];
  const second = new WordIndex(engine);
  const kept = new WordIndex(engine, 2 ** 20);
  const without = new WordIndex(engine, 100);
  await kept.keep(1);
  await without.keep(1);
  const query = engine.query.bind(engine);
  const numbersOf = async (index: WordIndex): Promise<readonly number[]> => {
    const counts: number[] = [];
    for (const one of sets) {
      let statements = 0;
      engine.query = (sql, options) => {
        statements++;
        return query(sql, options);
      };
      const [found, other] = [await index.find(1, one), await second.find(1, one)];
      expect(found?.stretches).toEqual(other?.stretches);
      for (const column of ['text#s', 'other#s'])
        expect(one.map((words) => found?.mayHave(column, words))).toEqual(
          one.map((words) => other?.mayHave(column, words)),
        );
      counts.push(statements);
    }
    engine.query = query;
    return counts;
  };
  expect(await second.find(1, [['day20']]).then((found) => found!.mayHave('text#s', ['day20']))).toBe(true);
  expect(await second.find(1, [['day20']]).then((found) => found!.mayHave('other#s', ['day20']))).toBe(false);
  // Earlier lookups are cached.
  for (const one of sets) await second.find(1, one);
  // A term of more than 64 bytes is not looked up here.
  expect(await numbersOf(kept)).toEqual([0, 0, 0, 0, 0, 0, 0, 1]);
  expect((await numbersOf(without)).every((count) => count > 0)).toBe(true);

  // Later terms are found as well.
  await add(kept, 21n, 1, 460);
  expect((await kept.find(1, [['day20']]))!.stretches.length).toBe(2);
  await kept.cover(dataset, 21n, yes);
  expect((await kept.find(1, [['day460']]))!.stretches.length).toBe(1);
  await kept.keep(1);
  expect((await kept.find(1, [['day460']]))!.stretches.length).toBe(1);
});

it('drops the table of an earlier version, whose words have no places', async () => {
  await engine.execute('INSERT INTO millrace.w1 VALUES (0, 0, 20)');
  const index = new WordIndex(engine);
  expect(await index.find(1, [['day20']])).toBeUndefined();
  expect(await index.state(1)).toMatchObject({ exists: false });
  await index.cover(dataset, 21n, yes);
  expect((await index.find(1, [['day20']]))!.stretches.length).toBe(1);
});
