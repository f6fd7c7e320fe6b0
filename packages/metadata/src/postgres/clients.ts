import type { PostgresPool, PostgresPoolClient, PostgresQueryResult } from 'kysely';
import type { Pool, PoolClient } from 'pg';
import { escapeNul } from './escape-nul.js';
import { MetadataError } from '../metadata-error.js';
import { isAnswer, problemOf } from './problem.js';

/**
 * The clients that Kysely gets. Changes are serialized between processes, as with SQLite: what a
 * change is based on still holds at its commit, and changes cannot deadlock. A process that stalls
 * in the middle loses the lock after some seconds.
 */

/** Class ID of advisory locks in this database; the second number is the lock. */
const family = 0x4d696c6c;
const beginningAlone = (patience: number): string =>
  [
    'BEGIN',
    // Shorter than the whole timeout, so that a blocked lock is reported before the connection is
    // dropped.
    `SET LOCAL lock_timeout = ${Math.ceil(patience / 2)}`,
    `SET LOCAL idle_in_transaction_session_timeout = ${patience}`,
  ].join('; ');
const firstDelay = (patience: number): string =>
  `${beginningAlone(patience)}; SELECT pg_advisory_xact_lock(${family}, 1)`;

/**
 * A change waits this many times for the lock: with many waiting changes, or one whose process
 * stalled and loses the lock, a later attempt succeeds.
 */
const lockAttempts = 6;

/** How Kysely begins a change that takes separate locks; see `change-of-key.ts`. */
const readCommittedBegin = 'start transaction isolation level read committed';
/** How Kysely begins a read-only transaction with one snapshot; it needs no lock. */
const readOnly = 'start transaction isolation level repeatable read read only';

/**
 * Kysely's view of a pool, which is closed by its opener.
 * @param patience lock timeout of a change, and idle timeout of a transaction, in milliseconds
 */
export const serializedWriterPool = (pool: Pool, patience: number): PostgresPool => ({
  connect: async () => {
    const client = new Client(await pool.connect().catch(thrown), patience);
    // Omits the second form of `query`, which is for cursors.
    return {
      query: (sql: unknown, parameters: unknown) => client.query(String(sql), parameters as []),
      release: () => client.release(),
    } as PostgresPoolClient;
  },
  end: async () => undefined,
});

type Result<R> = Pick<PostgresQueryResult<R>, 'rowCount' | 'rows'> & { readonly command: string };

class Client {
  readonly #client: PoolClient;
  readonly #patience: number;
  #inTransaction = false;
  /** It is unknown what the server still does over this connection. */
  #isLost = false;

  constructor(client: PoolClient, patience: number) {
    this.#client = client;
    this.#patience = patience;
  }

  async query(sql: string, parameters: readonly unknown[]): Promise<Result<unknown>> {
    switch (sql) {
      case 'begin':
        return this.#beginSerialized();
      case readCommittedBegin:
        return this.#begin(beginningAlone(this.#patience));
      case readOnly:
        return this.#begin(readOnly);
      case 'commit':
        return this.#commit();
      case 'rollback':
        return this.#rollback();
      default:
        if (this.#inTransaction || !/^\s*(insert|update|delete)\b/i.test(sql)) return this.#run(sql, parameters);
        return this.#alone(sql, parameters);
    }
  }

  release(): void {
    this.#client.release(this.#isLost);
  }

  /** Runs a change as a separate transaction. */
  async #alone(sql: string, parameters: readonly unknown[]): Promise<Result<unknown>> {
    await this.#beginSerialized();
    try {
      const result = await this.#run(sql, parameters);
      await this.#commit();
      return result;
    } catch (error) {
      await this.#rollback();
      throw error;
    }
  }

  /** Begins with the lock of all changes; retried, because a failure has no effect. */
  async #beginSerialized(): Promise<Result<unknown>> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#begin(firstDelay(this.#patience));
      } catch (error) {
        if (!(error instanceof MetadataError) || error.code !== 'locked' || attempt >= lockAttempts) throw error;
      }
    }
  }

  async #begin(statement: string): Promise<Result<unknown>> {
    try {
      await this.#run(statement, []);
    } catch (error) {
      await this.#rollback();
      throw error;
    }
    this.#inTransaction = true;
    return nothing;
  }

  async #commit(): Promise<Result<unknown>> {
    const { command } = await this.#run('COMMIT', []);
    this.#inTransaction = false;
    // PostgreSQL's response after a failed statement.
    if (command === 'ROLLBACK') throw new MetadataError('unavailable', new Error('the transaction had failed'));
    return nothing;
  }

  /** Rolls back; if that fails, the end of the connection does. */
  async #rollback(): Promise<Result<unknown>> {
    this.#inTransaction = false;
    if (!this.#isLost) await this.#run('ROLLBACK', []).catch(() => void (this.#isLost = true));
    return nothing;
  }

  async #run(sql: string, parameters: readonly unknown[]): Promise<Result<unknown>> {
    try {
      const values = parameters.map((value) => (typeof value === 'string' ? escapeNul(value) : value));
      return (await (values.length === 0
        ? this.#client.query(sql)
        : this.#client.query(sql, values))) as Result<unknown>;
    } catch (error) {
      if (!isAnswer(error)) this.#isLost = true;
      return thrown(error);
    }
  }
}

const nothing: Result<never> = { command: 'SELECT', rowCount: 0, rows: [] };

function thrown(error: unknown): never {
  throw problemOf(error);
}
