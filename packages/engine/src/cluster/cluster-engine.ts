import { setTimeout as sleep } from 'node:timers/promises';
import { quoteString } from '@millrace/sql';
import type {
  Engine,
  EngineHealth,
  EngineState,
  ExecuteOptions,
  Insert,
  QueryAnswer,
  QueryLimits,
  QueryOptions,
  Replication,
} from '../engine.js';
import { EngineError } from '../errors.js';
import type { Log } from '../log.js';
import { ReadyListeners } from '../ready-listeners.js';
import { queryOver, requireStreamable, streamOver } from '../remote-statements.js';
import { RunningRequests } from '../running-requests.js';
import { Changes, isStartedAgain, saidNothing } from './changes.js';
import type { Agreement } from './agreement.js';
import { broughtUp, spread } from './all-replicas.js';
import { allClasses, Failover, type Place } from './failover.js';
import { type Freshness, OwnFreshness, sharedFreshness } from './freshness.js';
import { classOf } from './homes.js';
import { KnownTables } from './known-tables.js';
import { namedTables } from './named-tables.js';
import { Repair } from './repair.js';
import type { Replica } from './replica.js';
import { bringUp } from './sync.js';
import { UnexpectedParts } from './unexpected-parts.js';
import { Unheard } from './unheard.js';
import { unwritable } from './unwritable.js';

/** How long things take; each is an argument so that tests need not wait. */
export interface ClusterTimes {
  /** Between looks at the replicas. */
  readonly watchMilliseconds: number;
  /** After this long without any answer a replica counts as away. */
  readonly silentMilliseconds: number;
  /** After this long without an answer to a question about its tables, too. */
  readonly busyMilliseconds: number;
  /** A home whose tables are read-only for longer is given up, if another replica can write. */
  readonly readOnlyMilliseconds: number;
  /**
   * A table that has been read-only for this long, while others can write, is started again, and
   * after twice as long made anew.
   */
  readonly stuckMilliseconds: number;
  /** A replica that has come back becomes a home again when it has been well for this long. */
  readonly returnMilliseconds: number;
  /** How long one attempt to bring up a new home may take. */
  readonly syncMilliseconds: number;
  /** For how long a statement waits for another home. */
  readonly patienceMilliseconds: number;
  /** The first pause before something is tried again. */
  readonly pauseMilliseconds: number;
  /** How long `close` lets running work continue before cancelling it. */
  readonly closeMilliseconds: number;
}

interface ClusterOptions {
  readonly replicas: readonly Replica[];
  readonly agreement: Agreement;
  readonly database: string;
  /** Tells the tables of this owner in Keeper from those of others. */
  readonly ownerId: string;
  readonly limits: QueryLimits | undefined;
  readonly times: ClusterTimes;
  readonly log: Log;
}

/**
 * Several ClickHouse servers with the same tables: one is the home of each table, another takes its
 * place when it fails.
 */
export class ClusterEngine implements Engine {
  readonly replication: Replication;
  readonly #options: ClusterOptions;
  readonly #listeners: ReadyListeners;
  readonly #running = new RunningRequests();
  readonly #known: KnownTables;
  readonly #freshness: Freshness;
  readonly #failover: Failover;
  readonly #changes: Changes;
  readonly #repair: Repair;
  readonly #unexpected: UnexpectedParts;
  #timer: NodeJS.Timeout | undefined;
  #looking: Promise<void> | undefined;
  #closing: Promise<void> | undefined;
  #state: EngineState = 'starting';
  #since = Date.now();
  #restarts = 0;

  constructor(options: ClusterOptions) {
    this.#options = options;
    const { replicas, agreement, database, ownerId, limits, times, log } = options;
    const { homes, removed } = agreement;
    this.replication = {
      engineOf: ({ table }) =>
        `ReplicatedMergeTree(${quoteString(`/millrace/${ownerId}/{shard}/${table}`)}, '{replica}')`,
      spread: ({ table }, to) => this.#spread(table, to),
      askEach: (sql, asked) => this.#askEach(sql, asked),
      askMost: ({ table }, sql, asked) => this.#askMost(table, sql, asked),
    };
    this.#listeners = new ReadyListeners(log);
    this.#known = new KnownTables(replicas, removed);
    this.#freshness = agreement.isAlone ? new OwnFreshness() : sharedFreshness;
    const tables = (): readonly string[] => [...this.#known.all];
    const settled = (): void => this.#freshness.changedAll(tables());
    const unexpected = new UnexpectedParts({ replicas, database, log });
    this.#unexpected = unexpected;
    this.#failover = new Failover({ ...times, replicas, homes, unexpected, database, log, tables, settled });
    const [failover, freshness, known, unheard] = [this.#failover, this.#freshness, this.#known, new Unheard()];
    const parts = { replicas, failover, freshness, known, unheard, unexpected };
    this.#changes = new Changes({ ...parts, ...times, database, limits, log });
    const remade = (replica: Replica): void => {
      this.#freshness.forget(replica.index);
      this.#changes.forget(replica);
    };
    this.#repair = new Repair({ ...times, replicas, agreement, database, log, tables, remade });
  }

  /** Begins to watch the replicas; resolves when each has been looked at once. */
  async start(): Promise<void> {
    await this.look();
    const { watchMilliseconds } = this.#options.times;
    this.#timer = setInterval(() => void this.look(), watchMilliseconds).unref();
  }

  query(sql: string, options: QueryOptions): Promise<QueryAnswer> {
    return this.#track(options.signal, async (signal) => {
      const late = performance.now() + this.#options.times.patienceMilliseconds;
      for (;;) {
        const { replica } = await this.#placeFor(sql, late, signal);
        // It may have come back by the time of the failure.
        const { lost } = replica;
        try {
          const marks = { queryId: replica.queryId(), signal: AbortSignal.any([signal, lost]) };
          return await queryOver(replica.connection, sql, options, this.#options.limits, marks);
        } catch (error) {
          const isLoss =
            lost.aborted || (error instanceof EngineError && (saidNothing(error) || isStartedAgain(error)));
          if (signal.aborted || !isLoss) throw error;
          if (performance.now() > late) throw noAnswer();
        }
        await sleep(this.#options.times.pauseMilliseconds);
      }
    });
  }

  async *stream(sql: string, options: QueryOptions): AsyncGenerator<Uint8Array> {
    requireStreamable(options);
    this.#requireOpen();
    const { signal, end } = this.#running.begin(options.signal);
    try {
      const late = performance.now() + this.#options.times.patienceMilliseconds;
      const { replica } = await this.#placeFor(sql, late, signal);
      const { lost } = replica;
      const marks = { queryId: replica.queryId(), signal: AbortSignal.any([signal, lost]) };
      try {
        yield* streamOver(replica.connection, sql, options, this.#options.limits, marks);
      } catch (error) {
        throw lost.aborted && !signal.aborted ? noAnswer() : error;
      }
    } finally {
      end();
    }
  }

  execute(sql: string, options: ExecuteOptions = {}): Promise<void> {
    return this.#track(options.signal, (signal) => this.#changes.execute(sql, { ...options, signal }));
  }

  insert(insert: Insert): Promise<void> {
    return this.#track(undefined, (signal) => this.#changes.insert(insert, signal));
  }

  health(): EngineHealth {
    const reason = this.#reason();
    return {
      state: this.#state,
      since: this.#since,
      restarts: this.#restarts,
      ...(reason !== undefined && { reason }),
      memoryBytes: 0,
    };
  }

  onReady(listener: () => void): () => void {
    return this.#listeners.add(listener, this.#state === 'ready');
  }

  close(): Promise<void> {
    return (this.#closing ??= this.#close());
  }

  /** Looks at all replicas and does what follows from it. Never rejects. */
  look(): Promise<void> {
    return (this.#looking ??= this.#look().finally(() => (this.#looking = undefined)));
  }

  async #look(): Promise<void> {
    const { replicas } = this.#options;
    // What another process has removed is known before replicas say that they have it.
    await this.#lookForRemoved();
    await Promise.all(replicas.map((replica) => replica.look()));
    await this.#changes.look();
    // Neither holds up the next look.
    void this.#repair.look();
    await Promise.race([this.#failover.look(), sleep(this.#options.times.watchMilliseconds)]);
    await this.#judge();
  }

  async #lookForRemoved(): Promise<void> {
    const { agreement, log } = this.#options;
    try {
      await agreement.removed.look();
      this.#isBlind = false;
    } catch (error) {
      if (!this.#isBlind) log('warn', 'which tables were removed cannot be read', { reason: String(error) });
      this.#isBlind = true;
    }
  }

  async #judge(): Promise<void> {
    if (this.#state === 'closed') return;
    // While nobody can tell where the homes are, there are none.
    const place = (tableClass: number): Promise<Place | undefined> =>
      this.#failover.now(tableClass).catch(() => undefined);
    const places = await Promise.all(allClasses.map(place));
    const areAll = places.every((place) => place !== undefined);
    const isAny = this.#options.replicas.some(({ isReady }) => isReady);
    const next: EngineState = areAll
      ? 'ready'
      : this.#state === 'starting'
        ? 'starting'
        : isAny
          ? 'restarting'
          : 'down';
    const generation = places.reduce((sum, place) => sum + (place?.generation ?? 0), 0);
    const isNew = next === 'ready' && (this.#state !== 'ready' || generation !== this.#generation);
    if (isNew && this.#state !== 'starting') this.#restarts += 1;
    if (this.#state !== next) this.#since = Date.now();
    this.#state = next;
    if (areAll) this.#generation = generation;
    if (isNew) this.#listeners.tellAll();
  }

  #generation = 0;
  /** Whether it could not be read which tables were removed. */
  #isBlind = false;

  async #close(): Promise<void> {
    this.#state = 'closed';
    clearInterval(this.#timer);
    await this.#running.finish(this.#options.times.closeMilliseconds);
    await this.#looking;
    for (const { connection } of this.#options.replicas) connection.close();
  }

  /**
   * Where a query is asked: at the home of the first table it names, which is brought up for all
   * others. One that names none may be about all.
   */
  async #placeFor(sql: string, late: number, signal: AbortSignal): Promise<Place> {
    const known = this.#known.all;
    const { tables, isAboutAll } = namedTables(sql, this.#options.database, known);
    const [first] = tables;
    const tableClass = first === undefined ? 0 : classOf(first);
    const place = await this.#failover.of(tableClass, late - performance.now(), signal);
    await this.#bringUp(place.replica, isAboutAll ? [...known] : tables, tableClass, signal);
    return place;
  }

  /** Brings up a replica for tables of which it is not the home. */
  async #bringUp(replica: Replica, tables: readonly string[], tableClass: number, signal: AbortSignal): Promise<void> {
    const guests = tables.filter((table) => classOf(table) !== tableClass);
    const places = await Promise.all(guests.map((table) => this.#failover.now(classOf(table))));
    const away = guests.filter((_, i) => places[i]?.replica !== replica);
    const stale = this.#freshness.staleAt(replica.index, away);
    if (stale.size === 0) return;
    const within = AbortSignal.any([signal, replica.lost, AbortSignal.timeout(this.#options.times.syncMilliseconds)]);
    await bringUp(replica, this.#options.database, [...stale.keys()], within).catch((error: unknown) => {
      if (signal.aborted || (error instanceof EngineError && error.code === 'unknown-table')) throw error;
      const why = error instanceof EngineError ? error.detail : String(error);
      throw new EngineError('unavailable', `a replica cannot be brought up: ${why}`, 'elsewhere');
    });
    this.#freshness.broughtUp(replica.index, stale);
  }

  async #spread(table: string, to: 'most' | 'all'): Promise<void> {
    this.#requireOpen();
    const { replicas, database, times } = this.#options;
    // Whoever needs all needs those that take inserts, wherever else something may be missing.
    if (to === 'all')
      for (const tableClass of allClasses)
        if ((await this.#failover.now(tableClass)) === undefined)
          throw new EngineError('unavailable', 'a home does not answer', 'elsewhere');
    await spread(table, { replicas, database, to, milliseconds: times.syncMilliseconds });
  }

  async #askEach(sql: string, options: QueryOptions): Promise<readonly QueryAnswer[]> {
    const answers = await this.#track(options.signal, (signal) => {
      const ready = this.#options.replicas.filter(({ isReady }) => isReady);
      const asked = ready.map((replica) =>
        this.#askOf(replica, sql, options, signal).catch((error: unknown) => {
          // One that is being filled has no table yet.
          if (error instanceof EngineError && error.code === 'unknown-table') return undefined;
          throw error;
        }),
      );
      return Promise.all(asked);
    });
    return answers.filter((answer) => answer !== undefined);
  }

  #askMost(table: string, sql: string, options: QueryOptions): Promise<readonly QueryAnswer[]> {
    const { replicas, database, times } = this.#options;
    const { syncMilliseconds: milliseconds, patienceMilliseconds } = times;
    const ask = (replica: Replica, signal: AbortSignal): Promise<QueryAnswer> =>
      this.#askOf(replica, sql, options, signal);
    return this.#track(options.signal, async (signal) => {
      const home = await this.#failover.of(classOf(table), patienceMilliseconds, signal);
      await this.#unexpected.dropEverywhere(home.replica, table, signal);
      const most = { replicas, database, to: 'most', milliseconds, signal, including: home.replica } as const;
      const answers = await broughtUp(table, ask, most);
      await this.#changes.confirm(table, home, signal);
      return answers;
    });
  }

  #askOf(replica: Replica, sql: string, options: QueryOptions, signal: AbortSignal): Promise<QueryAnswer> {
    const marks = { queryId: replica.queryId(), signal: AbortSignal.any([signal, replica.lost]) };
    return queryOver(replica.connection, sql, options, this.#options.limits, marks);
  }

  #requireOpen(): void {
    if (this.#state === 'closed') throw new EngineError('unavailable', 'the engine is closed', 'elsewhere');
  }

  async #track<T>(outer: AbortSignal | undefined, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    this.#requireOpen();
    return this.#running.during(outer, work);
  }

  /** Shown to everybody who asks for the health, so it names no addresses. */
  #reason(): string | undefined {
    const { replicas, database, times } = this.#options;
    const away = replicas.filter(({ state }) => state === 'silent' || state === 'new').length;
    const other = replicas.filter(({ state }) => state === 'empty' || state === 'foreign').length;
    const words = [
      ...(away > 0 ? [`${away} of ${replicas.length} ClickHouse replicas do not answer`] : []),
      ...(other > 0 ? [`${other} of ${replicas.length} ClickHouse replicas do not have the tables`] : []),
    ];
    const stuck = unwritable(replicas, this.#known.all, database, times.readOnlyMilliseconds);
    if (stuck !== undefined) words.push(stuck);
    return words.length === 0 ? undefined : words.join('; ');
  }
}

const noAnswer = (): EngineError => new EngineError('unavailable', 'the replica does not answer any more', 'elsewhere');
