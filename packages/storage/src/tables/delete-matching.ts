import type { Engine } from '@millrace/engine';
import {
  and,
  call,
  column,
  item,
  literal,
  type Query,
  printExpr,
  printQuery,
  type Select,
  select,
} from '@millrace/sql';
import { queryNumbers } from './query.js';
import { inSystem, quotedTable } from './table-of-dataset.js';

/** A query for events, and its columns that identify them. */
export interface QueriedEvents {
  readonly query: Query;
  readonly rowId: { readonly time: string; readonly seq: string; readonly row: string };
  /** The datasets that the query reads. */
  readonly reads: readonly number[];
  /**
   * Runs a long statement when the scheduler allows it, within the granted memory; at once if left
   * out.
   */
  readonly inTurn?: <T>(work: (memoryBytes?: number) => Promise<T>) => Promise<T>;
}

/** Restricts the events of a query. */
interface Within {
  /** Position of the last batch. */
  readonly upTo?: bigint;
  /** Settings that exclude events which must not be visible yet; see `consistent-reads.ts`. */
  readonly bounds: NonNullable<Select['settings']>;
}

export interface MatchingRows {
  readonly rows: number;
  /** Nanoseconds since the epoch; absent without matches. */
  readonly first?: bigint;
  readonly last?: bigint;
}

/** Counts events. */
export async function countMatching(
  engine: Engine,
  { query, rowId, inTurn = (work) => work() }: QueriedEvents,
  { upTo, bounds }: Within,
): Promise<MatchingRows> {
  const nanoseconds = (aggregate: string) => call('toUnixTimestamp64Nano', call(aggregate, column(rowId.time)));
  const counted = select({
    columns: [item(call('toInt64', call('count'))), item(nanoseconds('min')), item(nanoseconds('max'))],
    from: { kind: 'subquery', query },
    ...(upTo !== undefined && { where: call('lessOrEquals', column(rowId.seq), literal(upTo)) }),
    settings: bounds,
  });
  const [[rows = 0n, first = 0n, last = 0n] = []] = await inTurn((memoryBytes) =>
    queryNumbers(engine, printQuery(counted), 3, {}, memoryBytes === undefined ? {} : { maxMemoryBytes: memoryBytes }),
  );
  return rows === 0n ? { rows: 0 } : { rows: Number(rows), first, last };
}

/**
 * Deletes exactly the matching events of batches up to a position. When it resolves, no query sees
 * them any more.
 */
export async function deleteMatching(
  engine: Engine,
  datasetId: number,
  { query, rowId }: QueriedEvents,
  { upTo, bounds }: Required<Within>,
): Promise<void> {
  const ids = select({
    columns: [item(column(rowId.seq)), item(column(rowId.row))],
    from: { kind: 'subquery', query },
    // Moved to PREWHERE, a condition with a subquery is never computed in a deletion: the deletion
    // would hang, and restart after every start. Settings of the statement itself would have no
    // effect.
    settings: { ...bounds, optimize_move_to_prewhere: 0 },
  });
  const condition = and(call('lessOrEquals', column('_seq'), literal(upTo)), {
    kind: 'inSubquery',
    needle: call('tuple', column('_seq'), column('_row')),
    query: ids,
  });
  await engine.execute(`DELETE FROM ${quotedTable(datasetId)} WHERE ${printExpr(condition)}`, { apart: 'deletion' });
}

/** Deletes the rows of a batch from the engine. */
export const deleteBatch = (engine: Engine, datasetId: number, position: bigint): Promise<void> =>
  engine.execute(`DELETE FROM ${quotedTable(datasetId)} WHERE _seq = ${position}`, { apart: 'deletion' });

/**
 * Kills failed deletions. Otherwise the engine would retry them indefinitely, even after its next
 * start, and all later deletions from the table would fail with them. Events that they have already
 * deleted stay deleted.
 */
export const killFailedMutations = (engine: Engine, datasetId: number): Promise<void> =>
  engine.execute(
    `KILL MUTATION WHERE ${inSystem(datasetId)} ` +
      "AND latest_fail_reason != '' AND startsWith(command, '(UPDATE _row_exists')",
  );
