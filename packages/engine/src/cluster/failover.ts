import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '../log.js';
import { EngineError } from '../errors.js';
import {
  ageOf,
  classOf,
  type Leader,
  type Leaders,
  isOfAll,
  orderOf,
  tableGroups,
  type ReachabilityVotes,
} from './leaders.js';
import { Lasting } from './condition-timer.js';
import type { Replica } from './replica.js';
import { syncReplica } from './sync.js';
import type { UnexpectedParts } from './unexpected-parts.js';

interface FailoverOptions {
  readonly replicas: readonly Replica[];
  readonly homes: Leaders;
  readonly unexpected: UnexpectedParts;
  readonly database: string;
  readonly log: Log;
  /**
   * A leader whose tables are read-only, or missing, for longer is replaced, if another replica can
   * write.
   */
  readonly readOnlyMilliseconds: number;
  /**
   * A replica that was unreachable becomes leader again after it has been healthy for this long.
   */
  readonly returnMilliseconds: number;
  /** Time limit of one attempt to sync a new leader. */
  readonly syncMilliseconds: number;
  /** All known tables. */
  readonly tables: () => readonly string[];
  /** Called when a table group has a leader again. */
  readonly onLeaderReady: () => void;
}

/** The replica that currently serves the tables of a group. */
export interface Place {
  readonly replica: Replica;
  readonly generation: number;
}

/**
 * Time limit for replicas other than a new leader to report their tables: one of those may hang,
 * too.
 */
const othersMilliseconds = 1000;
/** Time limit for other replicas to report which parts a new leader should not have. */
const unexpectedMilliseconds = 3000;

export const allClasses: readonly number[] = Array.from({ length: tableGroups }, (_, tableClass) => tableClass);

/**
 * Chooses the leader replica of each table group and replaces it when it fails. A new leader
 * returns results only once it has everything that was acknowledged: before an insert is
 * acknowledged, the leader is checked again, so the insert was in Keeper's log before a later
 * leader was synced.
 */
export class Failover {
  readonly #options: FailoverOptions;
  readonly #waiters = new Set<() => void>();
  /** Groups being checked. */
  readonly #busy = new Set<number>();
  /** The latest leaders that were read. */
  readonly #newest = new Map<number, Leader>();
  readonly #missingSince = new Lasting();
  /** Since when groups have had their leaders, on the monotonic clock. */
  readonly #since = new Map<number, { readonly age: number; readonly at: number }>();
  /** Leaders not yet compared with other replicas to find parts they should not have. */
  readonly #uncompared = new Map<number, Replica>();
  #isBlind = false;

  constructor(options: FailoverOptions) {
    this.#options = options;
  }

  /**
   * The current leader of a table group, if it answers; undefined while there is none.
   * @throws EngineError `unavailable` when the leader cannot be read
   */
  async now(tableClass: number): Promise<Place | undefined> {
    const home = await this.#read(tableClass);
    const replica = home && this.#replicaByName(home.replica);
    if (home?.state !== 'ready' || replica?.isReady !== true || this.#isOld(tableClass, home)) return undefined;
    return { replica, generation: home.generation };
  }

  /**
   * The leader of a group, once there is one.
   * @throws EngineError `unavailable` when there is none for too long, `cancelled`
   */
  async of(tableClass: number, milliseconds: number, signal?: AbortSignal): Promise<Place> {
    const deadline = performance.now() + milliseconds;
    for (;;) {
      if (signal?.aborted === true) throw new EngineError('cancelled', '', 'elsewhere');
      const changed = this.#change(deadline - performance.now(), signal);
      const place = await this.now(tableClass);
      if (place !== undefined) return place;
      if (performance.now() >= deadline) throw new EngineError('unavailable', 'no replica is available', 'elsewhere');
      await changed;
    }
  }

  /**
   * Checks each group: elects a leader, another one if that fails, and the preferred one when it is
   * back. Never rejects.
   */
  async check(): Promise<void> {
    const { homes, replicas, log } = this.#options;
    const heard = replicas.filter(({ isReady }) => isReady).map(({ name }) => name);
    try {
      const votes = await homes.vote(heard);
      this.#isBlind = false;
      await Promise.all(allClasses.map((tableClass) => this.#checkGroup(tableClass, votes)));
    } catch (error) {
      if (!this.#isBlind) log('warn', 'could not read the leaders of tables', { reason: String(error) });
      this.#isBlind = true;
    }
  }

  /** Never rejects. A group whose leader is being synced does not delay the others. */
  async #checkGroup(tableClass: number, votes: ReachabilityVotes): Promise<void> {
    if (this.#busy.has(tableClass)) return;
    this.#busy.add(tableClass);
    try {
      await this.#step(tableClass, votes);
    } catch (error) {
      const reason = error instanceof EngineError ? error.said : String(error);
      this.#options.log('warn', 'could not sync a new leader replica; retrying', { class: tableClass, reason });
    } finally {
      this.#busy.delete(tableClass);
      this.#wake();
    }
  }

  async #step(tableClass: number, votes: ReachabilityVotes): Promise<void> {
    const { homes, log } = this.#options;
    const home = await this.#read(tableClass);
    const next = this.#next(tableClass, home, votes);
    if (next !== undefined) {
      if (!(await homes.replace(tableClass, home, next))) return;
      if (home !== undefined)
        log('warn', 'tables have a new leader replica', { class: tableClass, from: home.replica, to: next.replica });
      return this.#syncLeader(tableClass, next);
    }
    if (home?.state === 'syncing') return this.#syncLeader(tableClass, home);
    const uncompared = this.#uncompared.get(tableClass);
    if (uncompared === undefined || !uncompared.isReady) return;
    if (uncompared.name === home?.replica) await this.#dropUnexpected(tableClass, uncompared);
    else this.#uncompared.delete(tableClass);
  }

  /** The successor of a leader; undefined if the leader may stay. */
  #next(tableClass: number, home: Leader | undefined, votes: ReachabilityVotes): Leader | undefined {
    // Later leaders were forgotten, so it is unknown what this one lacks.
    if (home !== undefined && this.#isOld(tableClass, home)) {
      const { generation } = this.#newest.get(tableClass)!;
      return { replica: home.replica, generation: generation + 1, state: 'syncing' };
    }
    const better = this.#better(tableClass, home, votes);
    return better && { replica: better.name, generation: (home?.generation ?? 0) + 1, state: 'syncing' };
  }

  async #syncLeader(tableClass: number, home: Leader): Promise<void> {
    const { homes, replicas, database, syncMilliseconds, onLeaderReady } = this.#options;
    const replica = this.#replicaByName(home.replica);
    if (replica?.isReady !== true) return;
    // Since the last check other processes may have created tables.
    const others = replicas.filter((other) => other.isReady && other !== replica);
    const shortly = sleep(othersMilliseconds, undefined, { ref: false });
    const [told] = await Promise.all([
      replica.refreshNow(),
      ...others.map((other) => Promise.race([other.refreshNow(), shortly])),
    ]);
    if (!told) return;
    const tables = this.#tablesOf(tableClass);
    // It was unreachable when they were created; repairs create them first.
    if (tables.some((table) => !replica.has(table))) return;
    const within = AbortSignal.any([AbortSignal.timeout(syncMilliseconds), replica.lost]);
    await syncReplica(replica, database, tables, within);
    await this.#dropUnexpected(tableClass, replica);
    if (await homes.replace(tableClass, home, { ...home, state: 'ready' })) onLeaderReady();
  }

  /** Never rejects: a leader that may return duplicate rows is better than none. Retried later. */
  async #dropUnexpected(tableClass: number, replica: Replica): Promise<void> {
    const soon = AbortSignal.any([replica.lost, AbortSignal.timeout(unexpectedMilliseconds)]);
    try {
      await this.#options.unexpected.drop(replica, this.#tablesOf(tableClass), soon);
      this.#uncompared.delete(tableClass);
    } catch {
      this.#uncompared.set(tableClass, replica);
    }
  }

  /**
   * The replica that should replace the present leader; undefined if that may stay. A leader that
   * this process cannot reach stays unless more processes reach another replica: a process with
   * broken connections must not move leaders for the others.
   */
  #better(tableClass: number, home: Leader | undefined, votes: ReachabilityVotes): Replica | undefined {
    const { replicas, returnMilliseconds } = this.#options;
    // Sorted by name: other processes may list the replicas in another order.
    const named = replicas.toSorted((a, b) => (a.name < b.name ? -1 : 1));
    const order = orderOf(tableClass, replicas.length).map((index) => named[index]!);
    const tables = this.#tablesOf(tableClass);
    const fit = order.filter((replica) => this.#isFit(replica, tables));
    if (home === undefined) return this.#mostComplete(fit, tables);
    const current = this.#replicaByName(home.replica);
    if (current?.isReady !== true) {
      // Without Keeper no replica can write. A responding one is better than none, but only Keeper
      // tells whether it has everything.
      const max = Math.max(votes.for(home.replica) + 1, ...fit.map(({ name }) => votes.for(name)));
      return this.#mostComplete(
        fit.filter(({ name }) => votes.for(name) === max),
        tables,
      );
    }
    if (!this.#isFit(current, tables)) return this.#mostComplete(fit, tables);
    // While replicas are being added, processes may prefer different leaders; this keeps them from
    // alternating.
    if (home.state !== 'ready' || this.#leaderAge(tableClass, home) < returnMilliseconds) return undefined;
    const [wanted] = order;
    const isWell =
      wanted !== undefined &&
      wanted !== current &&
      replicas.every(({ name }) => name !== '') &&
      fit.includes(wanted) &&
      wanted.readyFor >= returnMilliseconds &&
      votes.for(wanted.name) === votes.voters &&
      tables.every((table) => wanted.hasAll(table));
    return isWell ? wanted : undefined;
  }

  /** How long this process has seen the group with this leader, milliseconds. */
  #leaderAge(tableClass: number, home: Leader): number {
    const age = ageOf(home);
    const since = this.#since.get(tableClass);
    if (since?.age === age) return performance.now() - since.at;
    this.#since.set(tableClass, { age, at: performance.now() });
    return 0;
  }

  /** The first replica that lacks nothing, or else the first. */
  #mostComplete(replicas: readonly Replica[], tables: readonly string[]): Replica | undefined {
    return replicas.find((replica) => tables.every((table) => replica.hasAll(table))) ?? replicas[0];
  }

  /** Whether it answers, has the tables, and can write to them. */
  #isFit(replica: Replica, tables: readonly string[]): boolean {
    const { readOnlyMilliseconds } = this.#options;
    return (
      replica.isReady &&
      tables.every(
        (table) =>
          // Replicas are not queried at the same moment: one that seems to lack a table may be
          // about to have it.
          this.#missingSince.for(`${replica.name} ${table}`, !replica.has(table)) < readOnlyMilliseconds &&
          replica.readOnlyFor(table) < readOnlyMilliseconds,
      )
    );
  }

  #tablesOf(tableClass: number): readonly string[] {
    return this.#options.tables().filter((table) => isOfAll(table) || classOf(table) === tableClass);
  }

  /** Replicas have names as soon as they have answered. */
  #replicaByName(name: string): Replica | undefined {
    return this.#options.replicas.find((replica) => replica.name === name);
  }

  /** @throws EngineError */
  async #read(tableClass: number): Promise<Leader | undefined> {
    try {
      const home = await this.#options.homes.read(tableClass);
      const newest = this.#newest.get(tableClass);
      if (home !== undefined && (newest === undefined || ageOf(home) > ageOf(newest)))
        this.#newest.set(tableClass, home);
      return home;
    } catch (error) {
      throw new EngineError('unavailable', `could not read the leader of a table: ${String(error)}`, 'elsewhere');
    }
  }

  /**
   * Whether the group has had a later leader: the database with the leaders was restored from a
   * backup.
   */
  #isOld(tableClass: number, home: Leader): boolean {
    const newest = this.#newest.get(tableClass);
    return newest !== undefined && ageOf(home) < ageOf(newest);
  }

  #wake(): void {
    for (const wake of this.#waiters) wake();
  }

  /** Resolves after the next change, or after a time. */
  #change(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve) => {
      const over = (): void => {
        clearTimeout(late);
        this.#waiters.delete(over);
        signal?.removeEventListener('abort', over);
        resolve();
      };
      const late = setTimeout(over, Math.max(0, milliseconds));
      this.#waiters.add(over);
      signal?.addEventListener('abort', over, { once: true });
    });
  }
}
