import { randomUUID } from 'node:crypto';
import { type FileHandle, open, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { copyTables } from '../metadata/copy-tables.js';
import { type Database, databaseOver } from '../metadata/database.js';
import { isPostgres } from '../metadata/spelling.js';
import { openSqlite } from '../metadata/sqlite.js';

const newName = (): string => `metadata-${randomUUID()}.sqlite`;
const ofCopy = /^metadata-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\.sqlite(?:-journal|-wal|-shm)?$/;

/**
 * Copies the current metadata to an open file in the directory. Its name is already removed, so it
 * is gone when it is closed: it holds the hashes of all tokens.
 */
export async function copyMetadata(database: Database, directory: string): Promise<FileHandle> {
  const path = join(directory, newName());
  try {
    await (isPostgres(database) ? copyFromPostgres(database, path) : sql`VACUUM INTO ${path}`.execute(database));
    return await open(path);
  } finally {
    await rm(path, { force: true });
  }
}

/** As one moment has them. */
async function copyFromPostgres(database: Database, path: string): Promise<void> {
  const copy = databaseOver(openSqlite(path));
  try {
    await database
      .transaction()
      .setIsolationLevel('repeatable read')
      .setAccessMode('read only')
      .execute((connection) => copy.transaction().execute((to) => copyTables(connection, to)));
  } finally {
    await copy.destroy();
  }
}

/**
 * Removes copies that still had their names when a process was killed. Call it while no copy is
 * being made.
 */
export async function removeCopies(directory: string): Promise<void> {
  for (const name of await readdir(directory)) if (ofCopy.test(name)) await rm(join(directory, name), { force: true });
}
