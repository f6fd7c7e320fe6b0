import { EngineError } from '../errors.js';
import type { RemovedTables } from './agreement.js';
import type { Replica } from './replica.js';

/**
 * The tables that there are: those that replicas have, and those that were made a moment ago;
 * without those that were removed.
 */
export class KnownTables {
  readonly #replicas: readonly Replica[];
  readonly #removed: RemovedTables;
  readonly #made = new Set<string>();

  constructor(replicas: readonly Replica[], removed: RemovedTables) {
    this.#replicas = replicas;
    this.#removed = removed;
  }

  get all(): ReadonlySet<string> {
    const all = new Set(this.#made);
    for (const replica of this.#replicas) if (replica.isReady) for (const table of replica.tables) all.add(table);
    for (const table of this.#removed.known) {
      this.#made.delete(table);
      all.delete(table);
    }
    return all;
  }

  made(table: string): void {
    this.#removed.made(table);
    this.#made.add(table);
  }

  /**
   * Resolved when nobody makes it again.
   * @throws EngineError
   */
  async removed(table: string): Promise<void> {
    try {
      await this.#removed.add(table);
    } catch (error) {
      throw new EngineError('unavailable', `a table cannot be removed: ${String(error)}`, 'elsewhere');
    }
  }
}
