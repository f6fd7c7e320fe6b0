/** Which tables a replica that is not their home has to be brought up for. */
export interface Freshness {
  /** Something of the table was, or may have been, changed at its home. */
  changed(table: string): void;
  /** Their homes have changed. */
  changedAll(tables: readonly string[]): void;
  /**
   * Those of the tables that a replica has to be brought up for, each with the number of its
   * changes so far.
   */
  staleAt(replica: number, tables: readonly string[]): ReadonlyMap<string, number>;
  /** A replica has tables as they were after so many changes. */
  broughtUp(replica: number, changes: ReadonlyMap<string, number>): void;
  /** Nothing is known of a replica any more. */
  forget(replica: number): void;
}

/** What a process knows that changes the tables alone: who asks the same again need not wait. */
export class OwnFreshness implements Freshness {
  readonly #changes = new Map<string, number>();
  readonly #seen = new Map<string, number>();

  changed(table: string): void {
    this.#changes.set(table, this.#of(table) + 1);
  }

  changedAll(tables: readonly string[]): void {
    for (const table of tables) this.changed(table);
  }

  staleAt(replica: number, tables: readonly string[]): ReadonlyMap<string, number> {
    const stale = tables.filter((table) => this.#seen.get(`${replica} ${table}`) !== this.#of(table));
    return new Map(stale.map((table) => [table, this.#of(table)]));
  }

  broughtUp(replica: number, changes: ReadonlyMap<string, number>): void {
    for (const [table, count] of changes) this.#seen.set(`${replica} ${table}`, count);
  }

  forget(replica: number): void {
    for (const key of this.#seen.keys()) if (key.startsWith(`${replica} `)) this.#seen.delete(key);
  }

  #of(table: string): number {
    return this.#changes.get(table) ?? 0;
  }
}

/**
 * Where other processes change tables too. Nobody counts their inserts, which would cost each of
 * them a commit, so a replica is brought up with every question about a table that has its home
 * elsewhere.
 */
export const sharedFreshness: Freshness = {
  changed: () => undefined,
  changedAll: () => undefined,
  staleAt: (_, tables) => new Map(tables.map((table) => [table, 0])),
  broughtUp: () => undefined,
  forget: () => undefined,
};
