import { setTimeout as sleep } from 'node:timers/promises';
import type { Engine } from '@millrace/engine';
import type { Log } from '@millrace/log';
import { rowsPerBatchOfAll } from '../tables/all-tables.js';
import type { Answers } from '../remembered-answers.js';
import type { Backlog } from '../insert/backlog.js';
import type { StoredDataset } from '../fields/dataset.js';
import type { Flusher } from '../insert/flusher.js';
import { batchesIn } from '../batches-in-log.js';
import { memoryOf } from '../frame.js';
import type { Batch } from '../insert/queue.js';
import { requireKnown } from './restore-datasets.js';
import type { RefusedBatches } from '../insert/refused.js';
import type { Pins } from '../insert/pins.js';
import { PinnedBatches } from './pinned-batches.js';
import type { StorageLimits } from '../storage-limits.js';

export interface RecoveryReport {
  readonly frames: number;
  /** Batches the engine had whole. */
  readonly stored: number;
  /** Batches queued again because the engine lacked them, or some of their rows. */
  readonly replayed: number;
  /** Batches of datasets that have been deleted since. */
  readonly orphaned: number;
}

interface RecoveryDependencies {
  readonly log: Log;
  readonly refused: RefusedBatches;
  readonly engine: Engine;
  readonly backlog: Backlog;
  readonly flusher: Flusher;
  readonly answers: Answers;
  readonly datasets: ReadonlyMap<number, StoredDataset>;
  /**
   * For each dataset, the position up to which nothing is replayed: rows missing up to there were
   * deleted on purpose.
   */
  readonly checkpoints: ReadonlyMap<number, bigint>;
  readonly limits: StorageLimits;
  readonly highestId?: number;
  /** Where tables are replicated. */
  readonly pins?: { readonly log: Pins };
}

/**
 * After a start: compares what the log holds with what the engine has and queues what is missing.
 * The rows carry the log's positions, so nothing has to be remembered about which inserts were
 * answered before a crash.
 */
export async function recover(deps: RecoveryDependencies): Promise<RecoveryReport> {
  const { log, refused, engine, datasets, checkpoints } = deps;
  const report = { frames: 0, stored: 0, replayed: 0, orphaned: 0 };
  /** Rows the engine has of each batch of the log, by dataset, once it has been asked. */
  let rowsOfLog: ReadonlyMap<number, ReadonlyMap<bigint, number>> | undefined;
  const pinned = await PinnedBatches.find(log, engine, deps.pins?.log, datasets, checkpoints);
  for await (const { position, datasetId, payloadBytes, ...frame } of batchesIn(log)) {
    report.frames++;
    requireKnown(deps, datasetId);
    const dataset = datasets.get(datasetId);
    if (dataset === undefined) report.orphaned++;
    // Tried again later, from the metadata.
    else if (refused.has(position)) continue;
    else if (position <= (checkpoints.get(datasetId) ?? 0n)) report.stored++;
    else if (pinned.has(position)) {
      report.replayed++;
      // All of an insert at once, with the first of them, before any others of the dataset.
      for (const batch of pinned.take(datasetId)) queueAgain(deps, dataset, batch, true);
    } else {
      // Asked before anything of the log is queued. Frames come in order too, so the first one
      // bounds the query for all datasets.
      rowsOfLog ??= await rowsPerBatchOfAll(engine, position);
      const rows = rowsOfLog.get(datasetId)?.get(position);
      if (rows === frame.block.rows) report.stored++;
      else {
        report.replayed++;
        const bytes = memoryOf(frame.block, payloadBytes);
        await replay(deps, dataset, { ...frame, position, bytes }, rows !== undefined);
      }
    }
  }
  return report;
}

/** Queues a batch of which the engine has nothing or, if `partly`, some rows. */
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
  if (batch.idempotency !== undefined) deps.answers.note(dataset.id, batch.position, batch.idempotency);
  deps.flusher.add(dataset, batch, partly);
}

const pauseMilliseconds = 250;

/**
 * Waits until the engine has taken enough that a replay does not hold more in memory than the
 * server may.
 */
async function roomFor({ backlog, flusher, limits }: RecoveryDependencies): Promise<void> {
  if (backlog.bytes <= limits.maxPendingBytes) return;
  await flusher.flushAll();
  while (backlog.bytes > limits.maxPendingBytes) {
    await sleep(pauseMilliseconds);
    await flusher.flushAll();
  }
}
