import { sql } from 'kysely';
import type { Connection, Database } from '../database.js';
import { MetadataError } from '../metadata-error.js';

/** Attempts of a change that PostgreSQL ended because of another one. */
const attempts = 4;

/**
 * Runs a change that conflicts only with changes of the same key: it does not wait for the lock of
 * all metadata changes. For rows that no other change relies on.
 * @param key unique among all keys of the database
 * @param work may run again; has no effects outside of the transaction
 * @throws MetadataError, and the errors of `work`
 */
export async function changeOfKey<T>(
  database: Database,
  key: string,
  work: (connection: Connection) => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await database
        .transaction()
        .setIsolationLevel('read committed')
        .execute(async (connection) => {
          await sql`SELECT pg_advisory_xact_lock(hashtextextended(${key}, 0))`.execute(connection);
          return work(connection);
        });
    } catch (error) {
      const mayPass = error instanceof MetadataError && error.code === 'locked';
      if (!mayPass || attempt >= attempts) throw error;
    }
  }
}
