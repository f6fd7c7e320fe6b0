import { setTimeout as sleep } from 'node:timers/promises';
import type { Engine } from '@millrace/engine';
import type { Log } from '@millrace/log';
import type { Logger } from 'pino';
import type { IdempotencyStore } from '../idempotency-store.js';
import type { Backlog } from '../insert/backlog.js';
import type { StoredDataset } from '../fields/dataset.js';
import type { Flusher } from '../insert/flusher.js';
import { batchesIn } from '../batches-in-log.js';
import { memoryOf } from '../frame.js';
import type { Batch } from '../insert/queue.js';
import { requireDataset } from './restore-datasets.js';
import type { QuarantinedBatches } from '../insert/quarantine.js';
import type { InsertIntents } from '../insert/intents.js';
import { PinnedBatches } from './intended-batches.js';
import type { StorageLimits } from '../storage-limits.js';
import { RowsOfLog } from './rows-of-log.js';

export interface RecoveryReport {
  readonly frames: number;
  /** Batches the engine had completely. */
  readonly stored: number;
  /** Batches queued again because the engine lacked them, or some of their rows. */
  readonly replayed: number;
  /** Batches of datasets that have been deleted since. */
  readonly orphaned: number;
  /** Datasets with parts that could not be read. */
  readonly damaged: readonly number[];
}

interface RecoveryDependencies {
  readonly log: Log;
  readonly quarantine: QuarantinedBatches;
  readonly engine: Engine;
  readonly logger: Logger;
  readonly backlog: Backlog;
  readonly flusher: Flusher;
  readonly idempotencyStore: IdempotencyStore;
  readonly datasets: ReadonlyMap<number, StoredDataset>;
  /**
   * For each dataset, the position up to which nothing is replayed: rows missing below it were
   * deleted.
   */
  readonly checkpoints: ReadonlyMap<number, bigint>;
  readonly limits: StorageLimits;
  readonly highestId?: number;
  /** If tables are replicated. */
  readonly pins?: { readonly log: InsertIntents };
}

/**
 * Recovery after a start: compares the log with the engine and queues missing batches. The rows
 * carry the log's positions, so no record of completed inserts is needed.
 */
export async function recover(deps: RecoveryDependencies): Promise<RecoveryReport> {
  const { log, quarantine, engine, datasets, checkpoints } = deps;
  const report = { frames: 0, stored: 0, replayed: 0, orphaned: 0 };
  /** Rows the engine has of each batch of the log, once queried. */
  let rowsOfLog: RowsOfLog | undefined;
  const pinned = await PinnedBatches.find(log, engine, deps.pins?.log, datasets, checkpoints);
  for await (const { position, datasetId, payloadBytes, ...frame } of batchesIn(log)) {
    report.frames++;
    requireDataset(deps, datasetId);
    const dataset = datasets.get(datasetId);
    if (dataset === undefined) report.orphaned++;
    // Retried later, from the metadata.
    else if (quarantine.has(position)) continue;
    else if (position <= (checkpoints.get(datasetId) ?? 0n)) report.stored++;
    else if (pinned.has(position)) {
      report.replayed++;
      // All batches of an insert at once, with the first of them, before any others of the dataset.
      for (const batch of pinned.take(datasetId)) queueAgain(deps, dataset, batch, true);
    } else {
      // Queried before any batch of the log is queued. Frames come in order too, so the first one
      // bounds the query for all datasets.
      rowsOfLog ??= await RowsOfLog.count(engine, position);
      const rows = rowsOfLog.of(datasetId, position);
      if (rows === frame.block.rows) report.stored++;
      else {
        // They may be in a part that cannot be read: without that part, they are stored once.
        await rowsOfLog.detachUnreadable(datasetId, deps.logger);
        report.replayed++;
        const bytes = memoryOf(frame.block, payloadBytes);
        await replay(deps, dataset, { ...frame, position, bytes }, rows !== undefined);
      }
    }
  }
  return { ...report, damaged: rowsOfLog?.damagedDatasets ?? [] };
}

/** Queues a batch that is missing from the engine or, if `partly`, has only some rows there. */
async function replay(
  deps: RecoveryDependencies,
  dataset: StoredDataset,
  batch: Batch,
  partly: boolean,
): Promise<void> {
  await roomFor(deps);
  queueAgain(deps, dataset, batch, partly);
}

function queueAgain(deps: RecoveryDependencies, dataset: StoredDataset, batch: Batch, partly: boolean): void {
  // Only for batches that are replayed: the fields of stored ones are in the metadata, unless a
  // vacuum has removed them since.
  dataset.learnAgain(batch.block);
  if (batch.idempotency !== undefined) deps.idempotencyStore.note(dataset.id, batch.position, batch.idempotency);
  deps.flusher.add(dataset, batch, partly);
}

const pauseMilliseconds = 250;

/** Waits until the engine has stored enough that a replay stays within the memory limit. */
async function roomFor({ backlog, flusher, limits }: RecoveryDependencies): Promise<void> {
  if (backlog.bytes <= limits.maxPendingBytes) return;
  await flusher.flushAll();
  while (backlog.bytes > limits.maxPendingBytes) {
    await sleep(pauseMilliseconds);
    await flusher.flushAll();
  }
}
