import type { Pool } from 'pg';
import { IncompatibleDatabaseError } from './incompatible-database.js';

/** Enough rounds to catch a pooler that takes connections in turn. */
const rounds = 3;

/**
 * Checks that each connection has its own server process. Session locks and settings need
 * that; a pooler in transaction mode, such as PgBouncer, gives a connection another process with
 * each transaction, and locks would belong to other connections.
 * @throws IncompatibleDatabaseError
 */
export async function requireSessions(pool: Pool): Promise<void> {
  const [one, other] = [await pool.connect(), await pool.connect()];
  const pidOf = async (client: typeof one): Promise<number> =>
    Number((await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')).rows[0]?.pid);
  try {
    const first = await pidOf(one);
    for (let round = 0; round < rounds; round++) {
      await other.query('BEGIN');
      const second = await pidOf(other);
      const again = await pidOf(one);
      await other.query('COMMIT');
      if (second === first || again !== first) throw poolerError();
    }
  } catch (error) {
    // PgBouncer's error in statement mode.
    throw error instanceof Error && /pooling mode/.test(error.message) ? poolerError() : error;
  } finally {
    one.release();
    other.release();
  }
}

const poolerError = (): IncompatibleDatabaseError =>
  new IncompatibleDatabaseError(
    'a connection pooler in transaction mode is in between (PgBouncer: pool_mode = transaction), and locks do not hold; use session mode, or the address of PostgreSQL itself',
  );
