import { setTimeout as sleep } from 'node:timers/promises';
import type { Engine } from '@millrace/engine';
import type { Log, Frame as LogFrame } from '@millrace/log';
import { rowsPerBatchOfAll } from '../tables/all-tables.js';
import type { Answers } from '../answers.js';
import type { Backlog } from '../insert/backlog.js';
import type { StoredDataset } from '../fields/dataset.js';
import type { Flusher } from '../insert/flusher.js';
import { type Frame, memoryOf, readFrame } from '../frame.js';
import type { RefusedBatches } from '../insert/refused.js';
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
  /** For each dataset, the position up to which nothing is replayed: rows missing up to there were deleted on purpose. */
  readonly checkpoints: ReadonlyMap<number, bigint>;
  readonly limits: StorageLimits;
}

/**
 * After a start: compares what the log holds with what the engine has and queues what is missing. The rows carry the
 * log's positions, so nothing has to be remembered about which inserts were answered before a crash.
 */
export const recover = (deps: RecoveryDependencies): Promise<RecoveryReport> => new Recovery(deps).run();

/** Rows of a dataset by the position of their batch. */
type RowsPerBatch = ReadonlyMap<bigint, number>;

class Recovery {
  readonly #deps: RecoveryDependencies;
  readonly #report = { frames: 0, stored: 0, replayed: 0, orphaned: 0 };
  /** Rows the engine has of all batches of the log, once it has been asked. */
  #rowsOfLog: ReadonlyMap<number, RowsPerBatch> | undefined;

  constructor(deps: RecoveryDependencies) {
    this.#deps = deps;
  }

  async run(): Promise<RecoveryReport> {
    for await (const logged of this.#deps.log.read()) {
      this.#report.frames++;
      await this.#compareLogged(logged);
    }
    return this.#report;
  }

  async #compareLogged(logged: LogFrame): Promise<void> {
    const { datasets, checkpoints, engine, refused } = this.#deps;
    const { position, payload } = logged;
    const frame = readFrame(payload);
    const dataset = datasets.get(frame.datasetId);
    if (dataset === undefined) this.#report.orphaned++;
    // Tried again later, from the metadata.
    else if (refused.has(position)) return;
    else if (position <= (checkpoints.get(dataset.id) ?? 0n)) this.#report.stored++;
    else {
      // Asked before anything of the log is queued. Frames come in order too, so the first one bounds the query for all datasets.
      this.#rowsOfLog ??= await rowsPerBatchOfAll(engine, position);
      await this.#compare(dataset, logged, frame, this.#rowsOfLog.get(dataset.id) ?? none);
    }
  }

  /** Queues the batch of a frame unless the engine has all its rows. */
  async #compare(
    dataset: StoredDataset,
    { position, payload }: LogFrame,
    { block, arrival, idempotency }: Frame,
    rows: RowsPerBatch,
  ): Promise<void> {
    const { answers, flusher } = this.#deps;
    if (rows.get(position) === block.rows) {
      this.#report.stored++;
      return;
    }
    this.#report.replayed++;
    await roomFor(this.#deps);
    // Only for batches that are replayed: the fields of stored ones are in the metadata, unless a vacuum has removed them since.
    dataset.learnAgain(block);
    if (idempotency !== undefined) answers.note(dataset.id, position, idempotency);
    const bytes = memoryOf(block, payload.byteLength);
    const batch = {
      position,
      arrival,
      block,
      bytes,
      ...(idempotency && { idempotency }),
    };
    flusher.add(dataset, batch, rows.has(position));
  }
}

const none: RowsPerBatch = new Map();

const pauseMilliseconds = 250;

/** Waits until the engine has taken enough that a replay does not hold more in memory than the server may. */
async function roomFor({ backlog, flusher, limits }: RecoveryDependencies): Promise<void> {
  if (backlog.bytes <= limits.pendingBytes) return;
  await flusher.flushAll();
  while (backlog.bytes > limits.pendingBytes) {
    await sleep(pauseMilliseconds);
    await flusher.flushAll();
  }
}
