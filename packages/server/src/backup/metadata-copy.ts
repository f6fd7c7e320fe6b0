import { randomUUID } from 'node:crypto';
import { type FileHandle, open, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { copyTables } from '@millrace/metadata/copy-tables';
import { type Database, databaseOver } from '@millrace/metadata/database';
import { isPostgres } from '@millrace/metadata/sql-dialect';
import { openSqlite } from '@millrace/metadata/sqlite';

const newName = (): string => `metadata-${randomUUID()}.sqlite`;
const ofCopy = /^metadata-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\.sqlite(?:-journal|-wal|-shm)?$/;

/**
 * Copies the current metadata to an open file in the directory. The file is already unlinked, so it
 * is deleted when it is closed: it contains the hashes of all tokens.
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

/** Copies a consistent snapshot. */
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
 * Deletes copies that a killed process had not unlinked yet. Call it while no copy is in progress.
 */
export async function removeCopies(directory: string): Promise<void> {
  for (const name of await readdir(directory)) if (ofCopy.test(name)) await rm(join(directory, name), { force: true });
}
