import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { readDatabaseHome, retryWithBackoff, requireRestored, sharedPrefix } from './database-binding.js';
import { openPostgres, type Postgres } from './open-postgres.js';
import { IncompatibleDatabaseError } from './incompatible-database.js';

export interface SharedHome extends Postgres {
  /** Name of the group of processes that share the database. */
  readonly cluster: string;
}

/**
 * Opens a database that several processes already share.
 * @throws MetadataError, IncompatibleDatabaseError
 */
export async function openBoundSharedDatabase(url: string): Promise<Postgres> {
  const postgres = await openPostgres(url, { mayBeOlder: true });
  if ((await readDatabaseHome(postgres.database))?.startsWith(sharedPrefix) === true) return postgres;
  await postgres.shared.close();
  throw new IncompatibleDatabaseError('it is not one that several nodes share, and the data directory has no metadata');
}

/**
 * Opens a database that several processes share. An empty one becomes such a database.
 * @param waitMilliseconds how long to wait for an unreachable database
 * @throws MetadataError when it stays unreachable, IncompatibleDatabaseError when it belongs to one
 * directory or cannot be used, Error when a newer program has written it
 */
export async function bindSharedDatabase(url: string, waitMilliseconds: number): Promise<SharedHome> {
  const postgres = await retryWithBackoff(() => openPostgres(url, { mayBeOlder: true }), waitMilliseconds);
  try {
    const home = await postgres.database.transaction().execute(async (connection) => {
      const present = await readDatabaseHome(connection);
      if (present !== undefined) return present;
      const made = `${sharedPrefix}${randomUUID()}`;
      await sql`INSERT INTO home VALUES (1, ${made})`.execute(connection);
      return made;
    });
    requireRestored(home);
    if (!home.startsWith(sharedPrefix))
      throw new IncompatibleDatabaseError(
        'it has the metadata of one data directory; several nodes need an empty database, or schema',
      );
    return { ...postgres, cluster: home.slice(sharedPrefix.length) };
  } catch (error) {
    await postgres.shared.close();
    throw error;
  }
}
