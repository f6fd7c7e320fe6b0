import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import LibsqlDatabase from 'libsql';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openMetadata } from './metadata.js';
import { migrate, migrations } from './migrations.js';

let directory: string;
beforeEach(() => void (directory = mkdtempSync(join(tmpdir(), 'millrace-metadata-'))));
afterEach(() => rmSync(directory, { recursive: true }));

const names = (sqlite: LibsqlDatabase.Database): readonly string[] =>
  (sqlite.prepare("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name").all() as { name: string }[]).map(
    ({ name }) => name,
  );
const first = ['CREATE TABLE a (x)'];
const second = ['CREATE TABLE b (x)', 'INSERT INTO a VALUES (1)'];

test('migrations run once, in order', () => {
  const sqlite = new LibsqlDatabase(':memory:');
  expect(migrate(sqlite, [first])).toEqual({ from: 0, to: 1 });
  expect(migrate(sqlite, [first, second])).toEqual({ from: 1, to: 2 });
  expect(migrate(sqlite, [first, second])).toEqual({ from: 2, to: 2 });
  expect(names(sqlite)).toEqual(['a', 'b']);
  expect(sqlite.prepare('SELECT count(*) AS n FROM a').get()).toMatchObject({ n: 1 });
});

test('dashboards and their versions are there after the step that gives their tables row ids', () => {
  const sqlite = new LibsqlDatabase(':memory:');
  sqlite.exec('PRAGMA foreign_keys = ON');
  migrate(sqlite, migrations.slice(0, 14));
  sqlite.exec("INSERT INTO dashboards VALUES ('u', 'i', 'o', 'n', 2, '{}', 'c', 'by', 't', 'by')");
  sqlite.exec("INSERT INTO dashboard_versions VALUES ('u', 1, '{}', '', 't', 'by'), ('u', 2, '{}', '', 't', 'by')");
  migrate(sqlite, migrations);
  expect(sqlite.prepare('SELECT uid, version, rowid FROM dashboards').all()).toMatchObject([{ uid: 'u', version: 2 }]);
  expect(sqlite.prepare('SELECT version FROM dashboard_versions').all()).toHaveLength(2);
  // Versions are deleted with their dashboard, as before.
  sqlite.exec('DELETE FROM dashboards');
  expect(sqlite.prepare('SELECT version FROM dashboard_versions').all()).toEqual([]);
});

test('a step that two processes run concurrently is applied once', () => {
  const file = join(directory, 'shared.sqlite');
  const [here, there] = [new LibsqlDatabase(file), new LibsqlDatabase(file)];
  let waits = true;
  migrate(
    {
      inTransaction: false,
      prepare: (sql) => here.prepare(sql),
      exec: (sql) => {
        if (waits && sql === 'BEGIN IMMEDIATE') migrate(there, [first, second]);
        waits = false;
        here.exec(sql);
      },
    },
    [first, second],
  );
  expect(names(here)).toEqual(['a', 'b']);
  here.close();
  there.close();
});

/** Locks a file for a while, as a process that closes it does, and reports the lock. */
const holder = `
  const file = new (require('libsql'))(process.argv[1]);
  file.exec('BEGIN EXCLUSIVE');
  console.log('held');
  setTimeout(() => file.exec('COMMIT'), 200);`;

test('a file that another process has for itself is opened when it is done', async () => {
  const file = join(directory, 'metadata.sqlite');
  await (await openMetadata(file)).close();
  const other = spawn(process.execPath, ['-e', holder, file], { stdio: ['ignore', 'pipe', 'inherit'] });
  await once(other.stdout, 'data');
  const metadata = await openMetadata(file);
  expect(metadata.datasets.list()).toEqual([]);
  if (other.exitCode === null) await once(other, 'exit');
  await metadata.close();
});

test('a step that fails leaves nothing of itself, and can be taken again', () => {
  const sqlite = new LibsqlDatabase(':memory:');
  expect(() => migrate(sqlite, [first, [...second, 'nonsense']])).toThrow('nonsense');
  expect(names(sqlite)).toEqual(['a']);
  migrate(sqlite, [first, second]);
  expect(names(sqlite)).toEqual(['a', 'b']);
});

test('a step for which the disk has no room says so, and can be taken again', () => {
  const sqlite = new LibsqlDatabase(join(directory, 'full.sqlite'));
  migrate(sqlite, [first]);
  const mayHavePages = (pages: number): unknown => sqlite.prepare(`PRAGMA max_page_count = ${pages}`).all();
  mayHavePages(3);
  // The table fits, its row does not.
  const large = [...second, 'INSERT INTO a VALUES (zeroblob(100000))'];
  expect(() => migrate(sqlite, [first, large])).toThrow('full');
  expect(names(sqlite)).toEqual(['a']);
  mayHavePages(1_000_000);
  migrate(sqlite, [first, large]);
  expect(names(sqlite)).toEqual(['a', 'b']);
  sqlite.close();
});

test('a file of a newer program is refused', () => {
  const sqlite = new LibsqlDatabase(':memory:');
  migrate(sqlite, [first, second]);
  expect(() => migrate(sqlite, [first])).toThrow('metadata version 2 is newer than supported version 1');
});

test('a program of before frames of version 2 refuses the directory', async () => {
  const file = join(directory, 'metadata.sqlite');
  await (await openMetadata(file)).close();
  expect(() => migrate(new LibsqlDatabase(file), [first, second])).toThrow('supported version 2; upgrade Millrace');
});

test('a file that is no database is refused and left alone', async () => {
  const file = join(directory, 'metadata.sqlite');
  writeFileSync(file, 'this is not a database, but it is long enough to be looked at as one'.repeat(20));
  await expect(openMetadata(file)).rejects.toThrow(/not a database/);
});

test('the settings that make a commit durable are on', async () => {
  const metadata = await openMetadata(join(directory, 'deep', 'er', 'metadata.sqlite'));
  const pragma = async (name: string) =>
    Object.values(
      (
        await metadata.database
          .selectFrom(`pragma_${name}` as never)
          .selectAll()
          .execute()
      )[0] as object,
    )[0];
  expect([await pragma('journal_mode'), await pragma('synchronous'), await pragma('foreign_keys')]).toEqual([
    'wal',
    2,
    1,
  ]);
  await metadata.close();
});
