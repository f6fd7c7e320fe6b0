import type { Pool, PoolClient } from 'pg';
import { migrations, tooNew } from '../migrations.js';
import { ownTables } from './own-tables.js';
import { postgresStatement } from './statement.js';

/** What a database has of each list of steps. */
interface Done {
  readonly common: number;
  readonly own: number;
}

/**
 * Takes the steps that a database lacks: those of `migrations.ts`, then its own. All in one
 * transaction: a crash leaves nothing of them, and whoever comes at the same time waits.
 * @throws Error when a newer program has written it
 */
export async function migratePostgres(
  pool: Pool,
  common: readonly (readonly string[])[] = migrations,
  own: readonly (readonly string[])[] = ownTables,
): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query('BEGIN; SELECT pg_advisory_xact_lock(1298951276, 2)');
    await client.query(
      'CREATE TABLE IF NOT EXISTS steps_taken (id BIGINT PRIMARY KEY CHECK (id = 1), common BIGINT NOT NULL, own BIGINT NOT NULL)',
    );
    const done = await doneIn(client);
    if (done.common > common.length || done.own > own.length) throw tooNew(done.common, common.length);
    if (done.common < common.length || done.own < own.length) {
      for (const statement of common.slice(done.common).flat()) await client.query(postgresStatement(statement));
      for (const statement of own.slice(done.own).flat()) await client.query(statement);
      await client.query(
        'INSERT INTO steps_taken VALUES (1, $1, $2) ON CONFLICT (id) DO UPDATE SET common = excluded.common, own = excluded.own',
        [common.length, own.length],
      );
    }
    await client.query('COMMIT');
    client.release();
  } catch (error) {
    // The transaction ends with the connection.
    client.release(true);
    throw error;
  }
}

async function doneIn(client: PoolClient): Promise<Done> {
  const { rows } = await client.query<Done>('SELECT common, own FROM steps_taken');
  return rows[0] ?? { common: 0, own: 0 };
}
