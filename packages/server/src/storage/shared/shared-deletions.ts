import { type Engine, EngineError } from '@millrace/engine';
import type { TurnsFor } from '../../async/one-by-one.js';
import type { DatasetRef } from '../../metadata/datasets.js';
import { type EventStorage, needsLog } from '../event-storage.js';
import type { StoredDataset } from '../fields/dataset.js';
import type { FieldStore } from '../fields/field-store.js';
import {
  countMatching,
  deleteMatching,
  giveUpFailed,
  type Matching,
  type QueriedEvents,
} from '../tables/delete-matching.js';
import { deleteOlder, dropOlderPartitions } from '../tables/delete-older.js';
import { deleteReplicated } from '../tables/delete-replicated.js';
import type { SharedAccounts } from './shared-accounts.js';

interface SharedDeletionsDependencies {
  readonly engine: Engine;
  /** Among all processes: in the engine, dropping a partition ends a running deletion. */
  readonly turns: TurnsFor<string>;
  readonly datasets: ReadonlyMap<number, StoredDataset>;
  readonly fieldStore: Pick<FieldStore, 'checkpoint'>;
  readonly accounts: Pick<SharedAccounts, 'settle'>;
  /** The highest position that was given to anybody. */
  readonly given: () => Promise<bigint>;
}

/**
 * Deletes where other processes put events into the engine meanwhile: only what came with positions
 * that were given before. How far a deletion may reach is written down first, because a recount
 * must not miss what was deleted on purpose.
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
    const { engine, fieldStore, given } = this.#deps;
    return this.#inTurn(datasetId, 0, async () => {
      const time = olderThan();
      if (time === undefined) return 0;
      const upTo = await given();
      await fieldStore.checkpoint(datasetId, upTo);
      const whole = await dropOlderPartitions(engine, datasetId, time, upTo);
      return whole + (await deleteOlder(engine, datasetId, time, upTo));
    });
  }

  matching({ datasetId }: DatasetRef, events: QueriedEvents, commit: boolean): Promise<Matching> {
    const { engine, fieldStore, accounts } = this.#deps;
    if (!commit) return countMatching(engine, events, { bounds: {} });
    return this.#inTurn(datasetId, { rows: 0 }, async () => {
      // What was acknowledged is in, and nothing more comes below: exactly what is counted goes.
      const upTo = await accounts.settle([datasetId]);
      await fieldStore.checkpoint(datasetId, upTo);
      const within = { upTo, bounds: {} };
      const found = await countMatching(engine, events, within);
      if (found.rows === 0) return found;
      if (engine.replication === undefined) await deleteMatching(engine, datasetId, events, within);
      else await deleteReplicated(engine, datasetId, events, { ...within, rows: found.rows });
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
