import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool, PoolClient } from 'pg';
import { OneByOneFor, type TurnsFor } from '../../async/one-by-one.js';
import { MetadataError } from '../metadata-error.js';
import { problemOf } from './problem.js';

/** How often somebody who waits for another process looks again. */
const pollMilliseconds = 20;
/**
 * Work that takes turns is short; who waits for longer than this waits for a process that hangs.
 */
const patienceMilliseconds = 15_000;

/**
 * Turns among all processes that use the database: an advisory lock for each thing. All locks of
 * this process are held over one connection, and fall with it.
 */
export class PostgresTurns implements TurnsFor<string> {
  readonly #pool: Pool;
  readonly #kind: string;
  readonly #before: () => Promise<void>;
  readonly #here = new OneByOneFor<string>();

  /**
   * @param pool of one connection
   * @param kind of the things, for the names of the locks
   * @param before is called when it is one's turn: what others did in theirs has to be known
   */
  constructor(pool: Pool, kind: string, before: () => Promise<void>) {
    this.#pool = pool;
    this.#kind = kind;
    this.#before = before;
  }

  run<T>(thing: string, work: () => Promise<T>): Promise<T> {
    return this.#here.run(thing, async () => {
      const name = `${this.#kind} ${thing}`;
      const until = performance.now() + patienceMilliseconds;
      while (!(await this.#say('pg_try_advisory_lock', name))) {
        if (performance.now() > until) throw new MetadataError('locked', new Error(`somebody else keeps ${name}`));
        await sleep(pollMilliseconds);
      }
      try {
        await this.#before();
        return await work();
      } finally {
        // Where that fails, the connection is over, and the lock with it.
        await this.#say('pg_advisory_unlock', name).catch(() => undefined);
      }
    });
  }

  /** @throws MetadataError */
  async #say(what: 'pg_try_advisory_lock' | 'pg_advisory_unlock', name: string): Promise<boolean> {
    let client: PoolClient | undefined;
    try {
      client = await this.#pool.connect();
      const { rows } = await client.query<{ done: boolean }>(`SELECT ${what}(hashtextextended($1, 0)) AS done`, [name]);
      client.release();
      return rows[0]?.done ?? false;
    } catch (error) {
      client?.release(true);
      throw problemOf(error);
    }
  }
}
