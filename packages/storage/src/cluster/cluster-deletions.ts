import { type Engine, EngineError } from '@millrace/engine';
import type { KeyedLock } from '@millrace/runtime/async/mutex';
import type { DatasetRef } from '@millrace/metadata/datasets';
import { type EventStorage, needsLog } from '../event-storage.js';
import type { StoredDataset } from '../fields/dataset.js';
import type { FieldStore } from '../fields/field-store.js';
import {
  countMatching,
  deleteMatching,
  killFailedMutations,
  type MatchingRows,
  type QueriedEvents,
} from '../tables/delete-matching.js';
import { deleteOlder, dropOlderPartitions } from '../tables/delete-older.js';
import { deleteReplicated } from '../tables/delete-replicated.js';
import type { ClusterInsertLedger } from './insert-ledger.js';

interface SharedDeletionsDependencies {
  readonly engine: Engine;
  /** Locks among all processes: in the engine, dropping a partition ends a running deletion. */
  readonly turns: KeyedLock<string>;
  readonly datasets: ReadonlyMap<number, StoredDataset>;
  readonly fieldStore: Pick<FieldStore, 'checkpoint'>;
  readonly accounts: Pick<ClusterInsertLedger, 'flushAll'>;
  /** The highest allocated position. */
  readonly given: () => Promise<bigint>;
}

/**
 * Deletes events while other processes insert into the engine: only events with positions allocated
 * before the deletion. The highest position is recorded first, so that a later count does not
 * report the deleted events as missing.
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

  countMatching({ datasetId }: DatasetRef, events: QueriedEvents, commit: boolean): Promise<MatchingRows> {
    const { engine, fieldStore, accounts } = this.#deps;
    if (!commit) return countMatching(engine, events, { bounds: {} });
    return this.#inTurn(datasetId, { rows: 0 }, async () => {
      // Everything acknowledged is stored, and nothing is added below `upTo`: exactly the counted
      // events are deleted.
      const upTo = await accounts.flushAll([datasetId]);
      await fieldStore.checkpoint(datasetId, upTo);
      const within = { upTo, bounds: {} };
      const found = await countMatching(engine, events, within);
      if (found.rows === 0) return found;
      if (engine.replication === undefined) await deleteMatching(engine, datasetId, events, within);
      else await deleteReplicated(engine, datasetId, events, { ...within, rows: found.rows });
      return found;
    });
  }

  /** @throws HttpError `needs-a-log`: another process may be about to fill an empty column */
  vacuum(): Promise<readonly string[]> {
    return Promise.reject(needsLog('vacuum'));
  }

  /**
   * @param none the result when the dataset does not exist, or no longer exists when the lock is
   * acquired
   */
  async #inTurn<T>(datasetId: number, none: T, work: () => Promise<T>): Promise<T> {
    const { engine, turns, datasets } = this.#deps;
    if (!datasets.has(datasetId)) return none;
    return turns.run(String(datasetId), async () => {
      const dataset = datasets.get(datasetId);
      if (dataset === undefined) return none;
      try {
        await killFailedMutations(engine, datasetId);
        return await work();
      } catch (error) {
        if (error instanceof EngineError && !datasets.has(datasetId))
          throw new EngineError('unknown-table', error.detail);
        throw error;
      } finally {
        dataset.invalidate();
      }
    });
  }
}
