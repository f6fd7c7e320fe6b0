import { quoteIdentifier, quoteString } from '@millrace/sql';
import { EngineError } from '../errors.js';
import type { Log } from '../log.js';
import type { Replica } from './replica.js';
import { syncReplica } from './sync.js';

/** After this time ClickHouse has dropped such parts. */
const youngSeconds = 600;

interface UnexpectedPartsOptions {
  readonly replicas: readonly Replica[];
  readonly database: string;
  readonly log: Log;
}

/** Parts of inserts, as table and name. */
type Parts = ReadonlySet<string>;
const tableOf = (part: string): string => part.slice(0, part.indexOf('\t'));
const tablesOf = (parts: Iterable<string>): readonly string[] => [...new Set([...parts].map(tableOf))];

/**
 * Parts that a replica shows and Keeper never had: the replica lost Keeper just before registering
 * an insert there. ClickHouse drops them after five minutes. Until then, if the insert is repeated,
 * its rows appear twice.
 *
 * They are found without reading Keeper. Another replica that has all that Keeper knows has each
 * part of an insert: active, replaced, or merged into a larger part. A replaced part that was
 * already removed causes a needless restart of the table, which is rare and harmless.
 */
export class UnexpectedParts {
  readonly #options: UnexpectedPartsOptions;

  constructor(options: UnexpectedPartsOptions) {
    this.#options = options;
  }

  /**
   * Makes a leader, and the other replicas that answer, drop such parts of a table. A replica is
   * checked again before it becomes the leader.
   * @throws EngineError when the parts cannot be determined
   */
  async dropEverywhere(leader: Replica, table: string, signal: AbortSignal): Promise<void> {
    await this.drop(leader, [table], signal);
    for (const replica of this.#options.replicas)
      if (replica !== leader && replica.isReady) await this.drop(replica, [table], signal).catch(() => undefined);
  }

  /**
   * Makes a replica drop such parts of tables by restarting the tables; queries of them wait.
   * @throws EngineError
   */
  async drop(replica: Replica, tables: readonly string[], signal: AbortSignal): Promise<void> {
    const { replicas } = this.#options;
    // A single replica has no other to be compared with.
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
      // A replica that has just become unreachable changes nothing.
      suspects = await this.#withoutThoseOf(other, suspects, signal).catch(() => suspects);
    }
    if (suspects.size === 0) return;
    const tables = tablesOf(suspects);
    const whole = others.map(async (other) => {
      await syncReplica(other, database, tables, AbortSignal.any([signal, other.lost]));
      return this.#withoutThoseOf(other, suspects, signal);
    });
    const left = await Promise.any(whole);
    // Parts that were replaced since were in Keeper.
    const inUse = await this.#inUse(replica, tables, signal);
    for (const table of tablesOf([...left].filter((part) => inUse.has(part)))) {
      log('warn', 'a replica has parts unknown to Keeper; restarting its table', {
        replica: replica.url,
        table,
      });
      await replica.run(`SYSTEM RESTART REPLICA ${quoteIdentifier(database)}.${quoteIdentifier(table)}`, {}, signal);
    }
  }

  /** Recent parts that a replica shows. */
  #inUse(replica: Replica, tables: readonly string[], signal: AbortSignal): Promise<Parts> {
    return this.#partsOf(replica, tables, ` AND active AND modification_time > now() - ${youngSeconds}`, signal);
  }

  /** The parts that a replica neither has nor had a few minutes ago. */
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
