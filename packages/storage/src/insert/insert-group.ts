import { type Engine, EngineError, hasEnded } from '@millrace/engine';
import { DICTIONARY_STRING, nativeBlocks, type NativeBlocks, parsePhysicalName } from '@millrace/events';
import type { Expr } from '@millrace/sql';
import type { Logger } from 'pino';
import type { IdempotencyStore } from '../idempotency-store.js';
import type { StoredDataset } from '../fields/dataset.js';
import type { FieldStore } from '../fields/field-store.js';
import { recordRows } from '../tables/identifier-fields.js';
import { inTimeOrder } from './in-time-order.js';
import { inOnePartition } from './one-partition.js';
import type { WordIndex } from '../term-index/term-index.js';
import type { InsertIntents } from './intents.js';
import type { Batch, Queue } from './queue.js';
import { isRepeatOf } from './repeats.js';
import { rowsPerPart, sizeOf } from './rows-per-part.js';
import { isShort } from './batch-size.js';
import { isSparse } from './density.js';
import { columnFor, type NewColumn } from '../tables/new-column.js';
import { addColumns, tableOf } from '../tables/table-of-dataset.js';

export interface InsertDependencies {
  readonly engine: Engine;
  readonly logger: Logger;
  readonly fieldStore: Pick<FieldStore, 'add'>;
  readonly idempotencyStore: Pick<IdempotencyStore, 'keep'>;
  /** Absent if there is no term index. */
  readonly words?: Pick<WordIndex, 'before'>;
  /** If tables are replicated. */
  readonly pins?: InsertIntents;
}

/**
 * Inserts a group of batches of a queue with one insert, after creating the columns of their rows.
 * Call `remember` first. Resolved means the rows are stored.
 * @param where excludes rows for which it does not hold
 */
export async function insertGroup(
  deps: InsertDependencies,
  queue: Queue,
  group: readonly Batch[],
  where?: Expr,
): Promise<void> {
  const { dataset } = queue;
  const parts = inTimeOrder(group).map(({ block, position, arrival }) => ({ block, seq: position, arrival }));
  // A repeated insert under its token must have the same parts as before. An insert of missing rows
  // has different ones each time.
  const { pins } = deps;
  const isDivided = pins === undefined || where === undefined;
  const perPart = isDivided ? rowsPerPart(sizeOf(group), pins === undefined && queue.waiters.length > 0) : undefined;
  // The engine divides no block, so blocks need the size of the parts.
  const native = nativeBlocks(parts, {
    habits: dataset.textHabits,
    ...(perPart !== undefined && { blockRows: perPart }),
  });
  await makeColumns(deps.engine, dataset, group, native.columns);
  recordRows(deps.engine, deps.logger, dataset, native.rows);
  await deps.words?.before(dataset, group);
  const pinned = await pins?.pin(dataset.id, group, where !== undefined);
  const insert = async (): Promise<void> => {
    try {
      await deps.engine.insert({
        table: tableOf(dataset.id),
        columns: native.columns,
        chunks: native.chunks,
        ...(perPart !== undefined && { rowsPerPart: perPart }),
        ...(where !== undefined && { where }),
        ...pinned,
      });
    } catch (error) {
      if (error instanceof EngineError && hasEnded(error)) pins?.release(dataset.id);
      throw error;
    }
  };
  await (inOnePartition(group) ? insert() : dataset.batchVisibility.hideDuring(insert));
}

/**
 * Writes new fields, and the responses that belong to the batches, to the metadata before their
 * rows reach the engine.
 */
export async function remember(
  { fieldStore, idempotencyStore }: InsertDependencies,
  dataset: StoredDataset,
  group: readonly Batch[],
): Promise<void> {
  const news = dataset.takeNews();
  try {
    if (news.length > 0) await fieldStore.add(dataset.id, news);
    await idempotencyStore.keep(dataset.id, group);
  } catch (error) {
    dataset.returnNews(news);
    throw error;
  }
}

/** Adds missing columns to the table before rows that use them arrive. */
export async function makeColumns(
  engine: Engine,
  dataset: StoredDataset,
  group: readonly Batch[],
  columns: NativeBlocks['columns'],
): Promise<void> {
  const missing = columns.filter(({ name }) => !dataset.tableColumns.has(name));
  const made = missing.flatMap(({ name, type }): readonly NewColumn[] => {
    const parsed = parsePhysicalName(name);
    if (parsed === undefined) return [];
    const repeat = type === DICTIONARY_STRING || isRepeatOf(name, group);
    return [columnFor(parsed, { repeat, short: isShort(name, group), sparse: isSparse(name, group) })];
  });
  await addColumns(engine, dataset.id, made);
  for (const { name } of missing) dataset.tableColumns.add(name);
}
