import type { RemovedTables } from '@millrace/engine';
import type { Pool } from 'pg';
import type { OfShard } from './of-shard.js';
import { problemOf } from './problem.js';

/** By then every process has heard that a table was removed. */
const heardHours = 24;

/**
 * The tables that were removed, for all processes that share a database. A replica that was away
 * still has them, and whoever removed them may be gone when it comes back.
 */
export class SharedRemovedTables implements RemovedTables {
  readonly #pool: Pool;
  readonly #shard: OfShard;
  #known: ReadonlySet<string> = new Set();
  /** Those that this process has removed: a look that began before may not find them. */
  readonly #own = new Set<string>();
  #old: ReadonlySet<string> = new Set();

  constructor(pool: Pool, shard: OfShard) {
    this.#pool = pool;
    this.#shard = shard;
  }

  get known(): ReadonlySet<string> {
    return this.#known;
  }

  /** @throws MetadataError */
  async look(): Promise<void> {
    const rows = await this.#ask<{ name: string; old: boolean }>(
      `SELECT name, removed < now() - interval '${heardHours} hours' AS old FROM removed_tables`,
    );
    const own = (some: readonly { readonly name: string }[]) => this.#shard.own(some.map(({ name }) => name));
    this.#known = new Set([...own(rows), ...this.#own]);
    this.#old = new Set(own(rows.filter(({ old }) => old)));
  }

  /** @throws MetadataError */
  async add(table: string): Promise<void> {
    await this.#ask('INSERT INTO removed_tables (name) VALUES ($1) ON CONFLICT (name) DO NOTHING', [
      this.#shard.named(table),
    ]);
    this.#own.add(table);
    this.#known = new Set([...this.#known, table]);
  }

  /** Numbers of tables are never given again: whoever makes one of them came too late. */
  made(): void {}

  /** @throws MetadataError */
  async gone(table: string): Promise<void> {
    if (!this.#old.has(table)) return;
    this.#own.delete(table);
    await this.#ask('DELETE FROM removed_tables WHERE name = $1', [this.#shard.named(table)]);
  }

  async #ask<R extends object>(statement: string, values: readonly string[] = []): Promise<readonly R[]> {
    try {
      return (await this.#pool.query<R>(statement, [...values])).rows;
    } catch (error) {
      throw problemOf(error);
    }
  }
}
