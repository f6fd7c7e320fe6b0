/**
 * The leader of a table group: the replica that takes the inserts and queries of its tables. Tables
 * are divided into groups by their numbers, which spreads load. All processes that use the cluster
 * share the leaders, and change them only by compare-and-set.
 */
export interface Leader {
  /** The name of the replica. */
  readonly replica: string;
  /** Rises with each change of the replica. */
  readonly generation: number;
  /**
   * While it is `syncing`, the replica may lack what was acknowledged before it became the leader,
   * and serves nothing.
   */
  readonly state: 'syncing' | 'ready';
}

/** How many processes reach each replica. */
export interface ReachabilityVotes {
  /** Number of processes. */
  readonly voters: number;
  for(replica: string): number;
}

export interface Leaders {
  /** The current leader, including all changes made before this call. */
  read(tableClass: number): Promise<Leader | undefined>;
  /** Replaces the leader if it is still `before`; returns whether it was. */
  replace(tableClass: number, before: Leader | undefined, after: Leader): Promise<boolean>;
  /** Reports which replicas this process reaches, and returns the reports of all. */
  vote(reachable: readonly string[]): Promise<ReachabilityVotes>;
}

/** Independent of the number of replicas, so that one can be added while others use the cluster. */
export const tableGroups = 12;

/** The group of a table, from the number at the end of its name. */
export const classOf = (table: string): number => Number(/\d*$/.exec(table)![0]) % tableGroups;

/**
 * Whether inserts of all groups read the table: its name has no number. Its leader is the leader of
 * the first group.
 */
export const isOfAll = (table: string): boolean => !/\d$/.test(table);

/** Replicas in order of preference as the leader of a group. */
export const orderOf = (tableClass: number, replicas: number): readonly number[] =>
  Array.from({ length: replicas }, (_, i) => (tableClass + i) % replicas);

/** Position of a leader in the order of all leaders of its group. */
export const ageOf = ({ generation, state }: Leader): number => 2 * generation + (state === 'ready' ? 1 : 0);
