import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ExecuteOptions, Insert, QueryLimits } from '../engine.js';
import { EngineError, hasEnded } from '../errors.js';
import { insertFromData, settingsOfInsert } from '../insert.js';
import type { Log } from '../log.js';
import { claimIsOver } from '../remote-claim.js';
import type { RemoteRequest } from '../remote-connection.js';
import { settingsOfStatement } from '../remote-statements.js';
import { baseSettings, mergeSettings } from '../settings.js';
import type { Failover, Place } from './failover.js';
import type { Freshness } from './replica-lag.js';
import { classOf } from './leaders.js';
import type { TableRegistry } from './table-registry.js';
import { namedTables } from './named-tables.js';
import type { Replica } from './replica.js';
import { syncReplica } from './sync.js';
import type { UnexpectedParts } from './unexpected-parts.js';
import type { InDoubtStatements } from './in-doubt-statements.js';

interface ChangesOptions {
  readonly replicas: readonly Replica[];
  readonly failover: Failover;
  readonly freshness: Freshness;
  readonly registry: TableRegistry;
  readonly inDoubt: InDoubtStatements;
  readonly unexpected: UnexpectedParts;
  readonly database: string;
  readonly limits: QueryLimits | undefined;
  readonly log: Log;
  /** How long a change waits for another leader. */
  readonly patienceMilliseconds: number;
  /** The first pause before a retry. */
  readonly pauseMilliseconds: number;
}

type Change = Pick<RemoteRequest, 'sql' | 'settings' | 'data'>;

/** Another change of the table came first: this one is retried. */
const cameSecond = (error: EngineError): boolean => error.detail.startsWith('Code: 517.');
const maxRepeats = 20;
/** A failed connection, not a failed statement: the replica sent no error. */
export const isConnectionError = (error: EngineError): boolean =>
  error.code === 'unavailable' && !error.detail.startsWith('Code: ');

/** The replica is restarting the table: the statement is retried. */
export const isReplicaRestarting = (error: EngineError): boolean => error.detail.startsWith('Code: 733.');

/**
 * Sends changes of tables to their leader replicas, and also to the other replicas where each has
 * to execute the statement.
 */
export class Changes {
  readonly #options: ChangesOptions;
  /** Statements that unreachable replicas missed, in order. */
  readonly #missedStatements = new Map<Replica, string[]>();

  constructor(options: ChangesOptions) {
    this.#options = options;
  }

  /**
   * Inserts at the leader, repeatedly under one token until the insert is confirmed, finally
   * rejected, or times out.
   * @throws EngineError for which `hasEnded` holds only if no row of the insert can still be stored
   */
  async insert(insert: Insert, signal: AbortSignal): Promise<void> {
    const { table } = insert.table;
    const { inDoubt, unexpected, failover, freshness, patienceMilliseconds, pauseMilliseconds } = this.#options;
    await inDoubt.end(aboutTable(table));
    const named: Insert = { ...insert, token: insert.token ?? randomUUID() };
    const settings = mergeSettings(baseSettings, settingsOfInsert(named));
    const about = `insert ${named.token}`;
    const late = performance.now() + patienceMilliseconds;
    /** Whether an earlier attempt got no response and may have inserted rows. */
    let isUnsure = false;
    for (let attempt = 1; ; attempt++) {
      const place = await failover.of(classOf(table), late - performance.now(), signal).catch((error: unknown) => {
        throw isUnsure ? asUnknown(error) : error;
      });
      const { replica } = place;
      const queryId = replica.queryId();
      try {
        const sql = insertFromData(named, replica.guard);
        // An earlier attempt may have left such parts, or may leave them during this one.
        const mayBeThere = isUnsure || insert.repeated === true;
        if (mayBeThere) await unexpected.dropEverywhere(replica, table, signal);
        await this.#send(replica, queryId, { sql, settings, data: insert.chunks }, signal);
        freshness.markChanged(table);
        if (attempt > 1 || mayBeThere) await this.#bringUp(replica, table, signal);
        if (mayBeThere) await this.#dropUnexpected(replica, table, signal);
        await this.confirm(table, place, signal);
        return inDoubt.forget(about);
      } catch (error) {
        freshness.markChanged(table);
        if (!(error instanceof EngineError)) throw error;
        if (error.outcome === 'unknown' && !hasEnded(error)) inDoubt.add(about, replica, queryId);
        isUnsure ||= error.outcome === 'unknown';
        const isOver = claimIsOver(error.detail);
        if (isOver)
          await replica.endStatements([]).catch((problem: unknown) => {
            throw isUnsure ? asUnknown(problem) : problem;
          });
        // A replica that lost its disk has no table at all.
        if (hasEnded(error) && !isOver && error.code !== 'unknown-table') {
          await inDoubt.end(about);
          throw error;
        }
        // Errors without Keeper or a quorum are thrown at once; a lost leader is waited for.
        const isHopeless = attempt > 1 && !isConnectionError(error) && !isOver;
        if (isHopeless || performance.now() > late || signal.aborted) throw isUnsure ? asUnknown(error) : error;
      }
      await sleep(pauseMilliseconds * attempt, undefined, { signal }).catch(() => undefined);
    }
  }

  /** @throws EngineError */
  async execute(sql: string, options: ExecuteOptions): Promise<void> {
    const { registry, replicas, database } = this.#options;
    if (options.defines !== undefined) await this.#requireRoom();
    const table = options.defines?.table ?? namedTables(sql, database, registry.all).tables[0];
    // From the first attempt on: the table may already be gone from some replicas, and repairs must
    // not create it again.
    if (table !== undefined && removesTable(sql)) await registry.recordRemoval(table);
    const { replica } = await this.#atHome(table, sql, options);
    if (options.everywhere !== true) return;
    if (table !== undefined && makesTable(sql)) registry.addTable(table);
    await Promise.all(replicas.filter((other) => other !== replica).map((other) => this.#also(other, sql, table)));
  }

  /**
   * Checks the free disk space of every replica, because each writes its own table metadata.
   * @throws EngineError
   */
  async #requireRoom(): Promise<void> {
    const ready = this.#options.replicas.filter(({ isReady }) => isReady);
    for (const answer of await Promise.allSettled(ready.map((replica) => replica.requireRoomForDefinitions())))
      if (answer.status === 'rejected' && answer.reason instanceof EngineError && answer.reason.code === 'disk-full')
        throw answer.reason;
  }

  /** Runs missed statements on replicas that are reachable again. Never rejects. */
  async check(): Promise<void> {
    for (const [replica, statements] of this.#missedStatements) {
      if (!replica.isReady) continue;
      try {
        for (let sql = statements[0]; sql !== undefined; sql = statements[0]) {
          await replica.run(sql);
          statements.shift();
        }
        this.#missedStatements.delete(replica);
      } catch (error) {
        if (!(error instanceof EngineError) || error.outcome !== 'refused') continue;
        // A rejected statement will be rejected later too, for example because its table is
        // deleted.
        statements.shift();
        this.#options.log('warn', 'a replica does not apply missed statements', {
          replica: replica.url,
          reason: error.engineMessage,
        });
      }
    }
  }

  /** Drops the missed statements of a replica that is being rebuilt from the others. */
  forget(replica: Replica): void {
    this.#missedStatements.delete(replica);
  }

  async #atHome(table: string | undefined, sql: string, options: ExecuteOptions): Promise<Place> {
    const { failover, freshness, limits, inDoubt, patienceMilliseconds, pauseMilliseconds } = this.#options;
    const tableClass = table === undefined ? 0 : classOf(table);
    const signal = options.signal ?? neverSignal;
    const late = performance.now() + patienceMilliseconds;
    for (let attempt = 1; ; attempt++) {
      const place = await failover.of(tableClass, late - performance.now(), signal);
      const queryId = place.replica.queryId();
      try {
        await this.#send(place.replica, queryId, { sql, settings: settingsOfStatement(options, limits) }, signal);
        if (table !== undefined) {
          freshness.markChanged(table);
          await this.confirm(table, place, signal);
          if (makesTable(sql)) await this.#recordMade(table, place, signal);
        }
        return place;
      } catch (error) {
        if (table !== undefined) freshness.markChanged(table);
        if (!(error instanceof EngineError)) throw error;
        // A recreated column must not be dropped by an earlier statement in doubt.
        const isDangerous = options.apart === 'narrowing' && error.outcome === 'unknown';
        if (isDangerous && table !== undefined) inDoubt.add(aboutTable(table), place.replica, queryId);
        const again = cameSecond(error)
          ? attempt <= maxRepeats
          : (isConnectionError(error) || isReplicaRestarting(error)) &&
            error.outcome === 'elsewhere' &&
            performance.now() < late;
        if (!again || signal.aborted) throw error;
      }
      // Random, because other processes retry theirs too.
      await sleep(pauseMilliseconds * attempt * (0.5 + Math.random()), undefined, { signal }).catch(() => undefined);
    }
  }

  /** A table was created at its leader, which gets the rows that other replicas may have. */
  async #recordMade(table: string, { replica }: Place, signal: AbortSignal): Promise<void> {
    await syncReplica(replica, this.#options.database, [table], signal);
    replica.addTable(table);
  }

  /** Executes a statement of the leader on another replica; later, if that is unreachable. */
  async #also(replica: Replica, sql: string, table: string | undefined): Promise<void> {
    const miss = (): void => {
      // Repairs remove the table from this replica.
      if (removesTable(sql)) return;
      const statements = this.#missedStatements.get(replica) ?? [];
      if (!statements.includes(sql)) statements.push(sql);
      this.#missedStatements.set(replica, statements);
    };
    if (!replica.isReady) return miss();
    try {
      await replica.run(sql);
      if (table !== undefined && makesTable(sql)) replica.addTable(table);
    } catch (error) {
      miss();
      const reason = error instanceof EngineError ? error.engineMessage : String(error);
      this.#options.log('warn', 'a replica could not execute a statement of its leader', {
        replica: replica.url,
        reason,
      });
    }
  }

  /**
   * Makes a change visible to later queries: if the table has a new leader by now, syncs that one
   * first.
   * @throws EngineError with the outcome `unknown`
   */
  async confirm(table: string, place: Place, signal: AbortSignal): Promise<void> {
    const { failover, patienceMilliseconds } = this.#options;
    const tableClass = classOf(table);
    for (let before = place; ;) {
      const now = await failover.of(tableClass, patienceMilliseconds, signal).catch((error: unknown) => {
        throw asUnknown(error);
      });
      if (now.generation === before.generation) return;
      await this.#bringUp(now.replica, table, signal);
      before = now;
    }
  }

  /** @throws EngineError with the outcome `unknown` */
  async #bringUp(replica: Replica, table: string, signal: AbortSignal): Promise<void> {
    const within = AbortSignal.any([signal, replica.lost]);
    await syncReplica(replica, this.#options.database, [table], within).catch((error: unknown) => {
      throw asUnknown(error);
    });
  }

  /** @throws EngineError with the outcome `unknown` */
  async #dropUnexpected(replica: Replica, table: string, signal: AbortSignal): Promise<void> {
    await this.#options.unexpected.dropEverywhere(replica, table, signal).catch((error: unknown) => {
      throw asUnknown(error);
    });
  }

  /**
   * Sends a change over a separate connection and waits for the response until the replica is lost.
   */
  async #send(replica: Replica, queryId: string, change: Change, signal: AbortSignal): Promise<void> {
    const { lost } = replica;
    const either = AbortSignal.any([signal, lost]);
    const settings = { ...change.settings, wait_end_of_query: '1' };
    try {
      await replica.connection.request({
        ...change,
        settings,
        format: 'Null',
        queryId,
        signal: either,
        repeatable: false,
      });
    } catch (error) {
      if (lost.aborted && !signal.aborted)
        throw new EngineError('unavailable', 'the replica does not answer any more', 'unknown');
      throw error;
    }
  }
}

/** The change may have been made, even if a later step failed. */
const asUnknown = (error: unknown): EngineError =>
  new EngineError('unavailable', error instanceof EngineError ? error.detail : String(error), 'unknown');

const makesTable = (sql: string): boolean => sql.startsWith('CREATE TABLE ');
const removesTable = (sql: string): boolean => sql.startsWith('DROP TABLE ');
const neverSignal = new AbortController().signal;
const aboutTable = (table: string): string => `table ${table}`;
