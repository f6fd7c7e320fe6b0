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
import { readHome, writeHome } from './home-record.js';
import { openPostgres, type Postgres } from './open-postgres.js';
import { PostgresUnfit } from './unfit.js';

/**
 * Which directory a database describes the events of. The directory says so in `database.json`, the
 * database in its table `home`; both are needed before either is believed, as positions in the log
 * of one directory mean nothing in another.
 */

/** What becomes of the file when its content is in the database. Nothing reads it. */
const movedName = `${metadataName}.moved`;

/**
 * Opens the database as that of a directory. An empty one becomes it; then what the directory's
 * file holds is moved there, all of it or nothing.
 * @param waitMilliseconds how long to wait for a database that is away
 * @throws MetadataError when it stays away, PostgresUnfit when it is not this directory's or cannot
 * be used, Error when a newer program has written it
 */
export async function openHome(directory: string, url: string, waitMilliseconds: number): Promise<Postgres> {
  const postgres = await patiently(() => openPostgres(url), waitMilliseconds);
  try {
    await claim(directory, postgres.database);
    return postgres;
  } catch (error) {
    await postgres.shared.close();
    throw error;
  }
}

/**
 * Opens the database of a directory that is in it already: for those who work beside a server, or
 * without one.
 * @throws MetadataError, PostgresUnfit
 */
export async function openKnownHome(directory: string, url: string): Promise<Postgres> {
  const postgres = await openPostgres(url);
  const [there, here] = [await homeIn(postgres.database), readHome(directory)];
  if (here !== undefined && here.directory === there) return postgres;
  await postgres.shared.close();
  throw there === undefined ? missing() : ofAnother();
}

async function claim(directory: string, database: Postgres['database']): Promise<void> {
  const recorded = readHome(directory);
  const record = recorded ?? { directory: randomUUID(), moved: false };
  // Before the database has it: a directory must know its own name when a crash comes between the
  // two.
  if (recorded === undefined) writeHome(directory, record);
  const file = join(directory, metadataName);
  await database.transaction().execute(async (connection) => {
    const home = await homeIn(connection);
    if (home === record.directory) return;
    if (home?.startsWith(sharedMark) === true) throw ofNodes();
    requireFilled(home);
    if (home !== undefined) throw ofAnother();
    if (record.moved) throw missing();
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

/** @throws PostgresUnfit when a restore into it has not come to its end */
export function requireFilled(home: string | undefined): void {
  if (home?.startsWith(fillingMark) === true)
    throw new PostgresUnfit('a restore into it has not come to its end; run millrace restore again');
}

export async function homeIn(connection: Connection): Promise<string | undefined> {
  const { rows } = await sql<{ directory: string }>`SELECT directory FROM home`.execute(connection);
  return rows[0]?.directory;
}

/**
 * What the home of a database begins with that belongs to no directory, because several processes
 * share it.
 */
export const sharedMark = 'nodes ';
/** The same of one into which a restore puts what nodes are going to share; `filled-home.ts`. */
export const fillingMark = 'filling ';

const ofNodes = (): PostgresUnfit =>
  new PostgresUnfit(
    'several nodes share it; start this one as one of them too (MILLRACE_NODES=shared), or name another database',
  );
const ofAnother = (): PostgresUnfit =>
  new PostgresUnfit('it has the metadata of another data directory; each needs a database, or a schema, of its own');
const missing = (): PostgresUnfit =>
  new PostgresUnfit('it is not the one with the metadata of this data directory; name that one, or restore it');

export async function patiently<T>(open: () => Promise<T>, milliseconds: number): Promise<T> {
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
 * Whether it is there and does not let this user in, or has no such database, which waiting does
 * not mend.
 */
export const isRefused = ({ cause }: MetadataError): boolean =>
  cause instanceof Error && 'code' in cause && /^(28...|3D000)$/.test(String(cause.code));
