import type { Engine } from '@millrace/engine';
import type { Log } from '@millrace/log';
import type { StoredDataset } from './dataset.js';
import type { Flusher } from './flusher.js';
import { type Frame, readFrame } from './frame.js';
import { rowsPerBatch } from './table.js';

export interface RecoveryReport {
  readonly frames: number;
  /** Batches the engine had whole. */
  readonly stored: number;
  /** Batches queued again because the engine lacked them, or some of their rows. */
  readonly replayed: number;
  /** Batches of datasets that have been deleted since. */
  readonly orphaned: number;
}

export interface RecoveryDependencies {
  readonly log: Log;
  readonly engine: Engine;
  readonly flusher: Flusher;
  /** Replayed bytes held in memory at a time. */
  readonly maxPendingBytes: number;
  readonly dataset: (id: number) => StoredDataset | undefined;
  /** Positions up to here are not replayed for the dataset: rows missing of them were deleted on purpose. */
  readonly checkpoint: (id: number) => bigint;
  /** Called for each batch that is queued again. */
  readonly replayed: (position: bigint, frame: Frame) => void;
}

/**
 * After a start: compares what the log holds with what the engine has and queues what is missing. The rows carry the
 * log's positions, so nothing has to be remembered about which inserts were answered before a crash.
 */
export async function recover(deps: RecoveryDependencies): Promise<RecoveryReport> {
  const present = new Map<number, ReadonlyMap<bigint, number>>();
  const report = { frames: 0, stored: 0, replayed: 0, orphaned: 0 };
  for await (const { position, payload } of deps.log.read()) {
    report.frames++;
    const frame = readFrame(payload);
    const dataset = deps.dataset(frame.datasetId);
    if (dataset === undefined) {
      report.orphaned++;
      continue;
    }
    dataset.learn(frame.block, frame.overflowed);
    if (position <= deps.checkpoint(frame.datasetId)) {
      report.stored++;
      continue;
    }
    // Frames come in order of position, so the first one of a dataset bounds what has to be asked.
    const rows = present.get(dataset.id) ?? (await rowsPerBatch(deps.engine, dataset.id, position));
    present.set(dataset.id, rows);
    if (rows.get(position) === frame.block.rows) {
      report.stored++;
      continue;
    }
    report.replayed++;
    if (deps.flusher.pendingBytes > deps.maxPendingBytes) await deps.flusher.flushAll();
    const { arrival, block, idempotency } = frame;
    const batch = { position, arrival, block, bytes: payload.byteLength, ...(idempotency && { idempotency }) };
    deps.replayed(position, frame);
    deps.flusher.add(dataset, batch, rows.has(position));
  }
  return report;
}
