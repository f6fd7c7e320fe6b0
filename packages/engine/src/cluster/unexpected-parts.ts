import { quoteIdentifier, quoteString } from '@millrace/sql';
import { EngineError } from '../errors.js';
import type { Log } from '../log.js';
import type { Replica } from './replica.js';
import { bringUp } from './sync.js';

/** Later ClickHouse has looked for itself. */
const youngSeconds = 600;

interface UnexpectedPartsOptions {
  readonly replicas: readonly Replica[];
  readonly database: string;
  readonly log: Log;
}

/** Parts of inserts, each as its table and its name. */
type Parts = ReadonlySet<string>;
const tableOf = (part: string): string => part.slice(0, part.indexOf('\t'));
const tablesOf = (parts: Iterable<string>): readonly string[] => [...new Set([...parts].map(tableOf))];

/**
 * Parts that a replica shows and Keeper never had: it lost Keeper when it was about to write an
 * insert down there. ClickHouse drops them after five minutes. Until then the rows are there twice,
 * once the insert has come in again.
 *
 * They are found without a look into Keeper. When another replica has all that Keeper knows, it has
 * each part of an insert, in use or replaced, or has it as a part of a larger one. A table with
 * parts of the last kind is started again in vain, which happens rarely and harms nothing.
 */
export class UnexpectedParts {
  readonly #options: UnexpectedPartsOptions;

  constructor(options: UnexpectedPartsOptions) {
    this.#options = options;
  }

  /**
   * Has a home drop such parts of a table, and other replicas as far as they answer: each is looked
   * at again before it is a home.
   * @throws EngineError when nobody can tell which they are
   */
  async dropEverywhere(home: Replica, table: string, signal: AbortSignal): Promise<void> {
    await this.drop(home, [table], signal);
    for (const replica of this.#options.replicas)
      if (replica !== home && replica.isReady) await this.drop(replica, [table], signal).catch(() => undefined);
  }

  /**
   * Has a replica drop such parts of tables. The tables are started again; what is asked of them
   * meanwhile waits.
   * @throws EngineError
   */
  async drop(replica: Replica, tables: readonly string[], signal: AbortSignal): Promise<void> {
    const { replicas } = this.#options;
    // The only one has nobody to be compared with.
    if (tables.length === 0 || replicas.length === 1) return;
    await this.#drop(replica, tables, signal).catch((error: unknown) => {
      const [why = 'no other replica answers'] =
        error instanceof AggregateError ? (error.errors as unknown[]) : [error];
      throw new EngineError('unavailable', why instanceof EngineError ? why.detail : String(why), 'elsewhere');
    });
  }

  async #drop(replica: Replica, among: readonly string[], signal: AbortSignal): Promise<void> {
    const { replicas, database, log } = this.#options;
    const others = replicas.filter((other) => other.isReady && other !== replica);
    let suspects = await this.#inUse(replica, among, signal);
    for (const other of others) {
      // One that has just gone says nothing.
      suspects = await this.#withoutThoseOf(other, suspects, signal).catch(() => suspects);
    }
    if (suspects.size === 0) return;
    const tables = tablesOf(suspects);
    const whole = others.map(async (other) => {
      await bringUp(other, database, tables, AbortSignal.any([signal, other.lost]));
      return this.#withoutThoseOf(other, suspects, signal);
    });
    const left = await Promise.any(whole);
    // Keeper had those that were replaced meanwhile.
    const inUse = await this.#inUse(replica, tables, signal);
    for (const table of tablesOf([...left].filter((part) => inUse.has(part)))) {
      log('warn', 'a replica has parts that Keeper never had; the table is started again', {
        replica: replica.url,
        table,
      });
      await replica.run(`SYSTEM RESTART REPLICA ${quoteIdentifier(database)}.${quoteIdentifier(table)}`, {}, signal);
    }
  }

  /** Young parts that a replica shows. */
  #inUse(replica: Replica, tables: readonly string[], signal: AbortSignal): Promise<Parts> {
    return this.#partsOf(replica, tables, ` AND active AND modification_time > now() - ${youngSeconds}`, signal);
  }

  /** Those of the parts that a replica neither has nor had a few minutes ago. */
  async #withoutThoseOf(replica: Replica, parts: Parts, signal: AbortSignal): Promise<Parts> {
    if (parts.size === 0) return parts;
    const known = await this.#partsOf(replica, tablesOf(parts), '', signal);
    return new Set([...parts].filter((part) => !known.has(part)));
  }

  async #partsOf(replica: Replica, tables: readonly string[], also: string, signal: AbortSignal): Promise<Parts> {
    const lines = await replica.lines(
      `SELECT table, name FROM system.parts WHERE database = ${quoteString(this.#options.database)} ` +
        `AND table IN (${tables.map(quoteString).join(', ')}) AND level = 0${also}`,
      AbortSignal.any([signal, replica.lost]),
    );
    return new Set(lines.map((line) => line.join('\t')));
  }
}
