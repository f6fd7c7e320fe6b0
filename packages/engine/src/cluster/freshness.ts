/**
 * Which tables have changed since a replica that is not their home was last brought up. It knows
 * the changes of this process alone; who shares the cluster with others brings replicas up every
 * time.
 */
export class Freshness {
  readonly #changes = new Map<string, number>();
  readonly #seen = new Map<string, number>();

  /** Something of the table was, or may have been, changed at its home. */
  changed(table: string): void {
    this.#changes.set(table, this.of(table) + 1);
  }

  /** Their homes have changed. */
  changedAll(tables: readonly string[]): void {
    for (const table of tables) this.changed(table);
  }

  of(table: string): number {
    return this.#changes.get(table) ?? 0;
  }

  /** Those of the tables that a replica has to be brought up for. */
  staleAt(replica: number, tables: readonly string[]): readonly string[] {
    return tables.filter((table) => this.#seen.get(`${replica} ${table}`) !== this.of(table));
  }

  /** A replica has a table as it was after a number of changes. */
  broughtUp(replica: number, table: string, changes: number): void {
    this.#seen.set(`${replica} ${table}`, changes);
  }

  /** Nothing is known of a replica any more. */
  forget(replica: number): void {
    for (const key of this.#seen.keys()) if (key.startsWith(`${replica} `)) this.#seen.delete(key);
  }
}
