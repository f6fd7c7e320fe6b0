import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '../log.js';
import { EngineError } from '../errors.js';
import { KnownLeaders } from './known-leaders.js';
import { type SelectionOptions, LeaderSelection } from './leader-selection.js';
import { type Leader, type Leaders, tableGroups, type ReachabilityVotes } from './leaders.js';
import type { Replica } from './replica.js';
import { syncReplica } from './sync.js';
import type { UnexpectedParts } from './unexpected-parts.js';

interface FailoverOptions extends SelectionOptions {
  readonly leaders: Leaders;
  readonly unexpected: UnexpectedParts;
  readonly database: string;
  readonly log: Log;
  /** Time limit of one attempt to sync a new leader. */
  readonly syncMilliseconds: number;
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
  readonly #knownLeaders: KnownLeaders;
  readonly #selection: LeaderSelection;
  /** Leaders not yet compared with other replicas to find parts they should not have. */
  readonly #uncomparedLeaders = new Map<number, Replica>();
  #isBlind = false;

  constructor(options: FailoverOptions) {
    this.#options = options;
    this.#knownLeaders = new KnownLeaders(options.leaders);
    this.#selection = new LeaderSelection(options, this.#knownLeaders);
  }

  /**
   * The current leader of a table group, if it answers; undefined while there is none.
   * @throws EngineError `unavailable` when the leader cannot be read
   */
  async now(tableClass: number): Promise<Place | undefined> {
    const leader = await this.#knownLeaders.read(tableClass);
    const replica = leader && this.#selection.replicaByName(leader.replica);
    if (leader?.state !== 'ready' || replica?.isReady !== true) return undefined;
    if (this.#knownLeaders.laterThan(tableClass, leader) !== undefined) return undefined;
    return { replica, generation: leader.generation };
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
    const { leaders, replicas, log } = this.#options;
    const reachable = replicas.filter(({ isReady }) => isReady).map(({ name }) => name);
    try {
      const votes = await leaders.vote(reachable);
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
      const reason = error instanceof EngineError ? error.engineMessage : String(error);
      this.#options.log('warn', 'could not sync a new leader replica; retrying', { class: tableClass, reason });
    } finally {
      this.#busy.delete(tableClass);
      this.#wake();
    }
  }

  async #step(tableClass: number, votes: ReachabilityVotes): Promise<void> {
    const { leaders, log } = this.#options;
    const leader = await this.#knownLeaders.read(tableClass);
    const succession = this.#selection.successor(tableClass, leader, votes);
    if (succession !== undefined) {
      const { next, isReturn } = succession;
      // It syncs while the present leader serves: statements then wait only for newer inserts.
      if (isReturn) await this.#syncReturning(tableClass, next.replica);
      if (!(await leaders.replace(tableClass, leader, next))) return;
      if (leader !== undefined)
        log('warn', 'tables have a new leader replica', { class: tableClass, from: leader.replica, to: next.replica });
      return this.#syncLeader(tableClass, next);
    }
    if (leader?.state === 'syncing') return this.#syncLeader(tableClass, leader);
    const uncompared = this.#uncomparedLeaders.get(tableClass);
    if (uncompared === undefined || !uncompared.isReady) return;
    if (uncompared.name === leader?.replica) await this.#dropUnexpected(tableClass, uncompared);
    else this.#uncomparedLeaders.delete(tableClass);
  }

  /** @throws EngineError */
  async #syncReturning(tableClass: number, name: string): Promise<void> {
    const replica = this.#selection.replicaByName(name);
    if (replica === undefined) return;
    const { database, syncMilliseconds } = this.#options;
    const within = AbortSignal.any([AbortSignal.timeout(syncMilliseconds), replica.lost]);
    await syncReplica(replica, database, this.#selection.tablesOf(tableClass), within);
  }

  async #syncLeader(tableClass: number, leader: Leader): Promise<void> {
    const { leaders, replicas, database, syncMilliseconds, onLeaderReady } = this.#options;
    const replica = this.#selection.replicaByName(leader.replica);
    if (replica?.isReady !== true) return;
    // Since the last check other processes may have created tables.
    const others = replicas.filter((other) => other.isReady && other !== replica);
    const shortly = sleep(othersMilliseconds, undefined, { ref: false });
    const [isRefreshed] = await Promise.all([
      replica.refreshNow(),
      ...others.map((other) => Promise.race([other.refreshNow(), shortly])),
    ]);
    if (!isRefreshed) return;
    const tables = this.#selection.tablesOf(tableClass);
    // It was unreachable when they were created; repairs create them first.
    if (tables.some((table) => !replica.has(table))) return;
    const within = AbortSignal.any([AbortSignal.timeout(syncMilliseconds), replica.lost]);
    await syncReplica(replica, database, tables, within);
    await this.#dropUnexpected(tableClass, replica);
    if (await leaders.replace(tableClass, leader, { ...leader, state: 'ready' })) onLeaderReady();
  }

  /** Never rejects: a leader that may return duplicate rows is better than none. Retried later. */
  async #dropUnexpected(tableClass: number, replica: Replica): Promise<void> {
    const soon = AbortSignal.any([replica.lost, AbortSignal.timeout(unexpectedMilliseconds)]);
    try {
      await this.#options.unexpected.drop(replica, this.#selection.tablesOf(tableClass), soon);
      this.#uncomparedLeaders.delete(tableClass);
    } catch {
      this.#uncomparedLeaders.set(tableClass, replica);
    }
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
