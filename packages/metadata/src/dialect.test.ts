import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import LibsqlDatabase from 'libsql';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { databaseOver } from './database.js';
import { openSqlite } from './sqlite.js';
import { type Metadata, metadataOver } from './metadata.js';

/** For SQLite a file that may not grow is like a full disk: it rolls the transaction back. */

let directory: string;
let sqlite: LibsqlDatabase.Database;
let metadata: Metadata;

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'millrace-metadata-'));
  sqlite = openSqlite(join(directory, 'metadata.sqlite'));
  metadata = await metadataOver(databaseOver(sqlite), Date.now);
  await metadata.datasets.create({ name: 'before', who: 'a' });
});
afterEach(async () => {
  await metadata.close();
  rmSync(directory, { recursive: true });
});

const mayHavePages = (pages: number): unknown => sqlite.prepare(`PRAGMA max_page_count = ${pages}`).all();
const large = { name: 'large', who: 'a', description: 'x'.repeat(100_000) };

describe('a full disk', () => {
  test('fails a change with disk-full; reads go on, and so do changes when there is room again', async () => {
    mayHavePages(1);
    await expect(metadata.datasets.create(large)).rejects.toMatchObject({ name: 'MetadataError', code: 'disk-full' });
    expect(sqlite.inTransaction).toBe(false);
    expect(metadata.datasets.list().map(({ name }) => name)).toEqual(['before']);
    expect(await metadata.datasets.toDrop()).toEqual([]);
    mayHavePages(1_000_000);
    await metadata.datasets.create(large);
    expect(metadata.datasets.get('large').description).toHaveLength(100_000);
  });

  test('applies nothing of a change of several statements', async () => {
    mayHavePages(1);
    const changing = metadata.database.transaction().execute(async (connection) => {
      await connection.deleteFrom('datasets').execute();
      const { id, name } = { id: 7, name: 'x'.repeat(100_000) };
      await connection.insertInto('dropped_datasets').values({ id, name, dropped: '' }).execute();
    });
    await expect(changing).rejects.toMatchObject({ code: 'disk-full' });
    const rows = await metadata.database.selectFrom('datasets').select('name').execute();
    expect(rows).toEqual([{ name: 'before' }]);
  });
});

describe('another process that changes the metadata', () => {
  let other: LibsqlDatabase.Database;
  beforeEach(() => void (other = new LibsqlDatabase(join(directory, 'metadata.sqlite'))));
  afterEach(() => void other.close());
  const newOrg = "INSERT INTO org VALUES ('a', 'a', '', '')";

  test('fails the changes of this connection while it keeps the lock, and none of the next ones', async () => {
    sqlite.exec('PRAGMA busy_timeout = 1');
    const locked = { name: 'MetadataError', code: 'locked' };
    other.exec('BEGIN IMMEDIATE');
    await expect(metadata.datasets.recordDropped(1)).rejects.toMatchObject(locked);
    await expect(metadata.datasets.create({ name: 'later', who: 'a' })).rejects.toMatchObject(locked);
    other.exec('ROLLBACK');
    await metadata.datasets.create({ name: 'later', who: 'a' });
    await metadata.datasets.recordDropped(1);
    expect(metadata.datasets.list().map(({ name }) => name)).toEqual(['before', 'later']);
  });

  test('has to wait until one that has begun is over', async () => {
    await metadata.database.transaction().execute(async (connection) => {
      await connection.selectFrom('datasets').selectAll().execute();
      expect(() => other.exec(newOrg)).toThrow('locked');
      await connection.deleteFrom('datasets').execute();
    });
    other.exec(newOrg);
    expect(await metadata.org.get()).toMatchObject({ id: 'a' });
  });
});

test('an error that is not of the disk is thrown unchanged, and the change is rolled back', async () => {
  const changing = metadata.database.transaction().execute(async (connection) => {
    await connection.deleteFrom('datasets').execute();
    await connection.insertInto('dropped_datasets').values({ id: 1, name: 'a', dropped: '' }).execute();
    await connection.insertInto('dropped_datasets').values({ id: 1, name: 'b', dropped: '' }).execute();
  });
  await expect(changing).rejects.toMatchObject({ code: expect.stringMatching(/^SQLITE_CONSTRAINT/) });
  expect(await metadata.datasets.toDrop()).toEqual([]);
  expect(await metadata.database.selectFrom('datasets').select('name').execute()).toEqual([{ name: 'before' }]);
});

test('when closed, nothing lies beside the file any more, though statements are still to be collected', async () => {
  expect(metadata.datasets.list()).toHaveLength(1);
  expect(await metadata.datasets.toDrop()).toEqual([]);
  expect(readdirSync(directory)).toContain('metadata.sqlite-wal');
  await metadata.close();
  expect(readdirSync(directory)).toEqual(['metadata.sqlite']);
  sqlite = openSqlite(join(directory, 'metadata.sqlite'));
  metadata = await metadataOver(databaseOver(sqlite), Date.now);
  expect(metadata.datasets.list().map(({ name }) => name)).toEqual(['before']);
});

test('a change in progress when the metadata close fails without effect', async () => {
  let signalChange: () => void = () => undefined;
  const halfway = new Promise<void>((resolve) => (signalChange = resolve));
  let goOn: () => void = () => undefined;
  const closed = new Promise<void>((resolve) => (goOn = resolve));
  const changing = metadata.database.transaction().execute(async (connection) => {
    await connection.deleteFrom('datasets').execute();
    signalChange();
    await closed;
    await connection.insertInto('dropped_datasets').values({ id: 1, name: 'a', dropped: '' }).execute();
  });
  await halfway;
  await metadata.close();
  goOn();
  await expect(changing).rejects.toThrow('not open');
  sqlite = openSqlite(join(directory, 'metadata.sqlite'));
  metadata = await metadataOver(databaseOver(sqlite), Date.now);
  expect(metadata.datasets.list().map(({ name }) => name)).toEqual(['before']);
});
