import { EngineError, type TableName } from '@millrace/engine';
import { TIME_COLUMN } from '@millrace/events';
import type { Log } from '@millrace/log';
import { and, call, column, type Expr, integer, item, literal, not, select } from '@millrace/sql';
import { OneByOne } from '../../async/one-by-one.js';
import { failureDetail } from '../failure-detail.js';
import type { StorageLimits } from '../storage-limits.js';
import type { Backlog } from './backlog.js';
import { blameOf } from './blame.js';
import { giveBack } from './give-back.js';
import { type InsertDependencies, insertGroup, remember } from './insert-group.js';
import { type Batch, nextGroup, outlived, type Queue } from './queue.js';
import type { PartlyIn } from './partly-in.js';
import type { RefusedBatches } from './refused.js';
import { takesTrial } from './trial.js';
import { rowsPerBatch } from '../tables/rows-of-batches.js';
import { tableOf } from '../tables/table-of-dataset.js';

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

/** After this many pauses between tries of a queue in which nothing goes in, the engine is put on trial. */
const pausesBeforeTrial = 60;

/** With this many batches put aside no trial helps any more. The fault is not in one of them: all that follow would go to the metadata, without a limit. */
const mostAside = 100;

/**
 * Inserts the batches of a queue into the engine, each exactly once however inserts end: a batch that may be half in is compared and completed, one
 * refused in a group is tried in smaller ones, and one refused alone is put aside.
 */
export class Inserter {
  readonly #deps: InserterDependencies;
  readonly #trials = new OneByOne();

  constructor(deps: InserterDependencies) {
    this.#deps = deps;
  }

  /**
   * One step: inserts the next group, or, after an insert that failed, compares its batches with what the engine has.
   * @throws failures not caused by the batches themselves, or not known to be; the whole queue then waits a while
   */
  async next(queue: Queue): Promise<void> {
    try {
      await this.#step(queue);
    } catch (error) {
      // How long batches have been doubtful says nothing about them if nothing could go in meanwhile.
      if (blameOf(error) === 'engine') queue.doubtfulSince = undefined;
      throw error;
    }
  }

  async #step(queue: Queue): Promise<void> {
    const unsure = queue.batches.filter(({ position }) => queue.unsure.has(position));
    if (unsure.length > 0) return this.#reconcile(queue, unsure);
    const group = nextGroup(queue, this.#deps.limits.insertBytes);
    await this.#attempt(queue, group, this.#missing(queue, group));
  }

  /** Inserts a group. A failure is either dealt with, so that the queue can go on, or thrown. */
  async #attempt(queue: Queue, group: readonly Batch[], where?: Expr): Promise<void> {
    const started = performance.now();
    await remember(this.#deps, queue.dataset, group);
    try {
      await insertGroup(this.#deps, queue, group, wanted(group, where));
    } catch (error) {
      await this.#failed(queue, group, error);
      return;
    }
    this.#deps.flushed('stored', (performance.now() - started) / 1000);
    queue.together = 2 * group.length;
    queue.inserts++;
    await this.#done(queue, group);
    giveBack(group);
  }

  /**
   * If a batch may be to blame, half of the group is tried next.
   * @throws the error if the queue has to wait
   */
  async #failed(queue: Queue, group: readonly Batch[], error: unknown): Promise<void> {
    for (const { position } of group) queue.unsure.add(position);
    const blame = blameOf(error);
    // A column that was known may be gone.
    const unknownColumn = error instanceof EngineError && error.code === 'unknown-column';
    if (blame !== 'batch' || unknownColumn) queue.dataset.tableColumns.clear();
    if (blame === 'engine') throw error;
    // Halving finds one bad batch among many quickly; if many are bad, batches are soon tried one by one.
    queue.together = Math.max(1, Math.floor(group.length / 2));
    const [first] = group;
    const alone = first !== undefined && group.length === 1 && queue.suspects.has(first.position);
    for (const { position } of group) queue.suspects.add(position);
    const guilty = alone && (blame === 'batch' || this.#provenBad(queue, first));
    if (alone && !guilty && mustWait(queue, first) && !(await this.#passesTrial(queue))) throw error;
    this.#deps.flushed('failed', 0);
    if (guilty) await this.#putAside(queue, first, error);
  }

  /** Whether others went in between two failures of a batch alone, or it was put aside before. */
  #provenBad(queue: Queue, batch: Batch): boolean {
    return outlived(queue, batch) || this.#deps.refused.has(batch.position);
  }

  /**
   * Whether the engine takes something else when nothing of the queue has gone in for long. Nothing else may ever come, and until the queue is empty every
   * query, backup and deletion of its dataset fails. So a row in another table then stands in for batches that go in: those that fail once more are put
   * aside. After a trial that fails the engine has as much time again.
   */
  async #passesTrial(queue: Queue): Promise<boolean> {
    const { engine, limits, refused } = this.#deps;
    queue.doubtfulSince ??= performance.now();
    if (refused.list().length >= mostAside) return false;
    if (performance.now() - queue.doubtfulSince < pausesBeforeTrial * limits.retryMilliseconds) return false;
    const passed = await this.#trials.run(() => takesTrial(engine));
    if (passed) queue.inserts++;
    else queue.doubtfulSince = performance.now();
    return passed;
  }

  /** The engine may have a part of a doubtful batch. */
  #missing({ dataset, doubtful }: Queue, [first]: readonly Batch[]): Expr | undefined {
    return first !== undefined && doubtful.has(first.position) ? missingRows(tableOf(dataset.id), first) : undefined;
  }

  /**
   * Asks the engine what it has of batches, takes those it has whole from the queue and completes those it has in part. Batches that are queued meanwhile
   * stay as they are.
   */
  async #reconcile(queue: Queue, batches: readonly Batch[]): Promise<void> {
    const [first, last] = [batches[0]!.position, batches.at(-1)!.position];
    const present = await rowsPerBatch(this.#deps.engine, queue.dataset.id, first, last);
    const whole: Batch[] = [];
    const part: Batch[] = [];
    for (const batch of batches) {
      const rows = present.get(batch.position);
      if (rows === batch.block.rows) whole.push(batch);
      // Doubtful ones have their turn later, without the rows that are in.
      else if (rows !== undefined && !queue.doubtful.has(batch.position)) part.push(batch);
      else queue.unsure.delete(batch.position);
    }
    await this.#done(queue, whole);
    for (const batch of part) {
      // Batches that were half in are completed first, each alone, so that no later insert merges them with others.
      await this.#attempt(queue, [batch], missingRows(tableOf(queue.dataset.id), batch));
      if (queue.unsure.has(batch.position)) return;
    }
  }

  async #done(queue: Queue, stored: readonly Batch[]): Promise<void> {
    if (stored.length === 0) return;
    const { refused, partlyIn, backlog } = this.#deps;
    this.#deps.stored(queue.dataset.id);
    // If the metadata fails now, the batches are in all the same and must not be inserted again.
    for (const { position } of stored) queue.unsure.add(position);
    const kept = stored.map(({ position }) => position).filter((position) => refused.mayHave(position));
    for (const position of kept) await refused.remove(position);
    if (kept.length > 0) {
      partlyIn.remove(queue.dataset.id, kept);
      queue.dataset.changed();
    }
    queue.failure = undefined;
    queue.doubtfulSince = undefined;
    backlog.remove(queue, stored);
  }

  /** Keeps a batch in the metadata, so that it holds up neither the others nor those who wait for them. */
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

  /** Copies a batch that the engine refuses from the log to the metadata; resolved means durable, and the log may release it. */
  async #keep(datasetId: number, position: bigint): Promise<void> {
    const { log, refused } = this.#deps;
    if (refused.has(position)) return;
    const frame = await log.readAt(position);
    if (frame === undefined) throw new Error(`the log has no frame ${position}`);
    await refused.keep(position, datasetId, frame.payload);
  }
}

/** Notes that a batch failed alone. True if the queue has to wait: there is nothing else to try, or another batch failed like this and nothing has gone in since. */
function mustWait({ batches, doubtful, inserts }: Queue, { position }: Batch): boolean {
  const first = doubtful.get(position) ?? inserts;
  // It goes behind the others.
  doubtful.delete(position);
  doubtful.set(position, first);
  const lately = [...doubtful.values()].filter((before) => before === inserts);
  return lately.length > 1 || batches.length === 1;
}

/** Adds to a condition that leaves out rows which were deleted on purpose before they could be inserted. */
function wanted([first]: readonly Batch[], where: Expr | undefined): Expr | undefined {
  const notBefore = first?.notBefore;
  if (notBefore === undefined) return where;
  const time = call('fromUnixTimestamp64Nano', call('toInt64', integer(notBefore)), literal('UTC'));
  const young = call('greaterOrEquals', column(TIME_COLUMN), time);
  return where === undefined ? young : and(where, young);
}

/** A condition that holds for the rows of a batch that the table does not have. */
function missingRows({ database, table }: TableName, { position }: Batch): Expr {
  const present = select({
    columns: [item(column('_row'))],
    from: { kind: 'table', database, name: table },
    where: call('equals', column('_seq'), literal(position)),
  });
  return not({ kind: 'inSubquery', needle: column('_row'), query: present });
}
