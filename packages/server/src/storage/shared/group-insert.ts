import { setTimeout as sleep } from 'node:timers/promises';
import { type Engine, EngineError } from '@millrace/engine';
import { nativeBlocks, type NativeBlocks } from '@millrace/events';
import type { Expr } from '@millrace/sql';
import type { Logger } from 'pino';
import { failureDetail } from '../failure-detail.js';
import type { StoredDataset } from '../fields/dataset.js';
import type { FieldStore } from '../fields/field-store.js';
import { blameOf } from '../insert/blame.js';
import { inTimeOrder } from '../insert/in-time-order.js';
import { inOnePartition } from '../insert/one-partition.js';
import { makeColumns } from '../insert/insert-group.js';
import type { Batch } from '../insert/queue.js';
import { rowsPerPart, sizeOf } from '../insert/rows-per-part.js';
import { missingRows } from '../insert/rows-to-insert.js';
import { deleteBatch } from '../tables/delete-matching.js';
import { noteRows } from '../tables/identifying.js';
import { rowsPerBatch } from '../tables/rows-of-batches.js';
import { tableOf } from '../tables/table-of-dataset.js';
import type { TurnsFor } from '../../async/one-by-one.js';
import { NotConfirmed } from './not-confirmed.js';
import { createSharedTable } from './shared-table.js';
import { batchesOf, type Group, type Member } from './group.js';

export interface GroupInsertDependencies {
  readonly engine: Engine;
  readonly logger: Logger;
  readonly fieldStore: Pick<FieldStore, 'add'>;
  /** Changes of a table's columns take turns among all processes. */
  readonly columnTurns: TurnsFor<string>;
  /** Whether a dataset is there still, as it is known everywhere now. */
  readonly exists: (datasetId: number) => Promise<boolean>;
  readonly stopped: () => boolean;
  /**
   * The first pause before an insert is sent again, milliseconds; later ones are longer.
   * Default 50.
   */
  readonly firstPause?: number;
  /** Called after each insert, for the metrics. */
  readonly flushed: (outcome: 'stored' | 'failed', seconds: number) => void;
}

/** Short first, because most failures pass at once. */
const pauseBefore = (attempt: number, first = 50): number => first * 2 ** Math.min(attempt - 1, 3);
/**
 * Answered so often that something is wrong, without saying what, an insert is divided to find out
 * which batch it is.
 */
const unclearAttempts = 3;

/**
 * Brings a group into the engine, exactly once, and says to each member what became of it. An
 * insert with an unknown outcome is repeated with the same bytes and the same token until it is
 * answered: the engine drops what it has already, also an earlier attempt that arrives late. Then
 * the rows are counted, because an engine that is killed may know a token whose rows it has not.
 * Never rejects.
 */
export async function storeGroup(deps: GroupInsertDependencies, group: Group): Promise<void> {
  const { engine, logger, stopped } = deps;
  const { dataset, members, token } = group;
  const batches = batchesOf(group);
  let native: Prepared | undefined;
  /** Whether the engine may have rows of it. */
  let isUnsure = false;
  let unclear = 0;
  for (let attempt = 0; ; attempt++) {
    // What was never sent need not be, when nobody waits for it. Whoever was told that nothing is
    // known sends it again.
    if (!isUnsure && members.every((member) => member.isLeft())) return members.forEach(({ refused }) => refused(gone));
    if (stopped()) return members.forEach(({ refused }) => refused(isUnsure ? new NotConfirmed() : stopping()));
    if (attempt > 0) await sleep(pauseBefore(attempt, deps.firstPause));
    if (engine.health().state !== 'ready') continue;
    const began = performance.now();
    try {
      native ??= prepared(dataset, batches);
      await learn(deps, dataset, batches, native);
      noteRows(engine, logger, dataset, native.rows);
      // An engine forgets tokens in time, so what is there already is not sent again.
      if (!isUnsure || !(await isIn(engine, group))) {
        await insert(engine, dataset, native, { token });
        if (isUnsure) await complete(deps, group, attempt);
      }
      deps.flushed('stored', (performance.now() - began) / 1000);
      return members.forEach(({ stored }) => stored());
    } catch (error) {
      deps.flushed('failed', (performance.now() - began) / 1000);
      if (!(error instanceof EngineError)) {
        // The metadata are away, or this program made a mistake: nothing was sent in this attempt.
        if (blameOf(error) !== 'engine' && ++unclear >= unclearAttempts) return divide(deps, group, error);
        logger.warn({ dataset: dataset.id, ...failureDetail(error) }, 'events could not be stored; it is tried again');
        continue;
      }
      if (error.code === 'unknown-table' && !(await remade(deps, dataset.id).catch(() => true)))
        return members.forEach(({ stored }) => stored());
      if (error.code === 'unknown-column' || error.code === 'unknown-table') {
        dataset.tableColumns.clear();
        if (++unclear < unclearAttempts) continue;
      }
      if (error.outcome === 'refused') return divide(deps, group, error);
      isUnsure ||= mayBeIn(error, batches);
      logger.warn({ dataset: dataset.id, ...failureDetail(error) }, 'an insert has to be repeated');
      if (blameOf(error) === 'unclear' && ++unclear >= unclearAttempts) return divide(deps, group, error);
    }
  }
}

/**
 * What never reached a server is not in; what one does not take now is not in either, unless it
 * took some of its partitions first.
 */
const mayBeIn = ({ outcome, detail }: EngineError, batches: readonly Batch[]): boolean =>
  outcome === 'unknown' || (detail.startsWith('Code: ') && !inOnePartition(batches));

/** Nobody waits to be told. */
const gone = new EngineError('unavailable', 'nothing of this was stored in time');
const stopping = (): EngineError => new EngineError('unavailable', 'the server is stopping');

interface Prepared extends NativeBlocks {
  readonly perPart: number | undefined;
}

/** The bytes of an insert, which stay the same however often it is sent. */
function prepared(dataset: StoredDataset, batches: readonly Batch[]): Prepared {
  const parts = inTimeOrder(batches).map(({ block, position, arrival }) => ({ block, seq: position, arrival }));
  const perPart = rowsPerPart(sizeOf(batches), false);
  const blockRows = perPart === undefined ? {} : { blockRows: perPart };
  return { ...nativeBlocks(parts, { habits: dataset.textHabits, ...blockRows }), perPart };
}

/**
 * Columns first, then their names for everybody, then rows: a field that a query may name has a
 * column, and one that has rows is known.
 */
async function learn(
  { engine, fieldStore, columnTurns }: GroupInsertDependencies,
  dataset: StoredDataset,
  batches: readonly Batch[],
  { columns }: NativeBlocks,
): Promise<void> {
  if (columns.some(({ name }) => !dataset.tableColumns.has(name)))
    await columnTurns.run(String(dataset.id), () => makeColumns(engine, dataset, batches, columns));
  for (const { block } of batches) dataset.learn(block, []);
  const news = dataset.takeNews();
  if (news.length === 0) return;
  try {
    await fieldStore.add(dataset.id, news);
  } catch (error) {
    dataset.returnNews(news);
    throw error;
  }
}

interface How {
  readonly token: string;
  readonly where?: Expr;
}

const insert = (engine: Engine, dataset: StoredDataset, native: Prepared, how: How): Promise<void> =>
  engine.insert({
    table: tableOf(dataset.id),
    columns: native.columns,
    chunks: native.chunks,
    ...(native.perPart !== undefined && { rowsPerPart: native.perPart }),
    ...how,
  });

/** How many rows the engine has of each of some batches. */
function rowsOf(engine: Engine, dataset: StoredDataset, batches: readonly Batch[]): ReturnType<typeof rowsPerBatch> {
  const positions = batches.map(({ position }) => position).toSorted((a, b) => (a < b ? -1 : 1));
  return rowsPerBatch(engine, dataset.id, positions[0]!, positions.at(-1)!);
}

/** Whether the engine has all rows of a group. */
async function isIn(engine: Engine, group: Group): Promise<boolean> {
  const batches = batchesOf(group);
  const present = await rowsOf(engine, group.dataset, batches);
  return batches.every(({ position, block }) => present.get(position) === block.rows);
}

/**
 * Adds the rows that are missing after an insert was answered that had to be repeated. No earlier
 * attempt is under way any more: the engine has ended it, and knows the token of one that begins
 * later.
 * @param attempt makes tokens that were not used before
 */
async function complete(deps: GroupInsertDependencies, group: Group, attempt: number): Promise<void> {
  const { engine, logger } = deps;
  const { dataset, token } = group;
  const batches = batchesOf(group);
  const present = await rowsOf(engine, dataset, batches);
  for (const batch of batches) {
    const rows = present.get(batch.position) ?? 0;
    if (rows === batch.block.rows) continue;
    logger.warn(
      { dataset: dataset.id, position: String(batch.position), rows, of: batch.block.rows },
      'the engine knew the token of an insert whose rows it had not',
    );
    const native = prepared(dataset, [batch]);
    const where = missingRows(tableOf(dataset.id), batch);
    await insert(engine, dataset, native, { token: `${token}+${attempt}.${batch.position}`, where });
  }
}

/**
 * Finds out which batches the engine does not take: the halves are inserted by themselves. Nothing
 * is under way; of some batches it may have rows.
 */
async function divide(deps: GroupInsertDependencies, group: Group, error: unknown): Promise<void> {
  const { engine, logger } = deps;
  const { dataset, members, token } = group;
  let present: ReadonlyMap<bigint, number>;
  try {
    present = await rowsOf(engine, dataset, batchesOf(group));
  } catch (unanswered) {
    return members.forEach(({ refused }) => refused(unanswered));
  }
  const isWhole = ({ batch }: Member): boolean => present.get(batch.position) === batch.block.rows;
  members.filter(isWhole).forEach(({ stored }) => stored());
  const left = members.filter((member) => !isWhole(member));
  const [first] = left;
  if (first === undefined) return;
  if (members.length > 1) {
    const half = Math.ceil(left.length / 2);
    for (const [part, some] of [left.slice(0, half), left.slice(half)].entries())
      if (some.length > 0) await storeGroup(deps, { dataset, members: some, token: `${token}.${part}` });
    return;
  }
  logger.error({ dataset: dataset.id, ...failureDetail(error) }, 'the engine refuses the events of a request');
  // Half of it must not stay when its client is told that it was refused.
  const isGone = !present.has(first.batch.position) || (await removed(deps, dataset, first.batch));
  first.refused(isGone ? new Error('the engine refuses the events', { cause: error }) : new NotConfirmed());
}

const removals = 3;

/** Removes what the engine has of a batch; whether that succeeded. */
async function removed(
  { engine, firstPause }: GroupInsertDependencies,
  { id }: StoredDataset,
  { position }: Batch,
): Promise<boolean> {
  for (let attempt = 1; attempt <= removals; attempt++) {
    try {
      await deleteBatch(engine, id, position);
      return true;
    } catch {
      await sleep(pauseBefore(attempt, firstPause));
    }
  }
  return false;
}

/** Makes the table of a dataset anew, unless the dataset was deleted. */
async function remade({ engine, exists }: GroupInsertDependencies, datasetId: number): Promise<boolean> {
  if (!(await exists(datasetId))) return false;
  await createSharedTable(engine, datasetId);
  return true;
}
