import { EngineError, shardOf } from '@millrace/engine';
import type { Log } from '@millrace/log';
import { Mutex } from '@millrace/runtime/async/mutex';
import { failureDetail } from '../failure-detail.js';
import type { StorageLimits } from '../storage-limits.js';
import { rowsPerBatch } from '../tables/rows-of-batches.js';
import { tableOf } from '../tables/table-of-dataset.js';
import type { Backlog } from './backlog.js';
import { classifyInsertError } from './classify-error.js';
import type { InsertDependencies } from './insert-group.js';
import type { PartialBatches } from './partial-batches.js';
import type { Batch, Queue } from './queue.js';
import type { QuarantinedBatches } from './quarantine.js';
import { probeInsert } from './probe.js';

export interface InserterDependencies extends InsertDependencies {
  readonly log: Log;
  readonly backlog: Backlog;
  readonly quarantine: QuarantinedBatches;
  readonly partialBatches: PartialBatches;
  readonly limits: StorageLimits;
  /** Called after each insert, for the metrics. */
  readonly flushed: (outcome: 'stored' | 'failed', seconds: number) => void;
  /** Called when rows were stored. */
  readonly stored: (datasetId: number) => void;
}

/**
 * After this many pauses between tries of a queue without success, a probe insert tests the engine.
 */
const pausesBeforeTrial = 60;

/**
 * With this many quarantined batches a probe no longer helps. The cause is not one of them: all
 * later batches would go to the metadata, without a limit.
 */
const maxQuarantined = 100;

/**
 * Handles failed inserts: smaller groups, a probe insert, quarantined batches. `FailedBatches` has
 * the state of each batch.
 */
export class FailedInserts {
  readonly #deps: InserterDependencies;
  readonly #trials = new Mutex();
  readonly #onStored: (queue: Queue, stored: readonly Batch[]) => Promise<void>;

  /** @param done removes stored batches from their queue */
  constructor(deps: InserterDependencies, done: (queue: Queue, stored: readonly Batch[]) => Promise<void>) {
    this.#deps = deps;
    this.#onStored = done;
  }

  /**
   * Handles a group whose insert failed.
   * @throws the error if the queue has to wait
   */
  async handle(queue: Queue, group: readonly Batch[], error: unknown): Promise<void> {
    const { failed } = queue;
    failed.addUnsure(group);
    const blame = classifyInsertError(error);
    // A known column may have been dropped.
    const unknownColumn = error instanceof EngineError && error.code === 'unknown-column';
    if (blame !== 'batch' || unknownColumn) queue.dataset.tableColumns.clear();
    if (blame === 'engine') throw error;
    const [first] = group;
    const verdict = failed.judge(group, blame === 'batch' || (first !== undefined && this.#wasAside(first)));
    if (verdict === 'doubtful' && mustWait(queue) && !(await this.#passesTrial(queue))) throw error;
    this.#deps.flushed('failed', 0);
    if (verdict === 'guilty' && first !== undefined) await this.#putAside(queue, first, error);
  }

  #wasAside({ position }: Batch): boolean {
    return this.#deps.quarantine.has(position);
  }

  /**
   * Whether the engine accepts other rows after nothing of the queue was inserted for long. Perhaps
   * no further batch arrives, and until the queue is empty every query, backup and deletion of its
   * dataset fails. So a probe insert into another table replaces other batches: if it succeeds,
   * batches that fail again are quarantined. After a failed probe the engine gets the same time
   * again.
   */
  async #passesTrial(queue: Queue): Promise<boolean> {
    const { engine, limits, quarantine } = this.#deps;
    const waited = queue.failed.timeWaited(performance.now());
    if (quarantine.list().length >= maxQuarantined) return false;
    if (waited < pausesBeforeTrial * limits.retryMilliseconds) return false;
    const passed = await this.#trials.run(() => probeInsert(shardOf(engine, tableOf(queue.dataset.id))));
    if (passed) queue.failed.passedTrial();
    else queue.failed.waitAnew(performance.now());
    return passed;
  }

  /** Quarantines a batch in the metadata, so that it delays neither other batches nor readers. */
  async #putAside(queue: Queue, batch: Batch, error: unknown): Promise<void> {
    const { dataset } = queue;
    const { position } = batch;
    const { backlog, engine, logger, partialBatches } = this.#deps;
    const rows = (await rowsPerBatch(engine, dataset.id, position, position)).get(position);
    if (rows === batch.block.rows) return this.#onStored(queue, [batch]);
    await this.#keep(dataset.id, position);
    // Its dataset was deleted in the meantime.
    if (!queue.batches.some((queued) => queued.position === position)) return;
    if (rows === undefined) partialBatches.remove(dataset.id, [position]);
    else partialBatches.add(dataset.id, [position]);
    backlog.remove(queue, [batch]);
    logger.error(
      { dataset: dataset.id, position: String(position), ...failureDetail(error) },
      'batch quarantined: rejected by the engine, excluded from results, retried at startup',
    );
  }

  /**
   * Copies a rejected batch from the log to the metadata; resolved means durable, so the log may be
   * truncated past it.
   */
  async #keep(datasetId: number, position: bigint): Promise<void> {
    const { log, quarantine } = this.#deps;
    if (quarantine.has(position)) return;
    const frame = await log.readAt(position);
    if (frame === undefined) throw new Error(`the log has no frame ${position}`);
    await quarantine.keep(position, datasetId, frame.payload);
  }
}

/**
 * Whether a queue with a doubtful batch has to wait: there is nothing else to try, or another one
 * is doubtful and nothing was inserted since.
 */
const mustWait = ({ batches, failed }: Queue): boolean => failed.severalInVain || batches.length === 1;
