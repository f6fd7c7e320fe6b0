import { readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { errorOf, openTestEngine, testDirectory, type TestEngine, text } from './testing/engines.js';

const directory = await testDirectory();
const clickhouse = join(directory, 'engine', 'clickhouse');
let testEngine: TestEngine;

beforeAll(async () => {
  testEngine = await openTestEngine({ directory: join(directory, 'engine') });
  await testEngine.engine.execute('CREATE DATABASE m');
  for (const table of ['one', 'two'])
    await testEngine.engine.execute(`CREATE TABLE m.${table} (a String) ENGINE = MergeTree ORDER BY a`, {
      defines: { database: 'm', table },
    });
  for (const table of ['one', 'two']) await testEngine.engine.execute(`INSERT INTO m.${table} VALUES ('in ${table}')`);
  await testEngine.engine.close();
});
afterAll(async () => {
  await testEngine.engine.close();
  rmSync(directory, { recursive: true });
});

const open = async (): Promise<void> => {
  testEngine = await openTestEngine({ directory: join(directory, 'engine') });
};

const definition = (table: string): string => join(clickhouse, 'metadata', 'm', `${table}.sql`);
const files = (table: string): string => {
  const id = /'([0-9a-f-]+)'/.exec(readFileSync(definition(table), 'utf8'))![1]!;
  return join(clickhouse, 'store', id.slice(0, 3), id);
};

function exchange(a: string, b: string): void {
  renameSync(a, `${a}.aside`);
  renameSync(b, a);
  renameSync(`${a}.aside`, b);
}

it.each([
  ['directories', () => exchange(files('one'), files('two'))],
  ['definitions', () => exchange(definition('one'), definition('two'))],
])('does not open tables whose %s were exchanged, and does when they are back', async (_, damage) => {
  damage();
  const { code, detail } = await errorOf(open());
  expect(code).toBe('unavailable');
  expect(detail).toMatch(/^the files of the table m\.(one|two) are those of m\.(one|two): .* put them back$/);
  damage();
  await open();
  expect(await text(testEngine.engine, 'SELECT a FROM m.one')).toBe('in one');
  await testEngine.engine.close();
});

it('takes a directory without a mark for that of its table, and marks it', async () => {
  for (const table of ['one', 'two']) {
    // As an earlier version or a crash left it.
    rmSync(join(files(table), 'belongs-to'));
    if (table === 'two') writeFileSync(join(files(table), 'belongs-to'), '');
  }
  await open();
  expect(readdirSync(files('two'))).toContain('belongs-to');
  await testEngine.engine.close();
  exchange(files('one'), files('two'));
  expect((await errorOf(open())).detail).toContain('were exchanged');
  exchange(files('one'), files('two'));
  await open();
  // A dropped table leaves no file.
  const gone = files('one');
  await testEngine.engine.execute('DROP TABLE m.one SYNC');
  await expect.poll(() => readdirSync(join(gone, '..')).filter((name) => gone.endsWith(name))).toEqual([]);
  await testEngine.engine.close();
});
