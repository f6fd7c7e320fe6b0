import type { Settings } from '@millrace/engine';
import { type Arrived, hasArrived, onlyWhere } from '../questions.js';

/**
 * Asks about datasets where other processes put events into the engine too: whatever is there was
 * acknowledged, or is about to be. Events of one request that lie in several partitions are seen
 * partition by partition, unless only those up to a settled position are asked for.
 */
export class SharedQuestions {
  readonly #settled: (datasetIds: readonly number[]) => bigint;

  /** @param settled the position up to which nothing is under way, as it was known last */
  constructor(settled: (datasetIds: readonly number[]) => bigint) {
    this.#settled = settled;
  }

  ask<T>(
    datasetIds: readonly number[],
    question: (settings: Settings, began: (at: number) => void) => Promise<T>,
    arrived?: Arrived,
  ): Promise<T> {
    return question(this.bounds(datasetIds, arrived), () => undefined);
  }

  bounds(datasetIds: readonly number[], arrived?: Arrived): Readonly<Record<string, string>> {
    if (arrived === undefined) return {};
    return onlyWhere(datasetIds.map((id) => [id, hasArrived(arrived)]));
  }

  settled(datasetIds: readonly number[]): bigint {
    return this.#settled(datasetIds);
  }

  /** What was refused was told to whoever sent it, and never comes. */
  held(): readonly bigint[] {
    return [];
  }
}
