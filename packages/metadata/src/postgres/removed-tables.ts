import type { RemovedTables } from '@millrace/engine';
import type { Pool } from 'pg';
import type { ShardNamespace } from './shard-namespace.js';
import { problemOf } from './problem.js';

/** After this time every process knows of a removed table. */
const announcedHours = 24;

/**
 * The removed tables, for all processes that share a database. A replica that was unreachable still
 * has them, and the process that removed them may have ended when the replica is back.
 */
export class SharedRemovedTables implements RemovedTables {
  readonly #pool: Pool;
  readonly #shard: ShardNamespace;
  #knownTables: ReadonlySet<string> = new Set();
  /** Tables that this process has removed: a read that began before may lack them. */
  readonly #own = new Set<string>();
  #old: ReadonlySet<string> = new Set();

  constructor(pool: Pool, shard: ShardNamespace) {
    this.#pool = pool;
    this.#shard = shard;
  }

  get known(): ReadonlySet<string> {
    return this.#knownTables;
  }

  /** @throws MetadataError */
  async check(): Promise<void> {
    const rows = await this.#query<{ name: string; old: boolean }>(
      `SELECT name, removed < now() - interval '${announcedHours} hours' AS old FROM removed_tables`,
    );
    const own = (some: readonly { readonly name: string }[]) => this.#shard.own(some.map(({ name }) => name));
    this.#knownTables = new Set([...own(rows), ...this.#own]);
    this.#old = new Set(own(rows.filter(({ old }) => old)));
  }

  /** @throws MetadataError */
  async add(table: string): Promise<void> {
    await this.#query('INSERT INTO removed_tables (name) VALUES ($1) ON CONFLICT (name) DO NOTHING', [
      this.#shard.globalName(table),
    ]);
    this.#own.add(table);
    this.#knownTables = new Set([...this.#knownTables, table]);
  }

  /** Table IDs are never reused: a process that creates one of these tables is too late. */
  addTable(): void {}

  /** @throws MetadataError */
  async deleteTable(table: string): Promise<void> {
    if (!this.#old.has(table)) return;
    this.#own.delete(table);
    await this.#query('DELETE FROM removed_tables WHERE name = $1', [this.#shard.globalName(table)]);
  }

  async #query<R extends object>(statement: string, values: readonly string[] = []): Promise<readonly R[]> {
    try {
      return (await this.#pool.query<R>(statement, [...values])).rows;
    } catch (error) {
      throw problemOf(error);
    }
  }
}
