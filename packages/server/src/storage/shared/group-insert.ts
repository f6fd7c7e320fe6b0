import { setTimeout as sleep } from 'node:timers/promises';
import { type Engine, EngineError, shardOf } from '@millrace/engine';
import type { NativeBlocks } from '@millrace/events';
import type { Logger } from 'pino';
import { failureDetail } from '../failure-detail.js';
import type { StoredDataset } from '../fields/dataset.js';
import type { FieldStore } from '../fields/field-store.js';
import { blameOf } from '../insert/blame.js';
import { inOnePartition } from '../insert/one-partition.js';
import { makeColumns } from '../insert/insert-group.js';
import type { Batch } from '../insert/queue.js';
import { noteRows } from '../tables/identifying.js';
import { tableOf } from '../tables/table-of-dataset.js';
import type { TurnsFor } from '../../async/one-by-one.js';
import { createSharedTable } from './shared-table.js';
import { isGivenUp } from './fence.js';
import { allOf, batchesOf, type Fate, type Fates, type Group, type Placed } from './group.js';
import { insertMissing, insertWhole, type Prepared, prepared, removed, rowsOf } from './group-rows.js';
import { takesEvents } from './takes-events.js';

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
   * The first pause before an insert is sent again, milliseconds; later ones are longer. Default
   * 50.
   */
  readonly firstPause?: number;
  /**
   * Told of each insert that failed; whether the engine takes nothing at the moment, so that what
   * was never sent is refused.
   */
  readonly failed: (datasetId: number, error: EngineError) => boolean;
  readonly stored: (datasetId: number) => void;
  /** Called after each insert, for the metrics. */
  readonly flushed: (outcome: 'stored' | 'failed', seconds: number) => void;
}

const usualPause = 50;
/** Short first, because most failures pass at once. */
export const pauseBefore = (attempt: number, first = usualPause): number => first * 2 ** Math.min(attempt - 1, 3);
/**
 * Answered so often that something is wrong, without saying what, an insert is divided to find out
 * which batch it is.
 */
const unclearAttempts = 3;
/**
 * Answered so often that there is no room, whoever sent the events is told, who can wait as well as
 * this process.
 */
const fullAttempts = 3;

const stored: Fate = { kind: 'stored' };
const unknown: Fate = { kind: 'unknown' };
const refusedAs = (error: unknown): Fate => ({ kind: 'refused', error });

/**
 * Brings a group into the engine, exactly once; returns what became of each batch. An insert with
 * an unknown outcome is repeated with the same bytes and the same token until it is answered: the
 * engine drops what it has already, also an earlier attempt that arrives late. Then the rows are
 * counted, because an engine that is killed may know a token whose rows it has not. Never rejects.
 */
export async function storeGroup(deps: GroupInsertDependencies, group: Group): Promise<Fates> {
  const { engine, logger, stopped } = deps;
  const { dataset, placed, token } = group;
  const batches = batchesOf(group);
  let native: Prepared | undefined;
  /** Whether the engine may have rows of it. */
  let isUnsure = placed.some(({ member }) => member.own?.repeated === true);
  /** Whether an attempt may be under way of which nothing was heard. */
  let isOpen = false;
  let unclear = 0;
  let full = 0;
  for (let attempt = 0; ; attempt++) {
    // What was never sent need not be, when nobody waits for it. Whoever was told that nothing is
    // known sends it again.
    if (!isUnsure && placed.every(({ member }) => member.isLeft())) return allOf(placed, refusedAs(gone()));
    if (stopped()) return allOf(placed, isUnsure ? unknown : refusedAs(stopping()));
    if (attempt > 0) await sleep(pauseBefore(attempt, deps.firstPause));
    if (!takesEvents(shardOf(engine, tableOf(dataset.id)))) continue;
    const began = performance.now();
    try {
      native ??= prepared(dataset, batches);
      await learn(deps, dataset, batches, native);
      noteRows(engine, logger, dataset, native.rows);
      // An engine forgets tokens in time, so what is there already is not sent again.
      if (!isUnsure || !(await isIn(engine, group))) {
        await insertWhole(engine, dataset, batches, { native, token });
        if (isUnsure) await complete(deps, group, attempt);
      }
      deps.flushed('stored', (performance.now() - began) / 1000);
      deps.stored(dataset.id);
      return allOf(placed, stored);
    } catch (error) {
      deps.flushed('failed', (performance.now() - began) / 1000);
      if (!(error instanceof EngineError)) {
        // The metadata are away, or this program made a mistake: nothing was sent in this attempt.
        if (blameOf(error) !== 'engine' && ++unclear >= unclearAttempts) return divide(deps, group, error);
        logger.warn({ dataset: dataset.id, ...failureDetail(error) }, 'events could not be stored; it is tried again');
        continue;
      }
      if (isGivenUp(error)) {
        const fates = await fatesOfEnded(deps, group, { kind: 'given-up' }).catch(() => undefined);
        if (fates !== undefined) return fates;
        isUnsure = true;
        continue;
      }
      if (error.code === 'unknown-table' && !(await remade(deps, dataset.id).catch(() => true)))
        return allOf(placed, stored);
      if (error.code === 'unknown-column' || error.code === 'unknown-table') {
        dataset.tableColumns.clear();
        if (++unclear < unclearAttempts) continue;
      }
      if (error.outcome === 'refused') return divide(deps, group, error);
      isUnsure ||= mayBeIn(error, batches);
      isOpen ||= error.outcome === 'unknown';
      if (deps.failed(dataset.id, error) && !isUnsure) return allOf(placed, refusedAs(error));
      if (isFull(error) && !isOpen && ++full >= fullAttempts) {
        const fates = await fatesOfEnded(deps, group, refusedAs(error)).catch(() => undefined);
        if (fates !== undefined) return fates;
      }
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
export const gone = (): EngineError => new EngineError('unavailable', 'nothing of this was stored in time');
export const stopping = (): EngineError => new EngineError('unavailable', 'the server is stopping');

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
    // Where nobody can make certain that an earlier try is over, the next one is the same.
    const nth = engine.replication === undefined ? `${attempt}.` : '';
    await insertMissing(engine, dataset, batch, `${token}+${nth}${batch.position}`);
  }
}

/** The engine said that it has no room at the moment: for parts, statements or bytes. */
export const isFull = ({ code, outcome }: EngineError): boolean =>
  outcome === 'elsewhere' && (code === 'overloaded' || code === 'disk-full');

/**
 * What of a group is in of which nothing more can come: an attempt may have succeeded, or come half
 * in. A half is removed.
 * @param absent the fate of what is not
 * @throws EngineError
 */
async function fatesOfEnded(deps: GroupInsertDependencies, group: Group, absent: Fate): Promise<Fates> {
  const { engine } = deps;
  const { dataset, placed } = group;
  const present = await rowsOf(engine, dataset, batchesOf(group));
  const fates: Fates[number][] = [];
  for (const each of placed) {
    const rows = present.get(each.batch.position) ?? 0;
    if (rows === each.batch.block.rows) fates.push({ ...each, fate: stored });
    else {
      const isClear = rows === 0 || (await isRemoved(deps, dataset, each.batch));
      fates.push({ ...each, fate: isClear ? absent : unknown });
    }
  }
  return fates;
}

/**
 * Finds out which batches the engine does not take: the halves are inserted by themselves. Nothing
 * is under way; of some batches it may have rows.
 */
async function divide(deps: GroupInsertDependencies, group: Group, error: unknown): Promise<Fates> {
  const { engine, logger } = deps;
  const { dataset, placed, token } = group;
  let present: ReadonlyMap<bigint, number>;
  try {
    present = await rowsOf(engine, dataset, batchesOf(group));
  } catch (unanswered) {
    return allOf(placed, refusedAs(unanswered));
  }
  const isWhole = ({ batch }: Placed): boolean => present.get(batch.position) === batch.block.rows;
  const whole = allOf(placed.filter(isWhole), stored);
  const left = placed.filter((each) => !isWhole(each));
  const [first] = left;
  if (first === undefined) return whole;
  if (placed.length > 1) {
    const half = Math.ceil(left.length / 2);
    const parts: Fates[] = [whole];
    for (const [part, some] of [left.slice(0, half), left.slice(half)].entries())
      if (some.length > 0) parts.push(await storeGroup(deps, { dataset, placed: some, token: `${token}.${part}` }));
    return parts.flat();
  }
  logger.error({ dataset: dataset.id, ...failureDetail(error) }, 'the engine refuses the events of a request');
  // Half of it must not stay when its client is told that it was refused.
  const isGone = !present.has(first.batch.position) || (await isRemoved(deps, dataset, first.batch));
  return allOf(left, isGone ? refusedAs(new Error('the engine refuses the events', { cause: error })) : unknown);
}

const isRemoved = (
  { engine, firstPause = usualPause }: GroupInsertDependencies,
  dataset: StoredDataset,
  batch: Batch,
) => removed(engine, dataset, batch, firstPause);

/** Makes the table of a dataset anew, unless the dataset was deleted. */
async function remade({ engine, exists }: GroupInsertDependencies, datasetId: number): Promise<boolean> {
  if (!(await exists(datasetId))) return false;
  await createSharedTable(engine, datasetId);
  return true;
}
