import type { Settings } from '@millrace/engine';
import { needsLog } from '../event-storage.js';
import { type Arrived, hasArrived, onlyWhere } from '../questions.js';

/**
 * Asks about datasets where other processes put events into the engine too: whatever is there was
 * acknowledged, or is about to be. Events of one request that lie in several partitions are seen
 * partition by partition.
 */
export class SharedQuestions {
  ask<T>(
    datasetIds: readonly number[],
    question: (settings: Settings, began: (at: number) => void) => Promise<T>,
    arrived?: Arrived,
  ): Promise<T> {
    return question(this.bounds(datasetIds, arrived), () => undefined);
  }

  /** @throws HttpError `needs-a-log` for positions: they say nothing about what came first */
  bounds(datasetIds: readonly number[], arrived?: Arrived): Readonly<Record<string, string>> {
    if (arrived === undefined) return {};
    const { by } = arrived;
    if (by === undefined || Object.keys(arrived).length > 1) throw needsLog('order in which events arrived');
    return onlyWhere(datasetIds.map((id) => [id, hasArrived({ by })]));
  }

  settled(): undefined {
    return undefined;
  }

  held(): readonly bigint[] {
    return [];
  }
}
