import type { Pool, PoolClient } from 'pg';

/** After this long without a response the leadership is considered lost. */
const staleMilliseconds = 20_000;

/**
 * Leader election among the processes that share a database. The leader holds a lock, which ends
 * with its connection. A process that hangs keeps it until the database drops the connection, and
 * one that lost it notices at its next heartbeat: for a moment there may be two leaders, and for a
 * while none.
 */
export class LeaderElection {
  readonly #pool: Pool;
  readonly #name: string;
  #client: PoolClient | undefined;
  #since = -Infinity;

  /**
   * @param pool of one connection, which stays open
   * @param name of the lock, among all in the database
   */
  constructor(pool: Pool, name: string) {
    this.#pool = pool;
    this.#name = name;
  }

  /** Whether this process was the leader at its last heartbeat. */
  get isLeader(): boolean {
    return this.#client !== undefined && performance.now() - this.#since < staleMilliseconds;
  }

  /** Tries to become the leader, or confirms it. Never rejects. */
  async heartbeat(): Promise<void> {
    const at = performance.now();
    let client = this.#client;
    try {
      client ??= await this.#pool.connect();
      if (this.#client !== undefined) await client.query('SELECT 1');
      else if (await tryLock(client, this.#name)) this.#client = client;
      else client.release();
      this.#since = at;
    } catch {
      this.#client = undefined;
      client?.release(true);
    }
  }

  /** Ends the leadership; `heartbeat` tries again. */
  release(): void {
    this.#client?.release(true);
    this.#client = undefined;
  }

  /** Ends the leadership permanently. */
  async end(): Promise<void> {
    this.release();
    await this.#pool.end();
  }
}

async function tryLock(client: PoolClient, name: string): Promise<boolean> {
  const { rows } = await client.query<{ done: boolean }>(
    'SELECT pg_try_advisory_lock(hashtextextended($1, 0)) AS done',
    [name],
  );
  return rows[0]?.done === true;
}
