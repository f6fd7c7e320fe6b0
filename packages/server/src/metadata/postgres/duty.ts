import type { Pool, PoolClient } from 'pg';

/** Without an answer for so long nobody relies on it. */
const staleMilliseconds = 20_000;

/**
 * Which of the processes that share a database does what one of them has to do. Whoever has the
 * lock is on duty; it falls with the connection. One that hangs keeps it until the database gives
 * the connection up, and one that lost it notices with its next beat: for a moment there may be
 * two, and for a while none.
 */
export class Duty {
  readonly #pool: Pool;
  readonly #name: string;
  #client: PoolClient | undefined;
  #since = -Infinity;

  /**
   * @param pool of one connection, which is kept
   * @param name of the lock, among all in the database
   */
  constructor(pool: Pool, name: string) {
    this.#pool = pool;
    this.#name = name;
  }

  /** Whether this process is on duty, as far as it knows. */
  get has(): boolean {
    return this.#client !== undefined && performance.now() - this.#since < staleMilliseconds;
  }

  /** Tries to get it, or makes sure of it. Never rejects. */
  async beat(): Promise<void> {
    const at = performance.now();
    let client = this.#client;
    try {
      client ??= await this.#pool.connect();
      if (this.#client !== undefined) await client.query('SELECT 1');
      else if (await taken(client, this.#name)) this.#client = client;
      else client.release();
      this.#since = at;
    } catch {
      this.#client = undefined;
      client?.release(true);
    }
  }

  /** Lets it go; `beat` tries again. */
  release(): void {
    this.#client?.release(true);
    this.#client = undefined;
  }

  /** Lets it go for good. */
  async end(): Promise<void> {
    this.release();
    await this.#pool.end();
  }
}

async function taken(client: PoolClient, name: string): Promise<boolean> {
  const { rows } = await client.query<{ done: boolean }>(
    'SELECT pg_try_advisory_lock(hashtextextended($1, 0)) AS done',
    [name],
  );
  return rows[0]?.done === true;
}
