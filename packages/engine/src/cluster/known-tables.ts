import type { Replica } from './replica.js';

/**
 * The tables that there are: those that replicas have, and those that were made a moment ago;
 * without those that were removed.
 */
export class KnownTables {
  readonly #replicas: readonly Replica[];
  readonly #made = new Set<string>();
  readonly #removed = new Set<string>();

  constructor(replicas: readonly Replica[]) {
    this.#replicas = replicas;
  }

  get all(): ReadonlySet<string> {
    const all = new Set(this.#made);
    for (const replica of this.#replicas) if (replica.isReady) for (const table of replica.tables) all.add(table);
    for (const table of this.#removed) all.delete(table);
    return all;
  }

  made(table: string): void {
    this.#removed.delete(table);
    this.#made.add(table);
  }

  removed(table: string): void {
    this.#made.delete(table);
    this.#removed.add(table);
  }
}
