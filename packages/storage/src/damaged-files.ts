import { type Engine, EngineError } from '@millrace/engine';
import { checkFiles, type DamagedPart } from './tables/check-files.js';

/** Whether damaged files are the reason for a failure. */
export const isDamage = (error: unknown): error is EngineError =>
  error instanceof EngineError && error.code === 'corrupt';

/**
 * Remembers datasets whose files a query or the start found damaged. The engine keeps a damaged
 * part among the others, and each query that reads it fails, until the files are put back or the
 * part is removed.
 */
export class DamagedFiles {
  readonly #engine: Engine;
  readonly #exists: (datasetId: number) => boolean;
  readonly #datasetIds = new Set<number>();

  constructor(engine: Engine, exists: (datasetId: number) => boolean) {
    this.#engine = engine;
    this.#exists = exists;
  }

  /** How many datasets have damaged files. */
  get datasets(): number {
    return [...this.#datasetIds].filter(this.#exists).length;
  }

  /** Notes datasets that a start could not read completely. */
  add(datasetIds: readonly number[]): void {
    for (const id of datasetIds) this.#datasetIds.add(id);
  }

  /**
   * Notes the failure of a query, if damaged files are its reason.
   * @param datasetIds the datasets it read; the engine may say which of them
   */
  note(error: unknown, datasetIds: readonly number[]): void {
    if (!isDamage(error)) return;
    const named = Number(/\bd(\d+)\b/.exec(/in table \S+/.exec(error.detail)?.[0] ?? '')?.[1]);
    for (const id of datasetIds.includes(named) ? [named] : datasetIds) this.#datasetIds.add(id);
  }

  /**
   * Reads the files of the datasets that queries found damaged, or of all; returns the damaged
   * parts. A dataset without any is no longer reported.
   */
  async check(all?: readonly number[]): Promise<readonly DamagedPart[]> {
    const candidates = (all ?? [...this.#datasetIds]).filter(this.#exists);
    const damaged = await checkFiles(this.#engine, candidates);
    for (const id of candidates) this.#datasetIds.delete(id);
    for (const { datasetId } of damaged) this.#datasetIds.add(datasetId);
    return damaged;
  }
}
