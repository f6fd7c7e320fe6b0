import { setTimeout as sleep } from 'node:timers/promises';
import type { Engine } from '@millrace/engine';
import { nativeBlocks, type NativeBlocks } from '@millrace/events';
import { and, type Expr } from '@millrace/sql';
import type { StoredDataset } from '../fields/dataset.js';
import { inTimeOrder } from '../insert/in-time-order.js';
import type { Batch } from '../insert/queue.js';
import { rowsPerPart, sizeOf } from '../insert/rows-per-part.js';
import { missingRows } from '../insert/rows-to-insert.js';
import { deleteBatch } from '../tables/delete-matching.js';
import { certainRows } from '../tables/rows-of-batches.js';
import { tableOf } from '../tables/table-of-dataset.js';
import { notFenced } from './fence.js';

/** Rows of batches in the engine: counting, completing and removing them. */

export interface PreparedInsert extends NativeBlocks {
  readonly perPart: number | undefined;
}

/** The bytes of an insert, identical for every attempt. */
export function prepareGroup(dataset: StoredDataset, batches: readonly Batch[]): PreparedInsert {
  const parts = inTimeOrder(batches).map(({ block, position, arrival }) => ({ block, seq: position, arrival }));
  const perPart = rowsPerPart(sizeOf(batches), false);
  const blockRows = perPart === undefined ? {} : { blockRows: perPart };
  return { ...nativeBlocks(parts, { habits: dataset.textHabits, ...blockRows }), perPart };
}

interface How {
  readonly token: string;
  readonly where: Expr;
}

const insert = (engine: Engine, dataset: StoredDataset, native: PreparedInsert, how: How): Promise<void> =>
  engine.insert({
    table: tableOf(dataset.id),
    columns: native.columns,
    chunks: native.chunks,
    ...(native.perPart !== undefined && { rowsPerPart: native.perPart }),
    ...how,
  });

/** Inserts complete batches, in the order of their positions. @throws EngineError */
export const insertAllRows = (
  engine: Engine,
  dataset: StoredDataset,
  batches: readonly Batch[],
  { native, token }: { readonly native: PreparedInsert; readonly token: string },
): Promise<void> => insert(engine, dataset, native, { token, where: notFenced(batches[0]!.position) });

/** Inserts the rows of a batch that the engine does not have. @throws EngineError */
export const insertMissing = (engine: Engine, dataset: StoredDataset, batch: Batch, token: string): Promise<void> =>
  insert(engine, dataset, prepareGroup(dataset, [batch]), {
    token,
    where: and(notFenced(batch.position), missingRows(tableOf(dataset.id), batch)),
  });

/** How many rows of each batch the engine certainly has. */
export function rowsOf(
  engine: Engine,
  dataset: StoredDataset,
  batches: readonly Batch[],
): ReturnType<typeof certainRows> {
  const positions = batches.map(({ position }) => position).toSorted((a, b) => (a < b ? -1 : 1));
  return certainRows(engine, dataset.id, positions[0]!, positions.at(-1)!);
}

const removals = 3;

/**
 * Removes the rows of a batch from the engine; returns whether that succeeded.
 * @param pause before another attempt, milliseconds
 */
export async function removeGroup(
  engine: Engine,
  { id }: StoredDataset,
  { position }: Pick<Batch, 'position'>,
  pause: number,
): Promise<boolean> {
  for (let attempt = 1; attempt <= removals; attempt++) {
    try {
      await deleteBatch(engine, id, position);
      return true;
    } catch {
      await sleep(pause * 2 ** (attempt - 1));
    }
  }
  return false;
}
