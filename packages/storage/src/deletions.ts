import { type Engine, EngineError } from '@millrace/engine';
import type { Log } from '@millrace/log';
import type { Logger } from 'pino';
import type { EventDeletions } from '@millrace/metadata/datasets/event-data';
import type { DatasetRef } from '@millrace/metadata/datasets';
import type { Backlog } from './insert/backlog.js';
import type { StoredDataset } from './fields/dataset.js';
import {
  countMatching,
  deleteMatching,
  killFailedMutations,
  type MatchingRows,
  type QueriedEvents,
} from './tables/delete-matching.js';
import { deleteReplicated } from './tables/delete-replicated.js';
import type { FieldStore } from './fields/field-store.js';
import { forgetUnused } from './fields/delete-unused.js';
import type { Flusher } from './insert/flusher.js';
import { readFrame } from './frame.js';
import type { QuarantinedBatch, QuarantinedBatches } from './insert/quarantine.js';
import { deletionsOver } from './tables/deletions-over.js';
import { newestTime } from './insert/time-range.js';
import type { ConsistentReads } from './consistent-reads.js';
import type { Inventory } from './inventory/inventory.js';
import type { IdleMerges } from './tables/idle-merges.js';
import { namingFullDisk } from './disk-full-error.js';
import type { IdempotencyStore } from './idempotency-store.js';
import { oldestBatchesBefore } from './insert/old-batches.js';
import { releaseBlocks } from './insert/release-blocks.js';
import type { LogTruncator } from './log-truncator.js';
import { deleteOlder, dropOlderPartitions, dropOlderParts } from './tables/delete-older.js';
import { emptyColumns } from './tables/empty-columns.js';
import { dropColumns } from './tables/table-of-dataset.js';

interface DeletionsDependencies {
  readonly engine: Engine;
  readonly log: Log;
  readonly logger: Logger;
  readonly fieldStore: FieldStore;
  readonly quarantine: QuarantinedBatches;
  readonly idempotencyStore: Pick<IdempotencyStore, 'keep'>;
  readonly truncator: Pick<LogTruncator, 'isShort' | 'makeRoom'>;
  readonly backlog: Backlog;
  readonly flusher: Flusher;
  readonly merges: IdleMerges;
  readonly inventory: Inventory;
  readonly reads: Pick<ConsistentReads, 'bounds'>;
  readonly datasets: ReadonlyMap<number, StoredDataset>;
}

/**
 * Deletes from datasets: events, which no replay may bring back, and columns that no event uses.
 */
export class Deletions implements EventDeletions {
  readonly #deps: DeletionsDependencies;

  constructor(deps: DeletionsDependencies) {
    this.#deps = deps;
  }

  trim(dataset: DatasetRef, olderThan: bigint): Promise<number> {
    return this.expire(dataset, () => olderThan);
  }

  async expire({ datasetId }: DatasetRef, olderThan: () => bigint | undefined): Promise<number> {
    const { engine, flusher, inventory, truncator } = this.#deps;
    return this.#oneByOne(datasetId, 0, async (dataset) => {
      const early = truncator.isShort ? await this.#dropWhole(dataset, olderThan()) : 0;
      const freed = await flusher.flush(datasetId).then(
        () => 0,
        async () => {
          const rows = await this.#dropWhole(dataset, olderThan());
          await namingFullDisk('deleting', flusher.flush(datasetId));
          return rows;
        },
      );
      const upTo = await this.#checkpoint(datasetId);
      const time = olderThan();
      if (time === undefined) return early + freed;
      for (const batch of this.#refusedUpTo(datasetId, upTo)) await this.#trimRefused(batch, time);
      const deleteEvents = async (): Promise<number> =>
        (await this.#dropStored(dataset, time, upTo)) +
        (await namingFullDisk('deleting', deleteOlder(engine, datasetId, time, upTo)));
      const deleted = await inventory.whileDeleting(datasetId, time, deleteEvents).finally(() => dataset.invalidate());
      return early + freed + deleted;
    });
  }

  /**
   * Deletes what a full disk cannot prevent, because it needs no space: pending batches, partitions
   * and parts with older events only. Other pending batches have room afterwards.
   */
  async #dropWhole(dataset: StoredDataset, time: bigint | undefined): Promise<number> {
    const { flusher, inventory, truncator } = this.#deps;
    if (time === undefined) return 0;
    const discarded = await flusher.runExclusively(dataset, () => this.#discardPending(dataset, time));
    const upTo = await this.#checkpoint(dataset.id);
    const dropped = await inventory
      .whileDeleting(dataset.id, time, () => this.#dropStored(dataset, time, upTo))
      .finally(() => dataset.invalidate());
    await truncator.makeRoom();
    return discarded + dropped;
  }

  /** Drops partitions and parts with older events only. */
  #dropStored(dataset: StoredDataset, time: bigint, upTo: bigint): Promise<number> {
    const { engine, flusher } = this.#deps;
    // Nothing may enter a partition between the query for old partitions and their removal.
    return flusher.runExclusively(
      dataset,
      async () =>
        (await dropOlderPartitions(engine, dataset.id, time, upTo)) +
        (await dropOlderParts(engine, dataset.id, time, upTo)),
    );
  }

  /**
   * Discards the oldest pending batches if all their events are older. Replicas may still execute
   * an earlier insert of them, so there they are inserted first.
   */
  async #discardPending(dataset: StoredDataset, time: bigint): Promise<number> {
    const { engine, backlog, fieldStore, idempotencyStore } = this.#deps;
    const old = engine.replication === undefined ? oldestBatchesBefore(backlog, dataset.id, time) : [];
    const last = old.at(-1);
    const queue = backlog.queue(dataset.id);
    if (last === undefined || queue === undefined) return 0;
    await idempotencyStore.keep(dataset.id, old);
    // Before they leave the backlog: a replay after a crash does not bring them back.
    await fieldStore.checkpoint(dataset.id, last.position);
    backlog.remove(queue, old);
    if (queue.batches.length === 0) queue.failure = undefined;
    releaseBlocks(old);
    return old.reduce((sum, { block }) => sum + block.rows, 0);
  }

  /** Counts events of a dataset and, with `commit`, deletes exactly those. */
  async countMatching({ datasetId }: DatasetRef, events: QueriedEvents, commit: boolean): Promise<MatchingRows> {
    const { engine, flusher, inventory, reads, logger } = this.#deps;
    if (!commit) {
      await flusher.flush(datasetId);
      return countMatching(engine, events, { bounds: reads.bounds(events.reads) });
    }
    return this.#oneByOne(datasetId, { rows: 0 }, async (dataset) => {
      await flusher.flush(datasetId);
      const upTo = await this.#checkpoint(datasetId);
      const within = { upTo, bounds: reads.bounds(events.reads) };
      const found = await countMatching(engine, events, within);
      const { length } = this.#refusedUpTo(datasetId, upTo);
      // Only the engine could determine which events of these batches match.
      if (length > 0)
        logger.warn(
          { dataset: datasetId, batches: length },
          'a deletion did not search quarantined batches; their events appear if the engine accepts them later',
        );
      const deleting =
        found.rows > 0
          ? inventory.whileDeleting(datasetId, undefined, () =>
              engine.replication === undefined
                ? deleteMatching(engine, datasetId, events, within)
                : deleteReplicated(engine, datasetId, events, { ...within, rows: found.rows }),
            )
          : Promise.resolve();
      // Even without matches: a deletion that a crash interrupted resumes in the engine without
      // reporting its end.
      await deleting.finally(() => dataset.invalidate());
      return found;
    });
  }

  /**
   * Removes the columns no event uses, and the overflow fields without values in any event: the
   * number of such names is unlimited.
   */
  async vacuum({ datasetId }: DatasetRef): Promise<readonly string[]> {
    const { engine, fieldStore, backlog, flusher, merges } = this.#deps;
    return this.#oneByOne(datasetId, [], async (dataset) => {
      await flusher.flush(datasetId);
      // Dropping a column waits for a deletion that a crash left unfinished, and every statement
      // that creates a table or column would queue after it. Waiting here delays nothing else.
      await deletionsOver(engine, datasetId);
      await merges.interrupt(datasetId);
      // No row may be inserted between the query for empty columns and their removal.
      const columns = await flusher.runExclusively(dataset, async () => {
        const column = await emptyColumns(engine, datasetId, dataset.columns);
        // Done first, because after a crash queries must not name columns the table lacks. The next
        // vacuum removes columns left in the table.
        await fieldStore.remove(datasetId, { column, overflow: [] });
        dataset.dropColumns(column);
        // Pending events were placed in columns earlier; they add their fields again.
        for (const { block } of backlog.queue(datasetId)?.batches ?? []) dataset.learnAgain(block);
        await dropColumns(engine, datasetId, column);
        return column;
      });
      const unused = [...new Set(columns.map(({ field }) => field))].filter((field) => !dataset.fields.has(field));
      for await (const some of forgetUnused(dataset, this.#deps)) unused.push(...some);
      return unused;
    });
  }

  /**
   * Runs the deletions of a dataset one at a time: in the engine, dropping a partition ends a
   * running deletion, and dropping a column waits for it. A deletion that waits here delays neither
   * inserts nor other datasets.
   * @param none the result when the dataset does not exist, or no longer exists when the deletion
   * starts
   * @throws EngineError `unknown-table` when the dataset is deleted while the deletion runs
   */
  #oneByOne<T>(datasetId: number, none: T, work: (dataset: StoredDataset) => Promise<T>): Promise<T> {
    const { datasets, engine } = this.#deps;
    const dataset = datasets.get(datasetId);
    if (dataset === undefined) return Promise.resolve(none);
    return dataset.deletions.run(async () => {
      if (!datasets.has(datasetId)) return none;
      try {
        // A deletion that a crash interrupted resumes in the engine, and fails there indefinitely
        // if its condition reads a dataset that has been deleted since.
        await killFailedMutations(engine, datasetId);
        return await work(dataset);
      } catch (error) {
        // Dropping a table makes the statements that run on it fail, with various errors.
        const ofEngine = error instanceof EngineError;
        if (ofEngine && !datasets.has(datasetId)) throw new EngineError('unknown-table', error.detail);
        // If the engine does not respond, it retries this one until the next deletion.
        if (ofEngine) await killFailedMutations(engine, datasetId).catch(() => undefined);
        throw error;
      }
    });
  }

  /**
   * The quarantined batches up to a position. Once that position is the checkpoint, none of them is
   * pending a retry.
   */
  #refusedUpTo(datasetId: number, upTo: bigint): readonly QuarantinedBatch[] {
    return this.#deps.quarantine.list().filter((batch) => batch.datasetId === datasetId && batch.position <= upTo);
  }

  /**
   * Excludes trimmed events of a quarantined batch, in case the engine accepts it later. A batch
   * without other events is deleted.
   */
  async #trimRefused({ position }: QuarantinedBatch, olderThan: bigint): Promise<void> {
    const { quarantine } = this.#deps;
    const payload = await quarantine.payload(position);
    // It may have been removed by a statement that was reported as failed.
    if (payload === undefined || newestTime(readFrame(payload).block) < olderThan) await quarantine.remove(position);
    else await quarantine.leaveOut(position, olderThan);
  }

  /**
   * Call it before deleting rows, and after a flush, so that a replay does not bring them back.
   * Returns the position up to which every batch of the dataset is in the engine; only rows of
   * these batches may be deleted.
   */
  async #checkpoint(datasetId: number): Promise<bigint> {
    const { fieldStore, merges } = this.#deps;
    const upTo = this.#storedUpTo(datasetId);
    await fieldStore.checkpoint(datasetId, upTo);
    // A deletion would wait for a running merge.
    await merges.interrupt(datasetId);
    return upTo;
  }

  /** The position up to which every batch of the dataset is in the engine. */
  #storedUpTo(datasetId: number): bigint {
    const { log, backlog } = this.#deps;
    return (backlog.oldestOf(datasetId) ?? log.stats().lastPosition + 1n) - 1n;
  }
}
