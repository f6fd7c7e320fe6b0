import { ConditionTimer } from './condition-timer.js';
import type { KnownLeaders } from './known-leaders.js';
import { classOf, isOfAll, type Leader, orderOf, type ReachabilityVotes } from './leaders.js';
import type { Replica } from './replica.js';

export interface SelectionOptions {
  readonly replicas: readonly Replica[];
  /**
   * A leader whose tables are read-only, or missing, for longer is replaced, if another replica can
   * write.
   */
  readonly readOnlyMilliseconds: number;
  /**
   * A replica that was unreachable becomes leader again after it has been healthy for this long.
   */
  readonly returnMilliseconds: number;
  /** All known tables. */
  readonly tables: () => readonly string[];
}

/** Another leader of a table group. */
interface Succession {
  readonly next: Leader;
  /** Whether the present leader can serve until the next one has everything. */
  readonly isReturn: boolean;
}

/** Decides which replica should lead a table group. */
export class LeaderSelection {
  readonly #options: SelectionOptions;
  readonly #knownLeaders: KnownLeaders;
  readonly #missingSince = new ConditionTimer();

  constructor(options: SelectionOptions, known: KnownLeaders) {
    this.#options = options;
    this.#knownLeaders = known;
  }

  /** The successor of a leader; undefined if the leader may stay. */
  successor(tableClass: number, leader: Leader | undefined, votes: ReachabilityVotes): Succession | undefined {
    // Later leaders were forgotten, so it is unknown what this one lacks.
    const newest = leader && this.#knownLeaders.laterThan(tableClass, leader);
    if (leader !== undefined && newest !== undefined)
      return {
        next: { replica: leader.replica, generation: newest.generation + 1, state: 'syncing' },
        isReturn: false,
      };
    const better = this.#betterReplica(tableClass, leader, votes);
    if (better === undefined) return undefined;
    const current = leader && this.replicaByName(leader.replica);
    return {
      next: { replica: better.name, generation: (leader?.generation ?? 0) + 1, state: 'syncing' },
      isReturn: leader?.state === 'ready' && current !== undefined && this.#isFit(current, this.tablesOf(tableClass)),
    };
  }

  /** Tables that the leader of a group serves. */
  tablesOf(tableClass: number): readonly string[] {
    return this.#options.tables().filter((table) => isOfAll(table) || classOf(table) === tableClass);
  }

  /** Replicas have names as soon as they have answered. */
  replicaByName(name: string): Replica | undefined {
    return this.#options.replicas.find((replica) => replica.name === name);
  }

  /**
   * The replica that should replace the present leader; undefined if that may stay. A leader that
   * this process cannot reach stays unless more processes reach another replica: a process with
   * broken connections must not move leaders for the others.
   */
  #betterReplica(tableClass: number, leader: Leader | undefined, votes: ReachabilityVotes): Replica | undefined {
    const order = this.#preferenceOrder(tableClass);
    const tables = this.tablesOf(tableClass);
    const fit = order.filter((replica) => this.#isFit(replica, tables));
    if (leader === undefined) return maxComplete(fit, tables);
    const current = this.replicaByName(leader.replica);
    if (current?.isReady !== true) return maxComplete(reachableByMore(fit, leader, votes), tables);
    if (!this.#isFit(current, tables)) return maxComplete(fit, tables);
    return this.#returningReplica(tableClass, { leader, current, preferred: order[0], fit, tables, votes });
  }

  /** The preferred replica, once it has been healthy for long enough to lead again. */
  #returningReplica(
    tableClass: number,
    { leader, current, preferred, fit, tables, votes }: ReturnDecision,
  ): Replica | undefined {
    const { replicas, returnMilliseconds } = this.#options;
    // While replicas are being added, processes may prefer different leaders; this keeps them from
    // alternating.
    if (leader.state !== 'ready' || this.#knownLeaders.ageOf(tableClass, leader) < returnMilliseconds) return undefined;
    const isHealthy =
      preferred !== undefined &&
      preferred !== current &&
      replicas.every(({ name }) => name !== '') &&
      fit.includes(preferred) &&
      preferred.readyFor >= returnMilliseconds &&
      votes.for(preferred.name) === votes.voters &&
      tables.every((table) => preferred.hasAll(table));
    return isHealthy ? preferred : undefined;
  }

  /** Sorted by name first: other processes may list the replicas in another order. */
  #preferenceOrder(tableClass: number): readonly Replica[] {
    const named = this.#options.replicas.toSorted((a, b) => (a.name < b.name ? -1 : 1));
    return orderOf(tableClass, named.length).map((index) => named[index]!);
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
}

interface ReturnDecision {
  readonly leader: Leader;
  readonly current: Replica;
  readonly preferred: Replica | undefined;
  readonly fit: readonly Replica[];
  readonly tables: readonly string[];
  readonly votes: ReachabilityVotes;
}

/**
 * Replicas that more processes reach than the leader. Without Keeper no replica can write: a
 * responding one is better than none, but only Keeper tells whether it has everything.
 */
function reachableByMore(fit: readonly Replica[], leader: Leader, votes: ReachabilityVotes): readonly Replica[] {
  const max = Math.max(votes.for(leader.replica) + 1, ...fit.map(({ name }) => votes.for(name)));
  return fit.filter(({ name }) => votes.for(name) === max);
}

/** The first replica that lacks nothing, or else the first. */
const maxComplete = (replicas: readonly Replica[], tables: readonly string[]): Replica | undefined =>
  replicas.find((replica) => tables.every((table) => replica.hasAll(table))) ?? replicas[0];
