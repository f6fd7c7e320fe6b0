import { EngineError, shardOf } from '@millrace/engine';
import type { Log } from '@millrace/log';
import { OneByOne } from '../../async/one-by-one.js';
import { failureDetail } from '../failure-detail.js';
import type { StorageLimits } from '../storage-limits.js';
import { rowsPerBatch } from '../tables/rows-of-batches.js';
import { tableOf } from '../tables/table-of-dataset.js';
import type { Backlog } from './backlog.js';
import { blameOf } from './blame.js';
import type { InsertDependencies } from './insert-group.js';
import type { PartlyIn } from './partly-in.js';
import type { Batch, Queue } from './queue.js';
import type { RefusedBatches } from './refused.js';
import { takesTrial } from './trial.js';

export interface InserterDependencies extends InsertDependencies {
  readonly log: Log;
  readonly backlog: Backlog;
  readonly refused: RefusedBatches;
  readonly partlyIn: PartlyIn;
  readonly limits: StorageLimits;
  /** Called after each insert, for the metrics. */
  readonly flushed: (outcome: 'stored' | 'failed', seconds: number) => void;
  /** Called when rows have come into the engine. */
  readonly stored: (datasetId: number) => void;
}

/**
 * After this many pauses between tries of a queue in which nothing goes in, the engine is put on
 * trial.
 */
const pausesBeforeTrial = 60;

/**
 * With this many batches put aside no trial helps any more. The fault is not in one of them: all
 * that follow would go to the metadata, without a limit.
 */
const mostAside = 100;

/**
 * What follows when an insert fails: smaller groups, a trial of the engine, batches that are put
 * aside. `FailedBatches` says what is known of each.
 */
export class FailedInserts {
  readonly #deps: InserterDependencies;
  readonly #trials = new OneByOne();
  readonly #done: (queue: Queue, stored: readonly Batch[]) => Promise<void>;

  /** @param done takes batches that the engine has from their queue */
  constructor(deps: InserterDependencies, done: (queue: Queue, stored: readonly Batch[]) => Promise<void>) {
    this.#deps = deps;
    this.#done = done;
  }

  /**
   * Decides what becomes of a group whose insert failed.
   * @throws the error if the queue has to wait
   */
  async handle(queue: Queue, group: readonly Batch[], error: unknown): Promise<void> {
    const { failed } = queue;
    failed.addUnsure(group);
    const blame = blameOf(error);
    // A column that was known may be gone.
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
    return this.#deps.refused.has(position);
  }

  /**
   * Whether the engine takes something else when nothing of the queue has gone in for long. Nothing
   * else may ever come, and until the queue is empty every query, backup and deletion of its
   * dataset fails. So a row in another table then stands in for batches that go in: those that fail
   * once more are put aside. After a trial that fails the engine has as much time again.
   */
  async #passesTrial(queue: Queue): Promise<boolean> {
    const { engine, limits, refused } = this.#deps;
    const waited = queue.failed.waited(performance.now());
    if (refused.list().length >= mostAside) return false;
    if (waited < pausesBeforeTrial * limits.retryMilliseconds) return false;
    const passed = await this.#trials.run(() => takesTrial(shardOf(engine, tableOf(queue.dataset.id))));
    if (passed) queue.failed.passedTrial();
    else queue.failed.waitAnew(performance.now());
    return passed;
  }

  /**
   * Keeps a batch in the metadata, so that it holds up neither the others nor those who wait for
   * them.
   */
  async #putAside(queue: Queue, batch: Batch, error: unknown): Promise<void> {
    const { dataset } = queue;
    const { position } = batch;
    const { backlog, engine, logger, partlyIn } = this.#deps;
    const rows = (await rowsPerBatch(engine, dataset.id, position, position)).get(position);
    if (rows === batch.block.rows) return this.#done(queue, [batch]);
    await this.#keep(dataset.id, position);
    // Its dataset was deleted meanwhile.
    if (!queue.batches.some((queued) => queued.position === position)) return;
    if (rows === undefined) partlyIn.remove(dataset.id, [position]);
    else partlyIn.add(dataset.id, [position]);
    backlog.remove(queue, [batch]);
    logger.error(
      { dataset: dataset.id, position: String(position), ...failureDetail(error) },
      'the engine does not take a batch of events; it is kept, is missing from answers, and is tried again after each start',
    );
  }

  /**
   * Copies a batch that the engine refuses from the log to the metadata; resolved means durable,
   * and the log may release it.
   */
  async #keep(datasetId: number, position: bigint): Promise<void> {
    const { log, refused } = this.#deps;
    if (refused.has(position)) return;
    const frame = await log.readAt(position);
    if (frame === undefined) throw new Error(`the log has no frame ${position}`);
    await refused.keep(position, datasetId, frame.payload);
  }
}

/**
 * Whether a queue with a doubtful batch has to wait: there is nothing else to try, or another one
 * is doubtful and nothing has gone in since.
 */
const mustWait = ({ batches, failed }: Queue): boolean => failed.severalInVain || batches.length === 1;
