import type { Engine } from '@millrace/engine';
import { canonicalJson } from '@millrace/events';
import { printExpr, literal } from '@millrace/sql';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { Mutex } from '@millrace/runtime/async/mutex';
import { type Metadata, openMetadata } from '@millrace/metadata/metadata';
import { inMemory } from '@millrace/metadata/sqlite';
import { CanonicalJsonMigration } from './canonical-json-migration.js';
import { queryRows } from './tables/query.js';
import { addColumns, createTable, dropTable, quotedTable } from './tables/table-of-dataset.js';
import { realEngine } from './testing/real-engine.js';

let engine: Engine;
let close: () => Promise<void>;
let metadata: Metadata;
beforeAll(async () => {
  ({ engine, close } = await realEngine());
});
afterAll(async () => {
  await close();
  await metadata.close();
});

/** Values of earlier versions and their canonical forms: the last is canonical already. */
const spellings = [
  '[1, 2]',
  '[\n  "caf\\u00e9",\n  "a\\/b"\n]',
  '{"a":1,"a":2}',
  '[1.50,1.0,1e0,-0]',
  '{"b": {"c": [ ]}}',
  '["it\'s", "\\\\u00e9", "\\ud83d"]',
  '["a b",{"c":1.5,"d":"é"}]',
];
const today = spellings.map(canonicalJson);

const ids = [1, 2] as const;
const text = (value: string): string => printExpr(literal(value));

beforeEach(async () => {
  await metadata?.close();
  metadata = await openMetadata(inMemory);
  for (const id of ids) {
    await dropTable(engine, id);
    await createTable(engine, id);
    const fields = [
      { field: 'list', type: 'array' },
      { field: 'map', type: 'map' },
      { field: 'plain', type: 'string' },
    ] as const;
    await addColumns(
      engine,
      id,
      fields.map((field) => ({ ...field, dictionary: false, squeezed: false })),
    );
    const rows = spellings.map(
      (json, row) =>
        `(toDateTime64(${1_700_000_000 + 86_400 * (row % 3)}, 9), 1, ${row}, ${text(json)}, ${text(json)}, ${text(json)}, map('rare#j', ${text(json)}, 'rare#s', ${text(json)}))`,
    );
    await engine.execute(
      `INSERT INTO ${quotedTable(id)} (_time, _seq, _row, \`list#j\`, \`map#m\`, \`plain#s\`, _overflow) VALUES ${rows.join(', ')}, ` +
        '(toDateTime64(1700000000, 9), 1, 99, NULL, NULL, NULL, map())',
    );
    await metadata.database.insertInto('old_spellings').values({ dataset_id: id }).execute();
  }
});

const storedRows = (id: number) =>
  queryRows(
    engine,
    "SELECT `list#j`, `map#m`, `plain#s`, _overflow['rare#j'], _overflow['rare#s'] " +
      `FROM ${quotedTable(id)} WHERE _row < 99 ORDER BY _row`,
  );
const inToday = spellings.map((json, i) => [today[i], today[i], json, today[i], json]);
const notedDatasets = async () =>
  (await metadata.database.selectFrom('old_spellings').selectAll().execute()).map((row) => row.dataset_id);

/** The engine, whose statements go through `call`. */
const watchEngine = (call: (work: () => Promise<unknown>) => Promise<unknown>): Engine => ({
  ...engine,
  query: (sql, options) => engine.query(sql, options),
  execute: async (sql, options) => void (await call(() => engine.execute(sql, options))),
});

function upgrade(over: Engine = engine): CanonicalJsonMigration {
  const dataset = { deletions: new Mutex(), invalidate: () => undefined };
  return new CanonicalJsonMigration({
    words: undefined,
    engine: over,
    database: metadata.database,
    datasets: new Map(ids.map((id) => [id, dataset])),
    flusher: { flush: async () => undefined },
    merges: { interrupt: async () => undefined },
    logger: pino({ level: 'silent' }),
  });
}

test('what clients spelled in their own ways is in the spelling of today, and texts stay', async () => {
  await upgrade().run();
  expect(await storedRows(1)).toEqual(inToday);
  expect(await storedRows(2)).toEqual(inToday);
  expect(await notedDatasets()).toEqual([]);
});

test('runs no query for unregistered datasets', async () => {
  await metadata.database.deleteFrom('old_spellings').execute();
  const before = await storedRows(1);
  await upgrade(watchEngine(() => Promise.reject(new Error('asked')))).run();
  expect(await storedRows(1)).toEqual(before);
});

test('after a failure the rest is done by the next run', async () => {
  let statements = 0;
  await upgrade(watchEngine((work) => (++statements > 1 ? Promise.reject(new Error('no more')) : work()))).run();
  expect(await storedRows(1)).toEqual(inToday);
  expect(await notedDatasets()).toEqual([2]);
  await upgrade().run();
  expect(await storedRows(2)).toEqual(inToday);
  expect(await notedDatasets()).toEqual([]);
});
