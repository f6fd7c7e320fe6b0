import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool, PoolClient } from 'pg';
import { KeyedMutex, type KeyedLock } from '@millrace/runtime/async/mutex';
import { MetadataError } from '../metadata-error.js';
import { problemOf } from './problem.js';

/** Interval at which a process that waits for another one checks the lock. */
const pollMilliseconds = 20;
/** Locked work is short; waiting longer than this means that a process hangs. */
const patienceMilliseconds = 15_000;

/**
 * Locks among all processes that use the database: an advisory lock for each key. All locks of this
 * process are held over one connection, and end with it.
 */
export class PostgresTurns implements KeyedLock<string> {
  readonly #pool: Pool;
  readonly #kind: string;
  readonly #before: () => Promise<void>;
  readonly #here = new KeyedMutex<string>();

  /**
   * @param pool of one connection
   * @param kind of the keys, for the names of the locks
   * @param before called with the lock acquired: loads the changes made under earlier locks
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
        if (performance.now() > until) throw new MetadataError('locked', new Error(`another process holds ${name}`));
        await sleep(pollMilliseconds);
      }
      try {
        await this.#before();
        return await work();
      } finally {
        // If that fails, the connection is closed, which releases the lock.
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
