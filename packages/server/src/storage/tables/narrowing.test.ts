import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Engine, openEmbedded } from '@millrace/engine';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { columnsOf } from './ask.js';
import { addColumns, createDatabase, createTable, dropColumns, quotedTable } from './table.js';

// The embedded engine, wherever the others have theirs: a server elsewhere runs all statements side by side.
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
  const gone = [{ field: 'gone', type: 'integer' }] as const;
  await createTable(engine, 1);
  await addColumns(engine, 1, gone);
  // Rewriting the parts of another table, for minutes.
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
