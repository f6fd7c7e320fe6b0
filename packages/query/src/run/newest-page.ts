import { allTimes, type CompiledQuery } from '@millrace/apl';
import { and, call, column, type Expr, integer, literal } from '@millrace/sql';
import { RetryNeeded } from '../schedule/retry.js';
import type { NewestPartitions } from './newest-partitions.js';
import type { PlanRun } from './plan-run.js';
import type { WithTotals } from './split-totals.js';

interface NewestPageOptions {
  readonly newest: NewestPartitions;
  /** Numbers of the datasets of the query. */
  readonly datasetIds: readonly number[];
  /** Event time after which the page begins, if it continues from a cursor. */
  readonly cursor: bigint | undefined;
  readonly run: PlanRun;
}

/**
 * Reads a page of the newest events of a dataset from its newest partitions only. A full page is
 * correct with any bound: all excluded events are older than all returned ones.
 * @returns undefined for other queries, and if no bound is known
 * @throws RetryNeeded if the page is not full: the query must then run unchanged
 */
export async function queryNewestPage(
  compiled: CompiledQuery,
  { newest, datasetIds, cursor, run }: NewestPageOptions,
): Promise<WithTotals | undefined> {
  const rows = sizeOfNewest(compiled);
  const [datasetId, ...others] = datasetIds;
  if (rows === undefined || datasetId === undefined || others.length > 0) return undefined;
  const { query, timeRange } = compiled;
  const end = cursor === undefined || cursor > timeRange.end ? timeRange.end : cursor;
  const since = newest.estimateSince(datasetId, rows, { start: timeRange.start, end });
  if (since === undefined || since <= allTimes.start) return undefined;
  const bound = call(
    'greaterOrEquals',
    column('_time'),
    call('fromUnixTimestamp64Nano', call('toInt64', integer(since)), literal('UTC')),
  );
  const where = query.where === undefined ? bound : and(query.where, bound);
  const answer = await run.statement({ ...query, where });
  if (answer.rows === rows) return { answer };
  newest.discardBound(datasetId);
  throw new RetryNeeded('page-not-full');
}

/**
 * The size of a page of the newest events of one dataset that have no condition but on their time,
 * and no values from other rows; undefined for any other query.
 */
function sizeOfNewest({ query, rowId, continuation, counts, totals }: CompiledQuery): number | undefined {
  const [first] = query.orderBy ?? [];
  const newestFirst = first?.descending === true && first.expr.kind === 'column' && first.expr.name === '_time';
  const isPage = query.from?.kind === 'table' && query.arrayJoin === undefined && query.limitBy === undefined;
  const isAll = rowId !== undefined && continuation === 'older' && counts?.matched.kind === 'all';
  if (!newestFirst || !isPage || !isAll || totals !== undefined || query.limit === 0) return undefined;
  return query.columns.some(({ expr }) => readsOtherRows(expr)) ? undefined : query.limit;
}

/**
 * Whether a value is computed from other rows, such as the next row or the number of rows before:
 * rows that were left out would change it.
 */
function readsOtherRows(expr: Expr): boolean {
  switch (expr.kind) {
    case 'call':
      return expr.over !== undefined || expr.args.some(readsOtherRows);
    case 'lambda':
      return readsOtherRows(expr.body);
    case 'inSubquery':
      return readsOtherRows(expr.needle);
    case 'column':
    case 'literal':
    case 'star':
    case 'scalarSubquery':
      return false;
    case 'printed':
      // It is not known.
      return true;
  }
}
