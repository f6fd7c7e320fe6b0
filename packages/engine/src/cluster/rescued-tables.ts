import { quoteIdentifier, quoteString } from '@millrace/sql';
import type { Replica } from './replica.js';

interface KeptOptions {
  readonly database: string;
  /** Whether a table is deleted, so that its rows need not be kept. */
  readonly isRemoved: (table: string) => boolean;
  /** Whether most replicas have the current content of a table. */
  readonly isOnMost: (table: string) => Promise<boolean>;
}

const prefix = 'kept_';
/** The table whose rows a rescued table has. */
const tableOf = (kept: string): string => kept.slice(prefix.length, kept.lastIndexOf('_'));

/** How often to look for kept tables that another process made or left. */
const askMilliseconds = 60_000;

interface CacheEntry {
  readonly rescued: Set<string>;
  readonly at: number;
}

/**
 * Rows of copies that were rebuilt from other replicas, as tables `kept_<table>_<time>` in the same
 * files on disk. They stay until most replicas have the whole table again, so a disk failure before
 * that loses nothing acknowledged.
 */
export class RescuedTables {
  readonly #options: KeptOptions;
  readonly #cache = new Map<Replica, CacheEntry>();

  constructor(options: KeptOptions) {
    this.#options = options;
  }

  /**
   * Saves the rows of a copy that cannot be written any more.
   * @throws EngineError
   */
  async keep(replica: Replica, table: string): Promise<void> {
    const kept = `${prefix}${table}_${Date.now()}`;
    await replica.run(this.#alone(await replica.definitionOf(table), kept));
    // Recorded even if the next step fails: the table is dropped when it is not needed.
    this.#cache.get(replica)?.rescued.add(kept);
    await replica.run(`ALTER TABLE ${this.#quoteTable(kept)} ATTACH PARTITION ALL FROM ${this.#quoteTable(table)}`);
  }

  /**
   * Drops rescued tables that are no longer needed.
   * @throws EngineError
   */
  async forget(replica: Replica): Promise<void> {
    const { rescued } = await this.#knownOf(replica);
    for (const name of rescued) {
      const table = tableOf(name);
      if (!this.#options.isRemoved(table) && !(await this.#options.isOnMost(table))) continue;
      await replica.run(`DROP TABLE IF EXISTS ${this.#quoteTable(name)} SYNC`);
      rescued.delete(name);
    }
  }

  async #knownOf(replica: Replica): Promise<CacheEntry> {
    const before = this.#cache.get(replica);
    if (before !== undefined && performance.now() - before.at < askMilliseconds) return before;
    const rows = await replica.lines(
      `SELECT name FROM system.tables WHERE database = ${quoteString(this.#options.database)} ` +
        `AND startsWith(name, ${quoteString(prefix)})`,
    );
    const known = { rescued: new Set(rows.map(([name = '']) => name)), at: performance.now() };
    this.#cache.set(replica, known);
    return known;
  }

  /** Without Keeper, and with the columns of the copy, because only then are files shared. */
  #alone(definition: string, name: string): string {
    return definition
      .replace(/^CREATE TABLE \S+/, `CREATE TABLE ${this.#quoteTable(name)}`)
      .replace(/ENGINE = ReplicatedMergeTree\('[^']*', '[^']*'\)/, 'ENGINE = MergeTree');
  }

  #quoteTable(table: string): string {
    return `${quoteIdentifier(this.#options.database)}.${quoteIdentifier(table)}`;
  }
}
