/** Tracks for which tables a replica that is not their leader has to be synced. */
export interface Freshness {
  /** The table was, or may have been, changed at its leader. */
  markChanged(table: string): void;
  /** The leaders of the tables have changed. */
  changedAll(tables: readonly string[]): void;
  /**
   * The tables for which a replica has to be synced, each with the number of its changes so far.
   */
  staleAt(replica: number, tables: readonly string[]): ReadonlyMap<string, number>;
  /** A replica was synced with tables at this number of changes. */
  broughtUp(replica: number, changes: ReadonlyMap<string, number>): void;
  /** Cached knowledge of a replica is void. */
  forget(replica: number): void;
}

/**
 * For a process that alone changes the tables: repeated queries of unchanged tables need no sync.
 */
export class ReplicaFreshness implements Freshness {
  readonly #changes = new Map<string, number>();
  readonly #seenCounts = new Map<string, number>();

  markChanged(table: string): void {
    this.#changes.set(table, this.#of(table) + 1);
  }

  changedAll(tables: readonly string[]): void {
    for (const table of tables) this.markChanged(table);
  }

  staleAt(replica: number, tables: readonly string[]): ReadonlyMap<string, number> {
    const stale = tables.filter((table) => this.#seenCounts.get(`${replica} ${table}`) !== this.#of(table));
    return new Map(stale.map((table) => [table, this.#of(table)]));
  }

  broughtUp(replica: number, changes: ReadonlyMap<string, number>): void {
    for (const [table, count] of changes) this.#seenCounts.set(`${replica} ${table}`, count);
  }

  forget(replica: number): void {
    for (const key of this.#seenCounts.keys()) if (key.startsWith(`${replica} `)) this.#seenCounts.delete(key);
  }

  #of(table: string): number {
    return this.#changes.get(table) ?? 0;
  }
}

/**
 * For tables that other processes change too. Counting their inserts would cost a commit each, so a
 * replica is synced before each query of a table whose leader is another replica.
 */
export const sharedFreshness: Freshness = {
  markChanged: () => undefined,
  changedAll: () => undefined,
  staleAt: (_, tables) => new Map(tables.map((table) => [table, 0])),
  broughtUp: () => undefined,
  forget: () => undefined,
};
