import { setTimeout as sleep } from 'node:timers/promises';
import { quoteString } from '@millrace/sql';
import type {
  Engine,
  EngineHealth,
  EngineState,
  ExecuteOptions,
  Insert,
  EngineResult,
  QueryLimits,
  QueryOptions,
  Replication,
} from '../engine.js';
import { EngineError } from '../errors.js';
import type { Log } from '../log.js';
import { ReadyListeners } from '../ready-listeners.js';
import { queryOver, requireStreamable, streamOver } from '../remote-statements.js';
import { RunningRequests } from '../running-requests.js';
import { Changes, isReplicaRestarting, isConnectionError } from './changes.js';
import type { Coordination } from './coordination.js';
import { querySynced, waitForQuorum } from './all-replicas.js';
import { allClasses, Failover, type Place } from './failover.js';
import { type Freshness, ReplicaFreshness, sharedFreshness } from './replica-lag.js';
import { classOf } from './leaders.js';
import { TableRegistry } from './table-registry.js';
import { namedTables } from './named-tables.js';
import { Repair } from './repair.js';
import type { Replica } from './replica.js';
import { syncError, syncReplica } from './sync.js';
import { UnexpectedParts } from './unexpected-parts.js';
import { InDoubtStatements } from './in-doubt-statements.js';
import { findReadOnlyTables } from './read-only-replicas.js';

/** Timing; all are arguments so that tests need not wait. */
export interface ClusterTimes {
  /** Interval between checks of the replicas. */
  readonly watchMilliseconds: number;
  /** After this long without any response a replica counts as unreachable. */
  readonly silentMilliseconds: number;
  /** After this long without an answer about its tables it counts as unreachable too. */
  readonly busyMilliseconds: number;
  /** A leader whose tables are read-only for longer is replaced, if another replica can write. */
  readonly readOnlyMilliseconds: number;
  /**
   * After this long read-only, while other replicas can write, a table is restarted; after twice as
   * long it is rebuilt.
   */
  readonly stuckMilliseconds: number;
  /**
   * A replica that was unreachable becomes leader again after it has been healthy for this long.
   */
  readonly returnMilliseconds: number;
  /** Time limit of one attempt to sync a new leader. */
  readonly syncMilliseconds: number;
  /** How long a statement waits for another leader. */
  readonly patienceMilliseconds: number;
  /** The first pause before a retry. */
  readonly pauseMilliseconds: number;
  /** How long `close` lets running work continue before cancelling it. */
  readonly closeMilliseconds: number;
}

interface ClusterOptions {
  readonly replicas: readonly Replica[];
  readonly agreement: Coordination;
  readonly database: string;
  /** Distinguishes the tables of this owner in Keeper from those of others. */
  readonly ownerId: string;
  readonly limits: QueryLimits | undefined;
  readonly times: ClusterTimes;
  readonly log: Log;
}

/**
 * Several ClickHouse servers with the same tables: one is the leader of each table, and another
 * replaces it when it fails.
 */
export class ClusterEngine implements Engine {
  readonly replication: Replication;
  readonly #options: ClusterOptions;
  readonly #listeners: ReadyListeners;
  readonly #requests = new RunningRequests();
  readonly #registry: TableRegistry;
  readonly #freshness: Freshness;
  readonly #failover: Failover;
  readonly #changes: Changes;
  readonly #repair: Repair;
  readonly #unexpectedParts: UnexpectedParts;
  #timer: NodeJS.Timeout | undefined;
  #checkPromise: Promise<void> | undefined;
  #closePromise: Promise<void> | undefined;
  #state: EngineState = 'starting';
  #since = Date.now();
  #restarts = 0;

  constructor(options: ClusterOptions) {
    this.#options = options;
    const { replicas, agreement, database, ownerId, limits, times, log } = options;
    const { leaders, removedTables: removed } = agreement;
    this.replication = {
      engineOf: ({ table }) =>
        `ReplicatedMergeTree(${quoteString(`/millrace/${ownerId}/{shard}/${table}`)}, '{replica}')`,
      spread: ({ table }, to) => this.#spread(table, to),
      askEach: (sql, options) => this.#askEach(sql, options),
      askMost: ({ table }, sql, options) => this.#askMost(table, sql, options),
    };
    this.#listeners = new ReadyListeners(log);
    this.#registry = new TableRegistry(replicas, removed);
    this.#freshness = agreement.isAlone ? new ReplicaFreshness() : sharedFreshness;
    const tables = (): readonly string[] => [...this.#registry.all];
    const onLeaderReady = (): void => this.#freshness.changedAll(tables());
    const unexpected = new UnexpectedParts({ replicas, database, log });
    this.#unexpectedParts = unexpected;
    this.#failover = new Failover({ ...times, replicas, leaders, unexpected, database, log, tables, onLeaderReady });
    const [failover, freshness, registry, inDoubt] = [
      this.#failover,
      this.#freshness,
      this.#registry,
      new InDoubtStatements(),
    ];
    const parts = { replicas, failover, freshness, registry, inDoubt, unexpected };
    this.#changes = new Changes({ ...parts, ...times, database, limits, log });
    const remade = (replica: Replica): void => {
      this.#freshness.forget(replica.index);
      this.#changes.forget(replica);
    };
    this.#repair = new Repair({ ...times, replicas, agreement, database, log, tables, remade });
  }

  /** Begins to watch the replicas; resolves when each has been checked once. */
  async start(): Promise<void> {
    await this.check();
    const { watchMilliseconds } = this.#options.times;
    this.#timer = setInterval(() => void this.check(), watchMilliseconds).unref();
  }

  query(sql: string, options: QueryOptions): Promise<EngineResult> {
    return this.#track(options.signal, async (signal) => {
      const late = performance.now() + this.#options.times.patienceMilliseconds;
      for (;;) {
        const { replica } = await this.#placeFor(sql, late, signal);
        // The replica may be reachable again by the time of the failure.
        const { lost } = replica;
        try {
          const marks = { queryId: replica.queryId(), signal: AbortSignal.any([signal, lost]) };
          return await queryOver(replica.connection, sql, options, this.#options.limits, marks);
        } catch (error) {
          const isLoss =
            lost.aborted || (error instanceof EngineError && (isConnectionError(error) || isReplicaRestarting(error)));
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
    const { signal, end } = this.#requests.begin(options.signal);
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
    const { replicas, database, times } = this.#options;
    const stuck = findReadOnlyTables(replicas, this.#registry.all, database, times.readOnlyMilliseconds);
    const reason = this.#reason(stuck?.reason);
    return {
      ...(stuck?.areAll === true && { isReadOnly: true }),
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
    return (this.#closePromise ??= this.#close());
  }

  /** Checks all replicas and acts on the result. Never rejects. */
  check(): Promise<void> {
    return (this.#checkPromise ??= this.#check().finally(() => (this.#checkPromise = undefined)));
  }

  async #check(): Promise<void> {
    const { replicas } = this.#options;
    // Tables removed by other processes are loaded before replicas report that they have them.
    await this.#lookForRemoved();
    await Promise.all(replicas.map((replica) => replica.check()));
    await this.#changes.check();
    // Neither delays the next check.
    void this.#repair.check();
    await Promise.race([this.#failover.check(), sleep(this.#options.times.watchMilliseconds)]);
    await this.#judge();
  }

  async #lookForRemoved(): Promise<void> {
    const { agreement, log } = this.#options;
    try {
      await agreement.removedTables.check();
      this.#isBlind = false;
    } catch (error) {
      if (!this.#isBlind) log('warn', 'could not read the list of deleted tables', { reason: String(error) });
      this.#isBlind = true;
    }
  }

  async #judge(): Promise<void> {
    if (this.#state === 'closed') return;
    // While the leaders cannot be read, there are none.
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
  /** Whether the removed tables could not be read. */
  #isBlind = false;

  async #close(): Promise<void> {
    this.#state = 'closed';
    clearInterval(this.#timer);
    await this.#requests.finish(this.#options.times.closeMilliseconds);
    await this.#checkPromise;
    for (const { connection } of this.#options.replicas) connection.close();
  }

  /**
   * Where a query runs: at the leader of the first table it names, which is synced for all others.
   * A query that names none may read all tables.
   */
  async #placeFor(sql: string, late: number, signal: AbortSignal): Promise<Place> {
    const known = this.#registry.all;
    const { tables, isAboutAll } = namedTables(sql, this.#options.database, known);
    const [first] = tables;
    const tableClass = first === undefined ? 0 : classOf(first);
    const place = await this.#failover.of(tableClass, late - performance.now(), signal);
    await this.#bringUp(place.replica, isAboutAll ? [...known] : tables, tableClass, signal);
    return place;
  }

  /** Syncs a replica for tables whose leader is another replica. */
  async #bringUp(replica: Replica, tables: readonly string[], tableClass: number, signal: AbortSignal): Promise<void> {
    const guests = tables.filter((table) => classOf(table) !== tableClass);
    const places = await Promise.all(guests.map((table) => this.#failover.now(classOf(table))));
    const away = guests.filter((_, i) => places[i]?.replica !== replica);
    const stale = this.#freshness.staleAt(replica.index, away);
    if (stale.size === 0) return;
    const { syncMilliseconds } = this.#options.times;
    const within = AbortSignal.any([signal, replica.lost, AbortSignal.timeout(syncMilliseconds)]);
    await syncReplica(replica, this.#options.database, [...stale.keys()], within).catch((error: unknown) => {
      if (signal.aborted || (error instanceof EngineError && error.code === 'unknown-table')) throw error;
      throw syncError(error, replica, within, syncMilliseconds);
    });
    this.#freshness.broughtUp(replica.index, stale);
  }

  async #spread(table: string, to: 'most' | 'all'): Promise<void> {
    this.#requireOpen();
    const { replicas, database, times } = this.#options;
    // `all` needs the leaders, which take inserts; other replicas may lag.
    if (to === 'all')
      for (const tableClass of allClasses)
        if ((await this.#failover.now(tableClass)) === undefined)
          throw new EngineError('unavailable', 'a leader does not answer', 'elsewhere');
    await waitForQuorum(table, { replicas, database, to, milliseconds: times.syncMilliseconds });
  }

  async #askEach(sql: string, options: QueryOptions): Promise<readonly EngineResult[]> {
    const answers = await this.#track(options.signal, (signal) => {
      const ready = this.#options.replicas.filter(({ isReady }) => isReady);
      const requests = ready.map((replica) =>
        this.#askOf(replica, sql, options, signal).catch((error: unknown) => {
          // A replica that is being filled has no table yet.
          if (error instanceof EngineError && error.code === 'unknown-table') return undefined;
          throw error;
        }),
      );
      return Promise.all(requests);
    });
    return answers.filter((answer) => answer !== undefined);
  }

  #askMost(table: string, sql: string, options: QueryOptions): Promise<readonly EngineResult[]> {
    const { replicas, database, times } = this.#options;
    const { syncMilliseconds: milliseconds, patienceMilliseconds } = times;
    const ask = (replica: Replica, signal: AbortSignal): Promise<EngineResult> =>
      this.#askOf(replica, sql, options, signal);
    return this.#track(options.signal, async (signal) => {
      const leader = await this.#failover.of(classOf(table), patienceMilliseconds, signal);
      await this.#unexpectedParts.dropEverywhere(leader.replica, table, signal);
      const max = { replicas, database, to: 'most', milliseconds, signal, including: leader.replica } as const;
      const answers = await querySynced(table, ask, max);
      await this.#changes.confirm(table, leader, signal);
      return answers;
    });
  }

  #askOf(replica: Replica, sql: string, options: QueryOptions, signal: AbortSignal): Promise<EngineResult> {
    const marks = { queryId: replica.queryId(), signal: AbortSignal.any([signal, replica.lost]) };
    return queryOver(replica.connection, sql, options, this.#options.limits, marks);
  }

  #requireOpen(): void {
    if (this.#state === 'closed') throw new EngineError('unavailable', 'the engine is closed', 'elsewhere');
  }

  async #track<T>(outer: AbortSignal | undefined, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    this.#requireOpen();
    return this.#requests.run(outer, work);
  }

  /** Public in the health response, so it names no addresses. */
  #reason(stuck: string | undefined): string | undefined {
    const { replicas } = this.#options;
    const away = replicas.filter(({ state }) => state === 'silent' || state === 'new').length;
    const other = replicas.filter(({ state }) => state === 'empty' || state === 'foreign').length;
    const words = [
      ...(away > 0 ? [`${away} of ${replicas.length} ClickHouse replicas do not answer`] : []),
      ...(other > 0 ? [`${other} of ${replicas.length} ClickHouse replicas do not have the tables`] : []),
    ];
    if (stuck !== undefined) words.push(stuck);
    return words.length === 0 ? undefined : words.join('; ');
  }
}

const noAnswer = (): EngineError => new EngineError('unavailable', 'the replica does not answer any more', 'elsewhere');
