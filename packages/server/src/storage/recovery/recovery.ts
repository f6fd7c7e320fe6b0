import { setTimeout as sleep } from 'node:timers/promises';
import type { Engine } from '@millrace/engine';
import type { Log, Frame as LogFrame } from '@millrace/log';
import { rowsPerBatchOfAll } from '../tables/all-tables.js';
import type { Answers } from '../answers.js';
import type { Backlog } from '../insert/backlog.js';
import type { StoredDataset } from '../fields/dataset.js';
import type { Flusher } from '../insert/flusher.js';
import { type Frame, memoryOf, readFrame } from '../frame.js';
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
  /** For each dataset, the position up to which nothing is replayed: rows missing up to there were deleted on purpose. */
  readonly checkpoints: ReadonlyMap<number, bigint>;
  /** Limit on the replayed bytes held in memory at a time. */
  readonly maxPendingBytes: number;
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
  /** Rows the engine has of the refused batches of each dataset, and of all batches of the log, once it has been asked. */
  readonly #rowsOfRefused = new Map<number, RowsPerBatch>();
  #rowsOfLog: ReadonlyMap<number, RowsPerBatch> | undefined;

  constructor(deps: RecoveryDependencies) {
    this.#deps = deps;
  }

  /**
   * A refused batch is older than anything in the log, or is in the log too and then must not be queued twice. All batches are queued in order of
   * position, because the first in the backlog decides how far the log may be released.
   */
  async run(): Promise<RecoveryReport> {
    const refused = this.#deps.refused.list().toSorted((a, b) => (a.position < b.position ? -1 : 1));
    const positions = new Set(refused.map(({ position }) => position));
    for await (const logged of this.#deps.log.read()) {
      this.#report.frames++;
      while (refused[0] !== undefined && refused[0].position < logged.position)
        await this.#compareRefused(refused.shift()!);
      await this.#compareLogged(logged, positions.has(logged.position));
    }
    for (const batch of refused) await this.#compareRefused(batch);
    return this.#report;
  }

  async #compareRefused({ position, datasetId, notBefore }: RefusedBatch): Promise<void> {
    const { refused, datasets, engine } = this.#deps;
    const dataset = datasets.get(datasetId);
    const payload = await refused.payload(position);
    if (dataset === undefined || payload === undefined) return;
    // Batches come in order of position, so the first one of a dataset bounds the query.
    const rows = this.#rowsOfRefused.get(datasetId) ?? (await rowsPerBatch(engine, datasetId, position));
    this.#rowsOfRefused.set(datasetId, rows);
    const isStored = await this.#compare(dataset, { position, payload }, readFrame(payload), rows, notBefore);
    if (isStored) await refused.remove(position);
  }

  async #compareLogged(logged: LogFrame, wasRefused: boolean): Promise<void> {
    const { datasets, checkpoints, engine } = this.#deps;
    const { position, payload } = logged;
    const frame = readFrame(payload);
    const dataset = datasets.get(frame.datasetId);
    if (dataset === undefined) this.#report.orphaned++;
    else if (wasRefused) return;
    else if (position <= (checkpoints.get(dataset.id) ?? 0n)) this.#report.stored++;
    else {
      // Asked before anything of the log is queued. Frames come in order too, so the first one bounds the query for all datasets.
      this.#rowsOfLog ??= await rowsPerBatchOfAll(engine, position);
      await this.#compare(dataset, logged, frame, this.#rowsOfLog.get(dataset.id) ?? none);
    }
  }

  /** Queues the batch of a frame unless the engine has all its rows; returns whether it does. */
  async #compare(
    dataset: StoredDataset,
    { position, payload }: LogFrame,
    { block, arrival, idempotency }: Frame,
    rows: RowsPerBatch,
    notBefore?: bigint,
  ): Promise<boolean> {
    const { answers, flusher } = this.#deps;
    if (rows.get(position) === block.rows) {
      this.#report.stored++;
      return true;
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
      ...(notBefore !== undefined && { notBefore }),
    };
    flusher.add(dataset, batch, rows.has(position));
    return false;
  }
}

const none: RowsPerBatch = new Map();

const pauseMilliseconds = 250;

/** Waits until the engine has taken enough that a replay does not hold more in memory than the server may. */
async function roomFor({ backlog, flusher, maxPendingBytes }: RecoveryDependencies): Promise<void> {
  if (backlog.bytes <= maxPendingBytes) return;
  await flusher.flushAll();
  while (backlog.bytes > maxPendingBytes) {
    await sleep(pauseMilliseconds);
    await flusher.flushAll();
  }
}
