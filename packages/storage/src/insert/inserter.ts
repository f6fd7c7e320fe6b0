import type { Expr } from '@millrace/sql';
import { classifyInsertError } from './classify-error.js';
import { releaseBlocks } from './release-blocks.js';
import { FailedInserts, type InserterDependencies } from './failed-inserts.js';
import { insertGroup, remember } from './insert-group.js';
import { type Batch, nextGroup, type Queue } from './queue.js';
import { missingRows, rowsToInsert } from './rows-to-insert.js';
import { rowsPerBatch } from '../tables/rows-of-batches.js';
import { tableOf } from '../tables/table-of-dataset.js';

/**
 * Inserts the batches of a queue into the engine, each exactly once however inserts end: a batch
 * that may be partially stored is compared and completed, one rejected in a group is tried in
 * smaller ones, and one rejected alone is quarantined.
 */
export class Inserter {
  readonly #deps: InserterDependencies;
  readonly #failures: FailedInserts;

  constructor(deps: InserterDependencies) {
    this.#deps = deps;
    this.#failures = new FailedInserts(deps, (queue, batches) => this.#finish(queue, batches));
  }

  /**
   * One step: inserts the next group, or, after an insert that failed, compares its batches with
   * the engine's rows.
   * @throws failures not caused by the batches themselves, or not known to be; the whole queue then
   * waits a while
   */
  async next(queue: Queue): Promise<void> {
    try {
      await this.#step(queue);
    } catch (error) {
      // Time as doubtful does not count against batches while nothing could be inserted.
      if (classifyInsertError(error) === 'engine') queue.failed.waitNoLonger();
      throw error;
    }
  }

  async #step(queue: Queue): Promise<void> {
    const pinned = this.#pinnedBatches(queue);
    if (pinned !== undefined) return this.#repeat(queue, pinned);
    const unsure = queue.batches.filter((batch) => queue.failed.isUnsure(batch));
    if (unsure.length > 0) return this.#reconcile(queue, unsure);
    const group = nextGroup(queue, this.#deps.limits.insertBytes);
    await this.#attempt(queue, group, this.#missingRows(queue, group));
  }

  /**
   * The batches of an insert that may be in flight: until it is known to be over, neither others
   * nor these in another grouping are inserted.
   */
  #pinnedBatches({ dataset, batches }: Queue): readonly Batch[] | undefined {
    const pin = this.#deps.pins?.of(dataset.id);
    if (pin === undefined) return undefined;
    const positions = new Set(pin.positions);
    const group = batches.filter(({ position }) => positions.has(position));
    if (group.length === pin.positions.length) return group;
    this.#deps.pins?.release(dataset.id);
    return undefined;
  }

  /** Repeats an insert that may be stored, completely or in part, and checks the result. */
  async #repeat(queue: Queue, group: readonly Batch[]): Promise<void> {
    const { pins, engine } = this.#deps;
    const { dataset } = queue;
    const [first] = group;
    const isMissing = first !== undefined && pins?.of(dataset.id)?.missing === true;
    await this.#attempt(queue, group, isMissing ? missingRows(tableOf(dataset.id), first) : undefined, async () => {
      const present = await rowsPerBatch(engine, dataset.id, first!.position, group.at(-1)!.position);
      return group.every(
        ({ position, block, notBefore }) => notBefore !== undefined || present.get(position) === block.rows,
      );
    });
  }

  /**
   * Inserts a group. A failure is either handled, so that the queue can continue, or thrown.
   * @param isWhole called after an insert that had been sent before: the engine may know its token
   * without having its rows
   */
  async #attempt(
    queue: Queue,
    group: readonly Batch[],
    where?: Expr,
    isWhole: () => Promise<boolean> = () => Promise.resolve(true),
  ): Promise<void> {
    const { pins } = this.#deps;
    const started = performance.now();
    await remember(this.#deps, queue.dataset, group);
    try {
      await insertGroup(this.#deps, queue, group, rowsToInsert(group, where));
    } catch (error) {
      if (pins?.of(queue.dataset.id) === undefined) return this.#failures.handle(queue, group, error);
      // It may still be stored later.
      queue.failed.addUnsure(group);
      queue.dataset.tableColumns.clear();
      throw error;
    }
    const whole = await isWhole();
    pins?.release(queue.dataset.id);
    if (!whole) return queue.failed.addUnsure(group);
    this.#deps.flushed('stored', (performance.now() - started) / 1000);
    queue.failed.recordSuccess(group.length);
    await this.#finish(queue, group);
    releaseBlocks(group);
  }

  /** The engine may have a part of a doubtful batch. */
  #missingRows({ dataset, failed }: Queue, [first]: readonly Batch[]): Expr | undefined {
    return first !== undefined && failed.stateOf(first) === 'doubtful'
      ? missingRows(tableOf(dataset.id), first)
      : undefined;
  }

  /**
   * Queries which rows of batches the engine has, removes complete batches from the queue and
   * completes partial ones. Batches queued during this stay as they are.
   */
  async #reconcile(queue: Queue, batches: readonly Batch[]): Promise<void> {
    const [first, last] = [batches[0]!.position, batches.at(-1)!.position];
    const present = await rowsPerBatch(this.#deps.engine, queue.dataset.id, first, last);
    const whole: Batch[] = [];
    const part: Batch[] = [];
    for (const batch of batches) {
      const rows = present.get(batch.position);
      if (rows === batch.block.rows) whole.push(batch);
      // Doubtful ones are tried later, without the rows that are stored.
      else if (rows !== undefined && queue.failed.stateOf(batch) !== 'doubtful') part.push(batch);
      else queue.failed.recordComparison(batch);
    }
    await this.#finish(queue, whole);
    for (const batch of part) {
      // Partially stored batches are completed first, each alone, so that no later insert merges
      // them with others.
      await this.#attempt(queue, [batch], missingRows(tableOf(queue.dataset.id), batch));
      if (queue.failed.isUnsure(batch)) return;
    }
  }

  async #finish(queue: Queue, stored: readonly Batch[]): Promise<void> {
    if (stored.length === 0) return;
    const { quarantine, partialBatches, backlog } = this.#deps;
    this.#deps.stored(queue.dataset.id);
    // If the metadata fails now, the batches are stored nevertheless and must not be inserted
    // again.
    queue.failed.addUnsure(stored);
    const kept = stored.map(({ position }) => position).filter((position) => quarantine.mayHave(position));
    for (const position of kept) await quarantine.remove(position);
    if (kept.length > 0) {
      partialBatches.remove(queue.dataset.id, kept);
      queue.dataset.invalidate();
    }
    queue.failure = undefined;
    queue.failed.waitNoLonger();
    backlog.remove(queue, stored);
  }
}
