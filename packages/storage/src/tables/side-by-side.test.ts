import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Engine, openEmbedded } from '@millrace/engine';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { columnsOf } from './query.js';
import { standardColumn } from './new-column.js';
import { addColumns, createDatabase, createTable, dropColumns, dropTable, quotedTable } from './table-of-dataset.js';

// Always the embedded engine: a remote server runs all statements concurrently.
const directory = mkdtempSync(join(tmpdir(), 'millrace-tables-'));
let engine: Engine;
beforeAll(async () => {
  engine = await openEmbedded({ directory: join(directory, 'engine'), scratchDirectory: join(directory, 'scratch') });
  await createDatabase(engine);
});
afterAll(async () => {
  await engine.close();
  rmSync(directory, { recursive: true });
});

test('a removal of columns that takes long holds up neither new tables nor new columns of others', async () => {
  const gone = [standardColumn({ field: 'gone', type: 'integer' })];
  await createTable(engine, 1);
  await addColumns(engine, 1, gone);
  // Rewrites the parts of another table, for minutes.
  const long = new AbortController();
  const rewriting = engine
    .execute(
      "INSERT INTO FUNCTION null('n UInt64') SELECT number FROM numbers(1000000000000) WHERE sipHash64(number) = 11",
      { apart: 'narrowing', signal: long.signal },
    )
    .catch((error: unknown) => error);
  let removed = false;
  const removing = dropColumns(engine, 1, gone).then(() => (removed = true));

  await createTable(engine, 2);
  await addColumns(engine, 2, gone);
  expect(await columnsOf(engine, quotedTable(2))).toContain('gone#i');
  expect(removed).toBe(false);
  long.abort();
  await Promise.all([rewriting, removing]);
  expect(await columnsOf(engine, quotedTable(1))).not.toContain('gone#i');
});

test('a removal of a table that waits for a reader holds up no other removal', async () => {
  for (const id of [11, 12]) await createTable(engine, id);
  await engine.execute(`INSERT INTO ${quotedTable(11)} (_seq) SELECT number FROM numbers(1000000)`);
  const sql = `SELECT _seq, repeat('x', 1000) FROM ${quotedTable(11)}`;
  const reader = engine.stream(sql, { format: 'CSV' })[Symbol.asyncIterator]();
  // Reads no further, so the statement stays open.
  await reader.next();
  let removed = false;
  const removing = dropTable(engine, 11).then(() => (removed = true));
  await dropTable(engine, 12);
  expect(removed).toBe(false);
  await reader.return!();
  await removing;
});
