/**
 * Where the tables of a class are at home: the replica that takes their inserts and answers their
 * queries. Tables are divided into as many classes as there are replicas, by their numbers, so load
 * spreads. All who use the cluster have to agree on the homes, and change them only by comparing
 * first.
 */
export interface Home {
  readonly replica: number;
  /** Rises with each change of the replica. */
  readonly generation: number;
  /**
   * While it is `syncing`, the replica may lack what was acknowledged before it became the home,
   * and answers nothing.
   */
  readonly state: 'syncing' | 'ready';
}

export interface Homes {
  read(tableClass: number): Promise<Home | undefined>;
  /** Puts a home in place of the one that was read; returns whether it was still that one. */
  replace(tableClass: number, before: Home | undefined, after: Home): Promise<boolean>;
}

/** Homes that only this process uses. */
export class HomesInMemory implements Homes {
  readonly #homes = new Map<number, Home>();

  read(tableClass: number): Promise<Home | undefined> {
    return Promise.resolve(this.#homes.get(tableClass));
  }

  replace(tableClass: number, before: Home | undefined, after: Home): Promise<boolean> {
    const now = this.#homes.get(tableClass);
    const isSame = now?.generation === before?.generation && now?.state === before?.state;
    if (isSame) this.#homes.set(tableClass, after);
    return Promise.resolve(isSame);
  }
}

/** The class of a table: its name ends with a number. */
export const classOf = (table: string, replicas: number): number => Number(/\d*$/.exec(table)![0]) % replicas;

/** Replicas in the order in which they are to be the home of a class. */
export const orderOf = (tableClass: number, replicas: number): readonly number[] =>
  Array.from({ length: replicas }, (_, i) => (tableClass + i) % replicas);
