import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import LibsqlDatabase from 'libsql';
import { MetadataError } from './metadata-error.js';
import { type Migration, migrate } from './migrations.js';

export const inMemory = ':memory:';
/** Name of the file in a data directory. */
export const metadataName = 'metadata.sqlite';

/**
 * Opens the metadata, creating the file and migrating its tables.
 * @param file path, or `inMemory`
 * @param opened called with the versions before and after
 * @throws MetadataError `damaged` when the file is not a database; Error when it is newer than this
 * program, or cannot be read
 */
export function openSqlite(
  file: string,
  opened: (migration: Migration) => void = () => undefined,
): LibsqlDatabase.Database {
  try {
    return open(file, opened);
  } catch (error) {
    throw MetadataError.of(error) ?? error;
  }
}

function open(file: string, opened: (migration: Migration) => void): LibsqlDatabase.Database {
  if (file !== inMemory) mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const sqlite = new LibsqlDatabase(file);
  // Separate statements, because the client runs only the first of several. FULL: a commit is on
  // disk when it returns.
  for (const pragma of [
    'busy_timeout = 5000',
    'journal_mode = WAL',
    'synchronous = FULL',
    'foreign_keys = ON',
    'trusted_schema = OFF',
  ]) {
    sqlite.exec(`PRAGMA ${pragma}`);
  }
  opened(migrate(sqlite));
  return sqlite;
}

/**
 * Closes the metadata; does nothing if they are closed. The write-ahead log is checkpointed into
 * the file, and its files are removed, now: the client closes a file only when the last of its
 * statements is garbage-collected, at an unpredictable time, and that must not happen while an
 * operator moves or copies the file.
 */
export function closeSqlite(sqlite: LibsqlDatabase.Database): void {
  if (!sqlite.open) return;
  try {
    sqlite.exec('PRAGMA journal_mode = DELETE');
  } catch {
    // The disk is full, or another process has the file open. Committed changes are in the
    // write-ahead log, which the next process to open the file reads.
  }
  sqlite.close();
}
