import type { RemovedTables } from '@millrace/engine';
import type { Pool } from 'pg';
import { problemOf } from './problem.js';

/** By then every process has heard that a table was removed. */
const heardHours = 24;

/**
 * The tables that were removed, for all processes that share a database. A replica that was away
 * still has them, and whoever removed them may be gone when it comes back.
 */
export class SharedRemovedTables implements RemovedTables {
  readonly #pool: Pool;
  #known: ReadonlySet<string> = new Set();
  /** Those that this process has removed: a look that began before may not find them. */
  readonly #own = new Set<string>();
  #old: ReadonlySet<string> = new Set();

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  get known(): ReadonlySet<string> {
    return this.#known;
  }

  /** @throws MetadataError */
  async look(): Promise<void> {
    const rows = await this.#ask<{ name: string; old: boolean }>(
      `SELECT name, removed < now() - interval '${heardHours} hours' AS old FROM removed_tables`,
    );
    this.#known = new Set([...rows.map(({ name }) => name), ...this.#own]);
    this.#old = new Set(rows.filter(({ old }) => old).map(({ name }) => name));
  }

  /** @throws MetadataError */
  async add(table: string): Promise<void> {
    await this.#ask('INSERT INTO removed_tables (name) VALUES ($1) ON CONFLICT (name) DO NOTHING', [table]);
    this.#own.add(table);
    this.#known = new Set([...this.#known, table]);
  }

  /** Numbers of tables are never given again: whoever makes one of them came too late. */
  made(): void {}

  /** @throws MetadataError */
  async gone(table: string): Promise<void> {
    if (!this.#old.has(table)) return;
    this.#own.delete(table);
    await this.#ask('DELETE FROM removed_tables WHERE name = $1', [table]);
  }

  async #ask<R extends object>(statement: string, values: readonly string[] = []): Promise<readonly R[]> {
    try {
      return (await this.#pool.query<R>(statement, [...values])).rows;
    } catch (error) {
      throw problemOf(error);
    }
  }
}
