import { existsSync, renameSync } from 'node:fs';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { copyTables } from '../copy-tables.js';
import { type Connection, databaseOver } from '../database.js';
import { MetadataError } from '../metadata-error.js';
import { syncDirectory } from '../record-file.js';
import { metadataName, openSqlite } from '../sqlite.js';
import { readHome, writeHome } from './binding-record.js';
import { openPostgres, type Postgres } from './open-postgres.js';
import { IncompatibleDatabaseError } from './incompatible-database.js';

/**
 * Binds a database to the directory whose events it describes. The directory records the binding in
 * `database.json`, the database in its table `home`; both must agree, as positions in the log of
 * one directory mean nothing in another.
 */

/** Name of the file after its content was moved to the database. It is not read. */
const movedName = `${metadataName}.moved`;

/**
 * Opens the database as that of a directory. An empty one is bound to it; then the content of the
 * directory's file is moved there, atomically.
 * @param waitMilliseconds how long to wait for an unreachable database
 * @throws MetadataError when it stays unreachable, IncompatibleDatabaseError when it is not this
 * directory's or cannot be used, Error when a newer program has written it
 */
export async function bindDatabase(directory: string, url: string, waitMilliseconds: number): Promise<Postgres> {
  const postgres = await retryWithBackoff(() => openPostgres(url), waitMilliseconds);
  try {
    await claim(directory, postgres.database);
    return postgres;
  } catch (error) {
    await postgres.shared.close();
    throw error;
  }
}

/**
 * Opens the database to which a directory is already bound: for commands that run next to a server
 * or without one.
 * @throws MetadataError, IncompatibleDatabaseError
 */
export async function openBoundDatabase(directory: string, url: string): Promise<Postgres> {
  const postgres = await openPostgres(url);
  const [there, here] = [await readDatabaseHome(postgres.database), readHome(directory)];
  if (here !== undefined && here.directory === there) return postgres;
  await postgres.shared.close();
  throw there === undefined ? wrongDatabaseError() : otherDirectoryError();
}

async function claim(directory: string, database: Postgres['database']): Promise<void> {
  const recorded = readHome(directory);
  const record = recorded ?? { directory: randomUUID(), moved: false };
  // Before the database records it: after a crash in between, the directory must know its own name.
  if (recorded === undefined) writeHome(directory, record);
  const file = join(directory, metadataName);
  await database.transaction().execute(async (connection) => {
    const home = await readDatabaseHome(connection);
    if (home === record.directory) return;
    if (home?.startsWith(sharedPrefix) === true) throw sharedByNodesError();
    requireRestored(home);
    if (home !== undefined) throw otherDirectoryError();
    if (record.moved) throw wrongDatabaseError();
    if (existsSync(file)) {
      const sqlite = databaseOver(openSqlite(file));
      await copyTables(sqlite, connection).finally(() => sqlite.destroy());
    }
    await sql`INSERT INTO home VALUES (1, ${record.directory})`.execute(connection);
  });
  if (!record.moved) writeHome(directory, { ...record, moved: true });
  if (existsSync(file)) {
    renameSync(file, join(directory, movedName));
    syncDirectory(directory);
  }
}

/** @throws IncompatibleDatabaseError when a restore into it has not finished */
export function requireRestored(home: string | undefined): void {
  if (home?.startsWith(restoringPrefix) === true)
    throw new IncompatibleDatabaseError('a restore into it has not finished; run millrace restore again');
}

export async function readDatabaseHome(connection: Connection): Promise<string | undefined> {
  const { rows } = await sql<{ directory: string }>`SELECT directory FROM home`.execute(connection);
  return rows[0]?.directory;
}

/**
 * Prefix of the binding of a database that several processes share, so it belongs to no directory.
 */
export const sharedPrefix = 'nodes ';
/** Prefix of the binding while `restore-target.ts` fills a shared database. */
export const restoringPrefix = 'filling ';

const sharedByNodesError = (): IncompatibleDatabaseError =>
  new IncompatibleDatabaseError(
    'several nodes share it; start this node with MILLRACE_NODES=shared, or name another database',
  );
const otherDirectoryError = (): IncompatibleDatabaseError =>
  new IncompatibleDatabaseError('it has the metadata of another data directory; use another database or schema');
const wrongDatabaseError = (): IncompatibleDatabaseError =>
  new IncompatibleDatabaseError(
    'it is not the one with the metadata of this data directory; name that one, or restore it',
  );

export async function retryWithBackoff<T>(open: () => Promise<T>, milliseconds: number): Promise<T> {
  const until = performance.now() + milliseconds;
  for (;;) {
    try {
      return await open();
    } catch (error) {
      const mayPass = error instanceof MetadataError && error.code === 'away' && !isRefused(error);
      if (!mayPass || performance.now() > until) throw error;
      await sleep(250);
    }
  }
}

/**
 * Whether the database responds but rejects this user, or does not exist, so that waiting does not
 * help.
 */
export const isRefused = ({ cause }: MetadataError): boolean =>
  cause instanceof Error && 'code' in cause && /^(28...|3D000)$/.test(String(cause.code));
