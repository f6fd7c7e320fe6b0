import type { Engine } from '@millrace/engine';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { queryNumbers } from '../tables/query.js';
import { realEngine } from '../testing/real-engine.js';
import { createDatabase, createTable } from '../tables/table-of-dataset.js';
import { WordIndex } from './term-index.js';
import { createWordTable, dropOldWords, markWords, positionOfWords, quotedWordTable } from './term-table.js';

/** Terms of events past their retention leave the index with their partition of thirty days. */

const day = 86_400_000_000_000n;
/** Spans of some minutes. */
const level = 40n;
const spanOf = (days: bigint): bigint => (days * day) >> level;
/** When terms occur, in days; a term's number is its position in this table, from 1 on. */
const words = { first: 1n, second: 40n, third: 65n, before1970: -20_050n } as const;
const names = Object.keys(words) as (keyof typeof words)[];

/** The first of thirty days that share a partition. */
const begin = 20_010n;

let engine: Engine;
let close: () => Promise<void>;
beforeAll(async () => {
  ({ engine, close } = await realEngine());
});
afterAll(() => close());

async function tableOfWords(id: number): Promise<void> {
  await createWordTable(engine, id);
  const rows = names.map((name, i) => `(${i + 1}, ${level}, ${spanOf(begin + words[name])})`);
  await engine.execute(`INSERT INTO ${quotedWordTable(id)} VALUES ${rows.join(', ')}`);
  await markWords(engine, id, 7n);
}

async function remainingNames(id: number): Promise<readonly string[]> {
  const sql = `SELECT toInt64(word) AS n FROM ${quotedWordTable(id)} WHERE word > 0 ORDER BY n`;
  return (await queryNumbers(engine, sql, 1)).map(([n]) => names[Number(n) - 1]!);
}

it.each([
  ['nothing, while the oldest event is of the first days', 0n, ['first', 'second', 'third', 'before1970']],
  ['nothing, on the last of the thirty days', 29n, ['first', 'second', 'third', 'before1970']],
  ['the first thirty days, when the oldest event is of the next', 31n, ['second', 'third', 'before1970']],
  ['all of what is old', 61n, ['third', 'before1970']],
  ['all but times before 1970, which have the row that says what is covered beside them', 1000n, ['before1970']],
])('goes: %s', async (_, oldest, expected) => {
  const id = Number(oldest) + 1;
  await tableOfWords(id);
  await dropOldWords(engine, id, (begin + oldest) * day);
  expect(await remainingNames(id)).toEqual(expected);
  expect(await positionOfWords(engine, id)).toBe(7n);
  // The second call drops nothing more.
  await dropOldWords(engine, id, (begin + oldest) * day);
  expect(await remainingNames(id)).toEqual(expected);
});

it('keeps thirty days whose last span reaches to an existing event', async () => {
  const id = 5000;
  await tableOfWords(id);
  const [long, start] = [50n, begin + 25n];
  await engine.execute(`INSERT INTO ${quotedWordTable(id)} VALUES (1, ${long}, ${(start * day) >> long})`);
  const end = (((start * day) >> long) + 1n) << long;
  expect(end).toBeGreaterThan((begin + 30n) * day);
  await dropOldWords(engine, id, end - 1n);
  expect(await remainingNames(id)).toEqual(['first', 'first', 'second', 'third', 'before1970']);
  await dropOldWords(engine, id, end);
  expect(await remainingNames(id)).toEqual(['second', 'third', 'before1970']);
});

it('missing words are detected, and the table with them is removed', async () => {
  const id = 6000;
  const lost: unknown[] = [];
  const learn = (): Promise<void> =>
    new WordIndex(engine, 0, { error: (fields: unknown) => void lost.push(fields) }).learn(id);
  await createDatabase(engine);
  await createTable(engine, id);
  await tableOfWords(id);
  // Rows that were never counted, as in a table of an earlier version, are counted when they are
  // found.
  await engine.execute(`INSERT INTO ${quotedWordTable(id)} VALUES (5, ${level}, ${spanOf(begin + 66n)})`);
  await learn();
  // All rows of one part, as if its directory were lost.
  const part = `(SELECT max(_part) FROM ${quotedWordTable(id)} WHERE word = 5)`;
  await engine.execute(`DELETE FROM ${quotedWordTable(id)} WHERE _part = ${part}`);
  expect(lost).toEqual([]);
  await learn();
  expect(lost).toEqual([{ datasetId: id }]);
  expect(await positionOfWords(engine, id)).toBeUndefined();
});
