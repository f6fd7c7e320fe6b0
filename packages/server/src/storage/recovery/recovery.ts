import { setTimeout as sleep } from 'node:timers/promises';
import type { Engine } from '@millrace/engine';
import { type Block, overflowNames, parsePhysicalName } from '@millrace/events';
import type { Log, Frame as LogFrame } from '@millrace/log';
import { rowsPerBatchOfAll } from '../tables/all-tables.js';
import type { Answers } from '../answers.js';
import type { Backlog } from '../insert/backlog.js';
import type { StoredDataset } from '../fields/dataset.js';
import type { Flusher } from '../insert/flusher.js';
import { type FieldAndType, type Frame, memoryOf, readFrame } from '../frame.js';
import type { RefusedBatch, RefusedBatches } from '../insert/refused.js';
import { rowsPerBatch } from '../tables/table.js';

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
  readonly backlog: Backlog;
  readonly flusher: Flusher;
  readonly answers: Answers;
  readonly datasets: ReadonlyMap<number, StoredDataset>;
  /** Of a dataset, the position up to which nothing is replayed: rows missing of that were deleted on purpose. */
  readonly checkpoints: ReadonlyMap<number, bigint>;
  /** Replayed bytes held in memory at a time. */
  readonly maxPendingBytes: number;
}

/**
 * After a start: compares what the log holds with what the engine has and queues what is missing. The rows carry the
 * log's positions, so nothing has to be remembered about which inserts were answered before a crash.
 */
export async function recover(deps: RecoveryDependencies): Promise<RecoveryReport> {
  const { log, refused, flusher, answers, datasets, checkpoints } = deps;
  const report = { frames: 0, stored: 0, replayed: 0, orphaned: 0 };
  const kept = refused.list().toSorted((a, b) => (a.position < b.position ? -1 : 1));
  const keptPositions = new Set(kept.map(({ position }) => position));

  /** Queues the batch of a frame unless the engine has it, by the rows it has of each; answers whether it does. */
  const compare = async (
    dataset: StoredDataset,
    { position, payload }: LogFrame,
    frame: Frame,
    rows: ReadonlyMap<bigint, number>,
  ): Promise<boolean> => {
    if (rows.get(position) === frame.block.rows) {
      report.stored++;
      return true;
    }
    report.replayed++;
    await roomFor(deps);
    // Only now: what was stored is in the metadata, unless a vacuum took it away since.
    dataset.learn(frame.block, overflowedIn(frame.block));
    const { arrival, block, idempotency } = frame;
    const batch = {
      position,
      arrival,
      block,
      bytes: memoryOf(block, payload.byteLength),
      ...(idempotency && { idempotency }),
    };
    if (idempotency !== undefined) answers.note(dataset.id, position, idempotency);
    flusher.add(dataset, batch, rows.has(position));
    return false;
  };

  const ofRefused = new Map<number, ReadonlyMap<bigint, number>>();
  const compareRefused = async ({ position, datasetId }: RefusedBatch): Promise<void> => {
    const dataset = datasets.get(datasetId);
    const payload = await refused.payload(position);
    if (dataset === undefined || payload === undefined) return;
    // They come in order of position, so the first one of a dataset bounds what has to be asked.
    const rows = ofRefused.get(datasetId) ?? (await rowsPerBatch(deps.engine, datasetId, position));
    ofRefused.set(datasetId, rows);
    if (await compare(dataset, { position, payload }, readFrame(payload), rows)) await refused.remove(position);
  };
  // Older than anything in the log, or in it too, and then not to be queued twice. All are queued in order of position: the first of the
  // backlog says how far the log may go.
  const waiting = kept.values();
  let next = waiting.next();
  const compareRefusedBefore = async (position: bigint | undefined): Promise<void> => {
    for (; next.done !== true && (position === undefined || next.value.position < position); next = waiting.next())
      await compareRefused(next.value);
  };
  let ofLog: ReadonlyMap<number, ReadonlyMap<bigint, number>> | undefined;
  for await (const { position, payload } of log.read()) {
    report.frames++;
    await compareRefusedBefore(position);
    const frame = readFrame(payload);
    const dataset = datasets.get(frame.datasetId);
    if (dataset === undefined) {
      report.orphaned++;
      continue;
    }
    if (keptPositions.has(position)) continue;
    if (position <= (checkpoints.get(dataset.id) ?? 0n)) {
      report.stored++;
      continue;
    }
    // Before anything of the log is queued, and in order too: the first frame bounds the question for all datasets.
    ofLog ??= await rowsPerBatchOfAll(deps.engine, position);
    await compare(dataset, { position, payload }, frame, ofLog.get(dataset.id) ?? none);
  }
  await compareRefusedBefore(undefined);
  return report;
}

const none: ReadonlyMap<bigint, number> = new Map();

/** From the events: the frame that names a field may be one that a salvage of the log could not save. */
const overflowedIn = (block: Block): readonly FieldAndType[] =>
  [...overflowNames(block)].flatMap((name) => parsePhysicalName(name) ?? []);

const pauseMilliseconds = 250;

/** More than the server may hold does not come back into memory before the engine has taken some of it. */
async function roomFor({ backlog, flusher, maxPendingBytes }: RecoveryDependencies): Promise<void> {
  if (backlog.bytes <= maxPendingBytes) return;
  await flusher.flushAll();
  while (backlog.bytes > maxPendingBytes) {
    await sleep(pauseMilliseconds);
    await flusher.flushAll();
  }
}
