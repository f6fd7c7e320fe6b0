import { setTimeout as sleep } from 'node:timers/promises';
import type { Engine } from '@millrace/engine';
import type { Log } from '@millrace/log';
import type { StoredDataset } from './dataset.js';
import type { Flusher } from './flusher.js';
import { type Frame, memoryOf, readFrame } from './frame.js';
import type { RefusedBatches } from './refused.js';
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
  readonly refused: RefusedBatches;
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
  const { log, refused, flusher } = deps;
  const present = new Map<number, ReadonlyMap<bigint, number>>();
  const report = { frames: 0, stored: 0, replayed: 0, orphaned: 0 };
  const kept = (await refused.list()).toSorted((a, b) => (a.position < b.position ? -1 : 1));
  const keptPositions = new Set(kept.map(({ position }) => position));

  /** Queues the batch of a frame unless the engine has it; answers whether it does. */
  const compare = async (dataset: StoredDataset, position: bigint, frame: Frame, bytes: number): Promise<boolean> => {
    // Frames come in order of position, so the first one of a dataset bounds what has to be asked.
    const rows = present.get(dataset.id) ?? (await rowsPerBatch(deps.engine, dataset.id, position));
    present.set(dataset.id, rows);
    if (rows.get(position) === frame.block.rows) {
      report.stored++;
      return true;
    }
    report.replayed++;
    await roomFor(deps);
    // Only now: what was stored is in the metadata, unless a vacuum took it away since.
    dataset.learn(frame.block, frame.overflowed);
    const { arrival, block, idempotency } = frame;
    const batch = { position, arrival, block, bytes: memoryOf(block, bytes), ...(idempotency && { idempotency }) };
    deps.replayed(position, frame);
    flusher.add(dataset, batch, rows.has(position));
    return false;
  };

  // Older than anything in the log, or in it too, and then not to be queued twice.
  for (const { position, datasetId } of kept) {
    const dataset = deps.dataset(datasetId);
    const payload = await refused.payload(position);
    if (dataset === undefined || payload === undefined) continue;
    const frame = readFrame(payload);
    if (await compare(dataset, position, frame, payload.byteLength)) await refused.remove(position);
  }
  present.clear();
  for await (const { position, payload } of log.read()) {
    report.frames++;
    const frame = readFrame(payload);
    const dataset = deps.dataset(frame.datasetId);
    if (dataset === undefined) {
      report.orphaned++;
      continue;
    }
    if (keptPositions.has(position)) continue;
    if (position <= deps.checkpoint(frame.datasetId)) {
      report.stored++;
      continue;
    }
    await compare(dataset, position, frame, payload.byteLength);
  }
  return report;
}

const pauseMilliseconds = 250;

/** More than the server may hold does not come back into memory before the engine has taken some of it. */
async function roomFor({ flusher, maxPendingBytes }: RecoveryDependencies): Promise<void> {
  if (flusher.pendingBytes <= maxPendingBytes) return;
  await flusher.flushAll();
  while (flusher.pendingBytes > maxPendingBytes) {
    await sleep(pauseMilliseconds);
    await flusher.flushAll();
  }
}
