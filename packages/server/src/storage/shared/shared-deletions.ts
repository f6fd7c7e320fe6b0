import { type Engine, EngineError } from '@millrace/engine';
import type { TurnsFor } from '../../async/one-by-one.js';
import type { DatasetRef } from '../../metadata/datasets.js';
import { type EventStorage, needsLog } from '../event-storage.js';
import type { StoredDataset } from '../fields/dataset.js';
import {
  countMatching,
  deleteMatching,
  giveUpFailed,
  type Matching,
  type QueriedEvents,
} from '../tables/delete-matching.js';
import { deleteOlder, dropOlderPartitions } from '../tables/delete-older.js';

interface SharedDeletionsDependencies {
  readonly engine: Engine;
  /** Among all processes: in the engine, dropping a partition ends a running deletion. */
  readonly turns: TurnsFor<string>;
  readonly datasets: ReadonlyMap<number, StoredDataset>;
}

/** Above every position. */
const everything = 2n ** 63n - 1n;

/**
 * Deletes where other processes put events into the engine meanwhile. No log could bring a row
 * back, so whatever is there when the engine begins may go: also events that match and were
 * acknowledged while the deletion ran.
 */
export class SharedDeletions implements Readonly<EventStorage['deletions']> {
  readonly #deps: SharedDeletionsDependencies;

  constructor(deps: SharedDeletionsDependencies) {
    this.#deps = deps;
  }

  trim(dataset: DatasetRef, olderThan: bigint): Promise<number> {
    return this.expire(dataset, () => olderThan);
  }

  expire({ datasetId }: DatasetRef, olderThan: () => bigint | undefined): Promise<number> {
    const { engine } = this.#deps;
    return this.#inTurn(datasetId, 0, async () => {
      const time = olderThan();
      if (time === undefined) return 0;
      const whole = await dropOlderPartitions(engine, datasetId, time, everything);
      return whole + (await deleteOlder(engine, datasetId, time, everything));
    });
  }

  matching({ datasetId }: DatasetRef, events: QueriedEvents, commit: boolean): Promise<Matching> {
    const { engine } = this.#deps;
    if (!commit) return countMatching(engine, events, { bounds: {} });
    return this.#inTurn(datasetId, { rows: 0 }, async () => {
      const within = { upTo: everything, bounds: {} };
      const found = await countMatching(engine, events, within);
      if (found.rows > 0) await deleteMatching(engine, datasetId, events, within);
      return found;
    });
  }

  /**
   * @throws HttpError `needs-a-log`: another process may be about to fill a column that is empty
   */
  vacuum(): Promise<readonly string[]> {
    return Promise.reject(needsLog('vacuum'));
  }

  /**
   * @param none the result when the dataset does not exist, or no longer exists when its turn has
   * come
   */
  async #inTurn<T>(datasetId: number, none: T, work: () => Promise<T>): Promise<T> {
    const { engine, turns, datasets } = this.#deps;
    if (!datasets.has(datasetId)) return none;
    return turns.run(String(datasetId), async () => {
      const dataset = datasets.get(datasetId);
      if (dataset === undefined) return none;
      try {
        await giveUpFailed(engine, datasetId);
        return await work();
      } catch (error) {
        if (error instanceof EngineError && !datasets.has(datasetId))
          throw new EngineError('unknown-table', error.detail);
        throw error;
      } finally {
        dataset.changed();
      }
    });
  }
}
