import { setTimeout as sleep } from 'node:timers/promises';
import { type Engine, EngineError, shardOf } from '@millrace/engine';
import type { NativeBlocks } from '@millrace/events';
import type { Logger } from 'pino';
import { failureDetail } from '../failure-detail.js';
import type { StoredDataset } from '../fields/dataset.js';
import type { FieldStore } from '../fields/field-store.js';
import { classifyInsertError } from '../insert/classify-error.js';
import { inOnePartition } from '../insert/one-partition.js';
import { makeColumns } from '../insert/insert-group.js';
import type { Batch } from '../insert/queue.js';
import { recordRows } from '../tables/identifier-fields.js';
import { tableOf } from '../tables/table-of-dataset.js';
import type { KeyedLock, KeyedMutex } from '@millrace/runtime/async/mutex';
import { createSharedTable } from './cluster-table.js';
import { isFenced } from './fence.js';
import { allOf, batchesOf, type InsertOutcome, type InsertOutcomes, type Group, type SequencedBatch } from './group.js';
import { insertMissing, insertAllRows, type PreparedInsert, prepareGroup, removeGroup, rowsOf } from './group-rows.js';
import { isWritable } from './is-writable.js';

export interface GroupInsertDependencies {
  readonly engine: Engine;
  readonly logger: Logger;
  readonly fieldStore: Pick<FieldStore, 'add'>;
  /** Changes of a table's columns are serialized among all processes. */
  readonly columnTurns: KeyedLock<string>;
  /**
   * Per dataset: an insert must not overtake the one that publishes its fields.
   */
  readonly learning: Pick<KeyedMutex<number>, 'run'>;
  /** Whether a dataset still exists, according to the current metadata. */
  readonly exists: (datasetId: number) => Promise<boolean>;
  /** The kind of a dataset. Default: all have events. */
  readonly kindOf?: (datasetId: number) => string | undefined;
  readonly stopped: () => boolean;
  /**
   * The first pause before an insert is retried, milliseconds; later ones are longer. Default 50.
   */
  readonly firstPause?: number;
  /**
   * Called with each failed insert; returns whether the circuit breaker is open, so that batches
   * never sent are rejected.
   */
  readonly failed: (datasetId: number, error: EngineError) => boolean;
  readonly stored: (datasetId: number) => void;
  /** Called after each insert, for the metrics. */
  readonly flushed: (outcome: 'stored' | 'failed', seconds: number) => void;
}

const usualPause = 50;
/** Short first, because most failures pass at once. */
export const pauseBefore = (attempt: number, first = usualPause): number => first * 2 ** Math.min(attempt - 1, 3);
/** After this many unclear errors an insert is divided to find the failing batch. */
const unclearAttempts = 3;
/**
 * After this many responses without capacity the request fails: its client can retry as well as
 * this process.
 */
const fullAttempts = 3;

const storedOutcome: InsertOutcome = { kind: 'stored' };
const unknown: InsertOutcome = { kind: 'unknown' };
const refusedAs = (error: unknown): InsertOutcome => ({ kind: 'refused', error });

/**
 * Inserts a group exactly once; returns the outcome of each batch. An insert with an unknown
 * outcome is repeated with the same bytes and the same token until there is a response: the engine
 * drops rows it already has, even those of an earlier attempt that arrives late. Then the rows are
 * counted, because an engine that is killed may know a token without having its rows. Never
 * rejects.
 */
export async function storeGroup(deps: GroupInsertDependencies, group: Group): Promise<InsertOutcomes> {
  const { engine, logger, stopped } = deps;
  const { dataset, placed, token } = group;
  const batches = batchesOf(group);
  let native: PreparedInsert | undefined;
  /** Whether the engine may have rows of it. */
  let isUnsure = placed.some(({ member }) => member.own?.repeated === true);
  /** Whether an attempt without a response may still be running. */
  let isOpen = false;
  let unclear = 0;
  let full = 0;
  for (let attempt = 0; ; attempt++) {
    // Batches that were never sent are dropped when no request waits for them. A client whose
    // request timed out sends them again.
    if (!isUnsure && placed.every(({ member }) => member.isLeft())) return allOf(placed, refusedAs(notStoredError()));
    if (stopped()) return allOf(placed, isUnsure ? unknown : refusedAs(stoppingError()));
    if (attempt > 0) await sleep(pauseBefore(attempt, deps.firstPause));
    if (!isWritable(shardOf(engine, tableOf(dataset.id)))) continue;
    const began = performance.now();
    try {
      const { columns } = (native ??= prepareGroup(dataset, batches));
      await deps.learning.run(dataset.id, () => learn(deps, dataset, batches, columns));
      recordRows(engine, logger, dataset, native.rows);
      // The engine forgets tokens after a while, so stored batches are not sent again.
      if (!isUnsure || !(await isIn(engine, group))) {
        await insertAllRows(engine, dataset, batches, { native, token });
        if (isUnsure) await complete(deps, group, attempt);
      }
      deps.flushed('stored', (performance.now() - began) / 1000);
      deps.stored(dataset.id);
      return allOf(placed, storedOutcome);
    } catch (error) {
      deps.flushed('failed', (performance.now() - began) / 1000);
      if (!(error instanceof EngineError)) {
        // The metadata are unreachable, or this is a bug: nothing was sent in this attempt.
        if (classifyInsertError(error) !== 'engine' && ++unclear >= unclearAttempts) return divide(deps, group, error);
        logger.warn({ dataset: dataset.id, ...failureDetail(error) }, 'insert failed; retrying');
        continue;
      }
      if (isFenced(error)) {
        const fates = await fatesOfEnded(deps, group, { kind: 'fenced' }).catch(() => undefined);
        if (fates !== undefined) return fates;
        isUnsure = true;
        continue;
      }
      if (error.code === 'unknown-table' && !(await remade(deps, dataset.id).catch(() => true)))
        return allOf(placed, storedOutcome);
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
      logger.warn({ dataset: dataset.id, ...failureDetail(error) }, 'repeating an insert');
      if (classifyInsertError(error) === 'unclear' && ++unclear >= unclearAttempts) return divide(deps, group, error);
    }
  }
}

/**
 * An insert that never reached a server stored nothing; a temporarily rejected one neither, unless
 * it stored some of its partitions first.
 */
const mayBeIn = ({ outcome, detail }: EngineError, batches: readonly Batch[]): boolean =>
  outcome === 'unknown' || (detail.startsWith('Code: ') && !inOnePartition(batches));

/** For batches whose requests have already timed out. */
export const notStoredError = (): EngineError =>
  new EngineError('unavailable', 'none of the events were stored in time');
export const stoppingError = (): EngineError => new EngineError('unavailable', 'the server is stopping');

/**
 * Creates columns first, then publishes the fields, then inserts rows: a field that a query may
 * name has a column, and one that has rows is known.
 */
async function learn(
  { engine, fieldStore, columnTurns }: GroupInsertDependencies,
  dataset: StoredDataset,
  batches: readonly Batch[],
  columns: NativeBlocks['columns'],
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
 * Adds rows that are still missing after a repeated insert succeeded. No earlier attempt is in
 * flight: the engine has ended it, or will drop it by its token.
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
      'the engine skipped an insert as a duplicate, but has no rows of it',
    );
    // If earlier attempts may still be running, all attempts use the same token.
    const nth = engine.replication === undefined ? `${attempt}.` : '';
    await insertMissing(engine, dataset, batch, `${token}+${nth}${batch.position}`);
  }
}

/** The engine reported that it is full: too many parts, statements or bytes. */
export const isFull = ({ code, outcome }: EngineError): boolean =>
  outcome === 'elsewhere' && (code === 'overloaded' || code === 'disk-full');

/**
 * Outcomes of a group whose inserts have all ended: an attempt may have succeeded, or been stored
 * in part. Partially stored batches are removed.
 * @param absent the outcome of batches that are not stored
 * @throws EngineError
 */
async function fatesOfEnded(
  deps: GroupInsertDependencies,
  group: Group,
  absent: InsertOutcome,
): Promise<InsertOutcomes> {
  const { engine } = deps;
  const { dataset, placed } = group;
  const present = await rowsOf(engine, dataset, batchesOf(group));
  const fates: InsertOutcomes[number][] = [];
  for (const each of placed) {
    const rows = present.get(each.batch.position) ?? 0;
    if (rows === each.batch.block.rows) fates.push({ ...each, fate: storedOutcome });
    else {
      const isClear = rows === 0 || (await isRemoved(deps, dataset, each.batch));
      fates.push({ ...each, fate: isClear ? absent : unknown });
    }
  }
  return fates;
}

/**
 * Finds the batches that the engine rejects by inserting the halves of the group separately. No
 * insert is in flight; the engine may have rows of some batches.
 */
async function divide(deps: GroupInsertDependencies, group: Group, error: unknown): Promise<InsertOutcomes> {
  const { engine, logger } = deps;
  const { dataset, placed, token } = group;
  let present: ReadonlyMap<bigint, number>;
  try {
    present = await rowsOf(engine, dataset, batchesOf(group));
  } catch (unanswered) {
    return allOf(placed, refusedAs(unanswered));
  }
  const isWhole = ({ batch }: SequencedBatch): boolean => present.get(batch.position) === batch.block.rows;
  const whole = allOf(placed.filter(isWhole), storedOutcome);
  const left = placed.filter((each) => !isWhole(each));
  const [first] = left;
  if (first === undefined) return whole;
  if (placed.length > 1) {
    const half = Math.ceil(left.length / 2);
    const parts: InsertOutcomes[] = [whole];
    for (const [part, some] of [left.slice(0, half), left.slice(half)].entries())
      if (some.length > 0) parts.push(await storeGroup(deps, { dataset, placed: some, token: `${token}.${part}` }));
    return parts.flat();
  }
  logger.error({ dataset: dataset.id, ...failureDetail(error) }, 'the engine rejected the events of a request');
  // No part of it may stay when its client is told that it was rejected.
  const wasRemoved = !present.has(first.batch.position) || (await isRemoved(deps, dataset, first.batch));
  return allOf(left, wasRemoved ? refusedAs(new Error('the engine refuses the events', { cause: error })) : unknown);
}

const isRemoved = (
  { engine, firstPause = usualPause }: GroupInsertDependencies,
  dataset: StoredDataset,
  batch: Batch,
) => removeGroup(engine, dataset, batch, firstPause);

/** Recreates the table of a dataset, unless the dataset was deleted. */
async function remade(
  { engine, exists, kindOf = () => undefined }: GroupInsertDependencies,
  datasetId: number,
): Promise<boolean> {
  if (!(await exists(datasetId))) return false;
  await createSharedTable(engine, datasetId, kindOf(datasetId));
  return true;
}
