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
import type { Freshness } from './freshness.js';
import { classOf } from './homes.js';
import type { KnownTables } from './known-tables.js';
import { namedTables } from './named-tables.js';
import type { Replica } from './replica.js';
import { bringUp } from './sync.js';
import type { UnexpectedParts } from './unexpected-parts.js';
import type { Unheard } from './unheard.js';

interface ChangesOptions {
  readonly replicas: readonly Replica[];
  readonly failover: Failover;
  readonly freshness: Freshness;
  readonly known: KnownTables;
  readonly unheard: Unheard;
  readonly unexpected: UnexpectedParts;
  readonly database: string;
  readonly limits: QueryLimits | undefined;
  readonly log: Log;
  /** For how long a change waits for another home. */
  readonly patienceMilliseconds: number;
  /** The first pause before something is tried again. */
  readonly pauseMilliseconds: number;
}

type Change = Pick<RemoteRequest, 'sql' | 'settings' | 'data'>;

/** Another change of the table came first: this one is repeated. */
const cameSecond = (error: EngineError): boolean => error.detail.startsWith('Code: 517.');
const mostRepeats = 20;
/** A connection failed, not a statement: the replica said nothing. */
export const saidNothing = (error: EngineError): boolean =>
  error.code === 'unavailable' && !error.detail.startsWith('Code: ');

/** The replica starts the table again: it is asked once more. */
export const isStartedAgain = (error: EngineError): boolean => error.detail.startsWith('Code: 733.');

/**
 * Sends what changes tables to their homes, and to every replica where each has to do it by itself.
 */
export class Changes {
  readonly #options: ChangesOptions;
  /** Statements that replicas missed while they were away, in their order. */
  readonly #missed = new Map<Replica, string[]>();

  constructor(options: ChangesOptions) {
    this.#options = options;
  }

  /**
   * Inserts at the home, again and again under one token until it is confirmed, is refused for
   * good, or takes too long.
   * @throws EngineError that says `hasEnded` only if nothing of the insert can still come
   */
  async insert(insert: Insert, signal: AbortSignal): Promise<void> {
    const { table } = insert.table;
    const { unheard, unexpected, failover, freshness, patienceMilliseconds, pauseMilliseconds } = this.#options;
    await unheard.end(aboutTable(table));
    const named: Insert = { ...insert, token: insert.token ?? randomUUID() };
    const settings = mergeSettings(baseSettings, settingsOfInsert(named));
    const about = `insert ${named.token}`;
    const late = performance.now() + patienceMilliseconds;
    /** Whether a try of which nothing was heard may have brought something in. */
    let isUnsure = false;
    for (let attempt = 1; ; attempt++) {
      const place = await failover.of(classOf(table), late - performance.now(), signal).catch((error: unknown) => {
        throw isUnsure ? asUnknown(error) : error;
      });
      const { replica } = place;
      const queryId = replica.queryId();
      try {
        const sql = insertFromData(named, replica.guard);
        // An earlier try may have left such parts, or leaves them while this one is under way.
        const mayBeThere = isUnsure || insert.repeated === true;
        if (mayBeThere) await unexpected.dropEverywhere(replica, table, signal);
        await this.#send(replica, queryId, { sql, settings, data: insert.chunks }, signal);
        freshness.changed(table);
        if (attempt > 1 || mayBeThere) await this.#bringUp(replica, table, signal);
        if (mayBeThere) await this.#dropUnexpected(replica, table, signal);
        await this.confirm(table, place, signal);
        return unheard.forget(about);
      } catch (error) {
        freshness.changed(table);
        if (!(error instanceof EngineError)) throw error;
        if (error.outcome === 'unknown' && !hasEnded(error)) unheard.add(about, replica, queryId);
        isUnsure ||= error.outcome === 'unknown';
        const isOver = claimIsOver(error.detail);
        if (isOver)
          await replica.endStatements([]).catch((problem: unknown) => {
            throw isUnsure ? asUnknown(problem) : problem;
          });
        // A replica that lost its disk has no table at all.
        if (hasEnded(error) && !isOver && error.code !== 'unknown-table') {
          await unheard.end(about);
          throw error;
        }
        // Without Keeper or a quorum it is said at once; a home that is gone is waited for.
        const isHopeless = attempt > 1 && !saidNothing(error) && !isOver;
        if (isHopeless || performance.now() > late || signal.aborted) throw isUnsure ? asUnknown(error) : error;
      }
      await sleep(pauseMilliseconds * attempt, undefined, { signal }).catch(() => undefined);
    }
  }

  /** @throws EngineError */
  async execute(sql: string, options: ExecuteOptions): Promise<void> {
    const { known, replicas, database } = this.#options;
    if (options.defines !== undefined) await this.#requireRoom();
    const table = options.defines?.table ?? namedTables(sql, database, known.all).tables[0];
    // From its first try on: it may be gone from some replicas, where nobody is to make it again.
    if (table !== undefined && removesTable(sql)) await known.removed(table);
    const { replica } = await this.#atHome(table, sql, options);
    if (options.everywhere !== true) return;
    if (table !== undefined && makesTable(sql)) known.made(table);
    await Promise.all(replicas.filter((other) => other !== replica).map((other) => this.#also(other, sql, table)));
  }

  /** Of every replica: each changes its own definition, whoever is asked. @throws EngineError */
  async #requireRoom(): Promise<void> {
    const ready = this.#options.replicas.filter(({ isReady }) => isReady);
    for (const answer of await Promise.allSettled(ready.map((replica) => replica.requireRoomForDefinitions())))
      if (answer.status === 'rejected' && answer.reason instanceof EngineError && answer.reason.code === 'disk-full')
        throw answer.reason;
  }

  /** Has replicas that are back do what they missed. Never rejects. */
  async look(): Promise<void> {
    for (const [replica, statements] of this.#missed) {
      if (!replica.isReady) continue;
      try {
        for (let sql = statements[0]; sql !== undefined; sql = statements[0]) {
          await replica.run(sql);
          statements.shift();
        }
        this.#missed.delete(replica);
      } catch (error) {
        if (!(error instanceof EngineError) || error.outcome !== 'refused') continue;
        // What it does not take now it will not take later, for instance because its table is gone.
        statements.shift();
        this.#options.log('warn', 'a replica does not do what it missed', { replica: replica.url, reason: error.said });
      }
    }
  }

  /** A replica is filled anew: it misses nothing. */
  forget(replica: Replica): void {
    this.#missed.delete(replica);
  }

  async #atHome(table: string | undefined, sql: string, options: ExecuteOptions): Promise<Place> {
    const { failover, freshness, limits, unheard, patienceMilliseconds, pauseMilliseconds } = this.#options;
    const tableClass = table === undefined ? 0 : classOf(table);
    const signal = options.signal ?? never;
    const late = performance.now() + patienceMilliseconds;
    for (let attempt = 1; ; attempt++) {
      const place = await failover.of(tableClass, late - performance.now(), signal);
      const queryId = place.replica.queryId();
      try {
        await this.#send(place.replica, queryId, { sql, settings: settingsOfStatement(options, limits) }, signal);
        if (table !== undefined) {
          freshness.changed(table);
          await this.confirm(table, place, signal);
          if (makesTable(sql)) await this.#made(table, place, signal);
        }
        return place;
      } catch (error) {
        if (table !== undefined) freshness.changed(table);
        if (!(error instanceof EngineError)) throw error;
        // A column that comes back must not be dropped by a statement that was on its way.
        const isDangerous = options.apart === 'narrowing' && error.outcome === 'unknown';
        if (isDangerous && table !== undefined) unheard.add(aboutTable(table), place.replica, queryId);
        const again = cameSecond(error)
          ? attempt <= mostRepeats
          : (saidNothing(error) || isStartedAgain(error)) && error.outcome === 'elsewhere' && performance.now() < late;
        if (!again || signal.aborted) throw error;
      }
      // Others repeat theirs, too.
      await sleep(pauseMilliseconds * attempt * (0.5 + Math.random()), undefined, { signal }).catch(() => undefined);
    }
  }

  /** A table was made at its home, which gets what other replicas may have of it. */
  async #made(table: string, { replica }: Place, signal: AbortSignal): Promise<void> {
    await bringUp(replica, this.#options.database, [table], signal);
    replica.made(table);
  }

  /** Executes on another replica what its home has executed; if it is away, later. */
  async #also(replica: Replica, sql: string, table: string | undefined): Promise<void> {
    const miss = (): void => {
      // Repairs remove it wherever it still is.
      if (removesTable(sql)) return;
      const statements = this.#missed.get(replica) ?? [];
      if (!statements.includes(sql)) statements.push(sql);
      this.#missed.set(replica, statements);
    };
    if (!replica.isReady) return miss();
    try {
      await replica.run(sql);
      if (table !== undefined && makesTable(sql)) replica.made(table);
    } catch (error) {
      miss();
      const reason = error instanceof EngineError ? error.said : String(error);
      this.#options.log('warn', 'a replica could not execute what its home has', { replica: replica.url, reason });
    }
  }

  /**
   * Whoever asks after this sees what was changed: if the table has another home by now, that one
   * is brought up first.
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
    await bringUp(replica, this.#options.database, [table], within).catch((error: unknown) => {
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
   * Sends a change over a connection of its own; an answer is waited for until the replica is lost.
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

/** What was done may be there, whatever went wrong afterwards. */
const asUnknown = (error: unknown): EngineError =>
  new EngineError('unavailable', error instanceof EngineError ? error.detail : String(error), 'unknown');

const makesTable = (sql: string): boolean => sql.startsWith('CREATE TABLE ');
const removesTable = (sql: string): boolean => sql.startsWith('DROP TABLE ');
const never = new AbortController().signal;
const aboutTable = (table: string): string => `table ${table}`;
