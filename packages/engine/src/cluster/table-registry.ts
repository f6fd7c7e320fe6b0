import { EngineError } from '../errors.js';
import type { RemovedTables } from './coordination.js';
import type { Replica } from './replica.js';

/**
 * The tables that exist: those of the replicas and those created a moment ago, without removed
 * ones.
 */
export class TableRegistry {
  readonly #replicas: readonly Replica[];
  readonly #removedTables: RemovedTables;
  readonly #addTable = new Set<string>();

  constructor(replicas: readonly Replica[], removed: RemovedTables) {
    this.#replicas = replicas;
    this.#removedTables = removed;
  }

  get all(): ReadonlySet<string> {
    const all = new Set(this.#addTable);
    for (const replica of this.#replicas) if (replica.isReady) for (const table of replica.tables) all.add(table);
    for (const table of this.#removedTables.known) {
      this.#addTable.delete(table);
      all.delete(table);
    }
    return all;
  }

  addTable(table: string): void {
    this.#removedTables.addTable(table);
    this.#addTable.add(table);
  }

  /**
   * Resolves when no process will create the table again.
   * @throws EngineError
   */
  async recordRemoval(table: string): Promise<void> {
    try {
      await this.#removedTables.add(table);
    } catch (error) {
      throw new EngineError('unavailable', `a table cannot be removed: ${String(error)}`, 'elsewhere');
    }
  }
}
