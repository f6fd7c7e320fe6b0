import { quoteIdentifier, quoteString } from '@millrace/sql';
import type { Replica } from './replica.js';

interface KeptOptions {
  readonly database: string;
  /** Whether a table is gone for good, so that nothing of it need be kept. */
  readonly isRemoved: (table: string) => boolean;
  /** Whether most replicas have what there is of a table. */
  readonly isOnMost: (table: string) => Promise<boolean>;
}

const prefix = 'kept_';
/** The table whose rows a kept one has. */
const tableOf = (kept: string): string => kept.slice(prefix.length, kept.lastIndexOf('_'));

/** Another process may have kept something meanwhile, or have left it: asked so often. */
const askMilliseconds = 60_000;

interface Known {
  readonly kept: Set<string>;
  readonly at: number;
}

/**
 * What copies had that were made anew from others, as tables `kept_<table>_<time>` beside them in
 * the same files on disk. They stay until most replicas have all of the table again: so a disk that
 * fails meanwhile takes nothing away that was acknowledged.
 */
export class KeptCopies {
  readonly #options: KeptOptions;
  readonly #known = new Map<Replica, Known>();

  constructor(options: KeptOptions) {
    this.#options = options;
  }

  /**
   * Keeps what a copy has that cannot be written any more.
   * @throws EngineError
   */
  async keep(replica: Replica, table: string): Promise<void> {
    const kept = `${prefix}${table}_${Date.now()}`;
    await replica.run(this.#alone(await replica.definitionOf(table), kept));
    // Also if the next fails: it goes when it is not needed.
    this.#known.get(replica)?.kept.add(kept);
    await replica.run(`ALTER TABLE ${this.#quoted(kept)} ATTACH PARTITION ALL FROM ${this.#quoted(table)}`);
  }

  /**
   * Removes what need not be kept any more.
   * @throws EngineError
   */
  async forget(replica: Replica): Promise<void> {
    const { kept } = await this.#knownOf(replica);
    for (const name of kept) {
      const table = tableOf(name);
      if (!this.#options.isRemoved(table) && !(await this.#options.isOnMost(table))) continue;
      await replica.run(`DROP TABLE IF EXISTS ${this.#quoted(name)} SYNC`);
      kept.delete(name);
    }
  }

  async #knownOf(replica: Replica): Promise<Known> {
    const before = this.#known.get(replica);
    if (before !== undefined && performance.now() - before.at < askMilliseconds) return before;
    const rows = await replica.lines(
      `SELECT name FROM system.tables WHERE database = ${quoteString(this.#options.database)} ` +
        `AND startsWith(name, ${quoteString(prefix)})`,
    );
    const known = { kept: new Set(rows.map(([name = '']) => name)), at: performance.now() };
    this.#known.set(replica, known);
    return known;
  }

  /** Without Keeper, and with the columns of the copy: files are shared only so. */
  #alone(definition: string, name: string): string {
    return definition
      .replace(/^CREATE TABLE \S+/, `CREATE TABLE ${this.#quoted(name)}`)
      .replace(/ENGINE = ReplicatedMergeTree\('[^']*', '[^']*'\)/, 'ENGINE = MergeTree');
  }

  #quoted(table: string): string {
    return `${quoteIdentifier(this.#options.database)}.${quoteIdentifier(table)}`;
  }
}
