/**
 * Where the tables of a class are at home: the replica that takes their inserts and answers their
 * queries. Tables are divided into classes by their numbers, so load spreads. All who use the
 * cluster have to agree on the homes, and change them only by comparing first.
 */
export interface Home {
  /** The name of the replica. */
  readonly replica: string;
  /** Rises with each change of the replica. */
  readonly generation: number;
  /**
   * While it is `syncing`, the replica may lack what was acknowledged before it became the home,
   * and answers nothing.
   */
  readonly state: 'syncing' | 'ready';
}

/** How many of the processes that use the cluster hear each replica. */
export interface Votes {
  /** How many processes there are. */
  readonly voters: number;
  for(replica: string): number;
}

export interface Homes {
  /** As it is now, after everything that anybody has changed before this call. */
  read(tableClass: number): Promise<Home | undefined>;
  /** Puts a home in place of the one that was read; returns whether it was still that one. */
  replace(tableClass: number, before: Home | undefined, after: Home): Promise<boolean>;
  /** Says which replicas this process hears, and returns what all say. */
  vote(heard: readonly string[]): Promise<Votes>;
}

/** The same for every number of replicas, so that one can be added while others use the cluster. */
export const tableClasses = 12;

/** The class of a table: its name ends with a number. */
export const classOf = (table: string): number => Number(/\d*$/.exec(table)![0]) % tableClasses;

/**
 * Whether a table is looked at wherever something is inserted: its name has no number. Its own home
 * is that of the first class.
 */
export const isOfAll = (table: string): boolean => !/\d$/.test(table);

/** Replicas in the order in which they are to be the home of a class. */
export const orderOf = (tableClass: number, replicas: number): readonly number[] =>
  Array.from({ length: replicas }, (_, i) => (tableClass + i) % replicas);

/** Where a home is in the order of all homes that a class ever has. */
export const ageOf = ({ generation, state }: Home): number => 2 * generation + (state === 'ready' ? 1 : 0);
