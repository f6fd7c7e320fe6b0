import { EngineError, type EngineErrorCode, type TableName } from '@millrace/engine';
import { TIME_COLUMN } from '@millrace/events';
import type { Log } from '@millrace/log';
import { and, call, column, type Expr, integer, item, literal, not, select } from '@millrace/sql';
import type { Backlog } from './backlog.js';
import { giveBack } from './give-back.js';
import { type InsertDependencies, insertGroup } from './insert-group.js';
import { type Batch, nextGroup, type Queue } from './queue.js';
import type { PartlyIn } from './partly-in.js';
import type { RefusedBatches } from './refused.js';
import { batchesWithRows, rowsPerBatch, tableOf } from '../tables/table.js';

export interface InserterDependencies extends InsertDependencies {
  readonly log: Log;
  readonly backlog: Backlog;
  readonly refused: RefusedBatches;
  readonly partlyIn: PartlyIn;
  /** One insert takes at most this many bytes, unless a single batch is larger. */
  readonly insertBytes: number;
  /** Called after each insert, for the metrics. */
  readonly flushed: (outcome: 'stored' | 'failed', seconds: number) => void;
  /** Called when rows have come into the engine. */
  readonly stored: () => void;
}

/** Failures caused by what a batch holds: trying fewer batches together shows which one it is, and repeating the same insert is useless. */
const contentErrors: ReadonlySet<EngineErrorCode> = new Set(['bad-value', 'rejected', 'too-complex', 'unknown-column']);
/** Failures that smaller inserts may avoid. */
const splittable: ReadonlySet<EngineErrorCode> = new Set([...contentErrors, 'memory-limit']);

/**
 * Inserts the batches of a queue into the engine, each exactly once however inserts end: a batch that may be half in is compared and completed, one
 * refused in a group is tried in smaller ones, and one refused alone is put aside.
 */
export class Inserter {
  readonly #deps: InserterDependencies;

  constructor(deps: InserterDependencies) {
    this.#deps = deps;
  }

  /**
   * One step: inserts the next group, or, after an insert that failed, compares its batches with what the engine has.
   * @throws failures not caused by the batches themselves; the whole queue then waits a while
   */
  async next(queue: Queue): Promise<void> {
    const unsure = queue.batches.filter(({ position }) => queue.unsure.has(position));
    if (unsure.length > 0) await this.#reconcile(queue, unsure);
    else await this.#attempt(queue, nextGroup(queue, this.#deps.insertBytes));
  }

  /**
   * Inserts a group. If the engine refuses it for what it holds, half of it is tried next; a batch that is refused
   * alone is put aside, so that it holds up neither the others nor those who wait for them.
   */
  async #attempt(queue: Queue, group: readonly Batch[], where?: Expr): Promise<void> {
    const started = performance.now();
    try {
      await insertGroup(this.#deps, queue, group, wanted(group, where));
    } catch (error) {
      for (const { position } of group) queue.unsure.add(position);
      // A column that was known may be gone.
      queue.dataset.tableColumns.clear();
      const code = error instanceof EngineError ? error.code : undefined;
      const alone = group.length === 1 && queue.suspects.has(group[0]!.position);
      if (code === undefined || !splittable.has(code) || (alone && !contentErrors.has(code))) throw error;
      this.#deps.flushed('failed', 0);
      for (const { position } of group) queue.suspects.add(position);
      // Halving finds one bad batch among many quickly; if many are bad, batches are soon tried one by one.
      queue.together = Math.max(1, Math.floor(group.length / 2));
      if (alone) await this.#putAside(queue, group[0]!, error as EngineError);
      return;
    }
    this.#deps.flushed('stored', (performance.now() - started) / 1000);
    queue.together = 2 * group.length;
    await this.#done(queue, group);
    giveBack(group);
  }

  /**
   * Asks the engine what it has of batches, drops those it has whole and completes those it has in part. Others may be queued meanwhile, of which this
   * learns nothing.
   */
  async #reconcile(queue: Queue, batches: readonly Batch[]): Promise<void> {
    const [first, last] = [batches[0]!.position, batches.at(-1)!.position];
    const present = await rowsPerBatch(this.#deps.engine, queue.dataset.id, first, last);
    const whole = batches.filter((batch) => present.get(batch.position) === batch.block.rows);
    const part = batches.filter(
      (batch) => present.has(batch.position) && present.get(batch.position) !== batch.block.rows,
    );
    for (const { position } of batches) if (!present.has(position)) queue.unsure.delete(position);
    await this.#done(queue, whole);
    for (const batch of part) {
      // Batches that were half in are completed first, each alone, so that no later insert merges them with others.
      await this.#attempt(queue, [batch], missingRows(tableOf(queue.dataset.id), batch));
      if (queue.unsure.has(batch.position)) return;
    }
  }

  async #done(queue: Queue, stored: readonly Batch[]): Promise<void> {
    if (stored.length === 0) return;
    const { refused, backlog } = this.#deps;
    this.#deps.stored();
    for (const { position } of stored) {
      // If the metadata fails now, the batch is in all the same and must not be inserted again.
      queue.unsure.add(position);
      if (refused.has(position)) await refused.remove(position);
    }
    queue.failure = undefined;
    backlog.remove(queue, stored);
  }

  async #putAside(queue: Queue, batch: Batch, { code, detail }: EngineError): Promise<void> {
    const { dataset } = queue;
    const { position } = batch;
    const { backlog, engine, logger, partlyIn } = this.#deps;
    const present = await batchesWithRows(engine, dataset.id, [position]);
    await this.#keep(dataset.id, position);
    // Its dataset was deleted meanwhile.
    if (!queue.batches.some((queued) => queued.position === position)) return;
    if (present.length > 0) partlyIn.add(dataset.id, present);
    else partlyIn.remove(dataset.id, [position]);
    backlog.remove(queue, [batch]);
    logger.error(
      { dataset: dataset.id, position: String(position), code, detail },
      'the engine refuses a batch of events; it is kept',
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
