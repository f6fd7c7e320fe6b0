import { type Engine, EngineError, hasEnded } from '@millrace/engine';
import { DICTIONARY_STRING, nativeBlocks, type NativeBlocks, parsePhysicalName } from '@millrace/events';
import type { Expr } from '@millrace/sql';
import type { Logger } from 'pino';
import type { Answers } from '../remembered-answers.js';
import type { StoredDataset } from '../fields/dataset.js';
import type { FieldStore } from '../fields/field-store.js';
import { noteRows } from '../tables/identifying.js';
import { inTimeOrder } from './in-time-order.js';
import { inOnePartition } from './one-partition.js';
import type { WordIndex } from '../words/word-index.js';
import type { Pins } from './pins.js';
import type { Batch, Queue } from './queue.js';
import { repeats } from './repeats.js';
import { rowsPerPart, sizeOf } from './rows-per-part.js';
import { isShort } from './short.js';
import { isSparse } from './sparse.js';
import { columnFor, type NewColumn } from '../tables/new-column.js';
import { addColumns, tableOf } from '../tables/table-of-dataset.js';

export interface InsertDependencies {
  readonly engine: Engine;
  readonly logger: Logger;
  readonly fieldStore: Pick<FieldStore, 'add'>;
  readonly answers: Pick<Answers, 'keep'>;
  /** Absent if there is no index of words. */
  readonly words?: Pick<WordIndex, 'before'>;
  /** Where tables are replicated. */
  readonly pins?: Pins;
}

/**
 * Inserts a group of batches of a queue with one insert, after making the columns of their rows.
 * Call `remember` first. Resolved means the rows are in.
 * @param where leaves out rows for which it does not hold
 */
export async function insertGroup(
  deps: InsertDependencies,
  queue: Queue,
  group: readonly Batch[],
  where?: Expr,
): Promise<void> {
  const { dataset } = queue;
  const parts = inTimeOrder(group).map(({ block, position, arrival }) => ({ block, seq: position, arrival }));
  // An insert that is repeated under its token has to be divided as it was before. One of the rows
  // that are missing has others each time.
  const { pins } = deps;
  const isDivided = pins === undefined || where === undefined;
  const perPart = isDivided ? rowsPerPart(sizeOf(group), pins === undefined && queue.waiters.length > 0) : undefined;
  // The engine divides no block, so the blocks are to be as large as the parts.
  const native = nativeBlocks(parts, {
    habits: dataset.textHabits,
    ...(perPart !== undefined && { blockRows: perPart }),
  });
  await makeColumns(deps.engine, dataset, group, native.columns);
  noteRows(deps.engine, deps.logger, dataset, native.rows);
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
  await (inOnePartition(group) ? insert() : dataset.wholeBatches.during(insert));
}

/**
 * Writes new fields, and the answers that belong to the batches, to the metadata before their rows
 * arrive.
 */
export async function remember(
  { fieldStore, answers }: InsertDependencies,
  dataset: StoredDataset,
  group: readonly Batch[],
): Promise<void> {
  const news = dataset.takeNews();
  try {
    if (news.length > 0) await fieldStore.add(dataset.id, news);
    await answers.keep(dataset.id, group);
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
    const repeat = type === DICTIONARY_STRING || repeats(name, group);
    return [columnFor(parsed, { repeat, short: isShort(name, group), sparse: isSparse(name, group) })];
  });
  await addColumns(engine, dataset.id, made);
  for (const { name } of missing) dataset.tableColumns.add(name);
}
