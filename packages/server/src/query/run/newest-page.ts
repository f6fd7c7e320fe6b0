import { allTimes, type Compiled } from '@millrace/apl';
import type { QueryAnswer } from '@millrace/engine';
import { and, call, column, type Expr, integer, literal, printQuery } from '@millrace/sql';
import type { NewestPartitions } from './newest-partitions.js';
import type { WithTotals } from './with-totals.js';

interface NewestPageOptions {
  readonly newest: NewestPartitions;
  /** Numbers of the datasets of the query. */
  readonly datasetIds: readonly number[];
  /** Time of the event behind which the page begins, if it continues from a cursor. */
  readonly cursor: bigint | undefined;
  readonly ask: (sql: string) => Promise<QueryAnswer>;
}

/**
 * Asks for a page of the newest events of a dataset in its newest partitions only. A full page is
 * right whatever the bound is: all events that were left out are older than all that were found.
 * @returns undefined for other queries, if no bound is known, and if the page is not full: the
 * query then has to be asked unchanged
 */
export async function askNewest(
  compiled: Compiled,
  { newest, datasetIds, cursor, ask }: NewestPageOptions,
): Promise<WithTotals | undefined> {
  const rows = sizeOfNewest(compiled);
  const [datasetId, ...others] = datasetIds;
  if (rows === undefined || datasetId === undefined || others.length > 0) return undefined;
  const { query, timeRange } = compiled;
  const end = cursor === undefined || cursor > timeRange.end ? timeRange.end : cursor;
  const since = newest.since(datasetId, rows, { start: timeRange.start, end });
  if (since === undefined || since <= allTimes.start) return undefined;
  const bound = call(
    'greaterOrEquals',
    column('_time'),
    call('fromUnixTimestamp64Nano', call('toInt64', integer(since)), literal('UTC')),
  );
  const where = query.where === undefined ? bound : and(query.where, bound);
  const answer = await ask(printQuery({ ...query, where }));
  if (answer.rows === rows) return { answer };
  newest.misled(datasetId);
  return undefined;
}

/**
 * The size of a page of the newest events of one dataset that have no condition but on their time,
 * and no values from other rows; undefined for any other query.
 */
function sizeOfNewest({ query, rowId, continuation, counts, totals }: Compiled): number | undefined {
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
