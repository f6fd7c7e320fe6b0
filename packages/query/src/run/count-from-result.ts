import type { CompiledQuery } from '@millrace/apl';
import type { EngineResult } from '@millrace/engine';
import { call, integer, item, printExpr, printQuery, select, type Select } from '@millrace/sql';
import { countOf } from './row-count-cache.js';

/**
 * How a query's own result tells how many events are in its range, so that no other statement has
 * to count them: its value is that number, or the engine reports how many rows it aggregated.
 */
export type CountSource = 'value' | 'aggregated';

/**
 * Undefined if the count does not follow from the result: the query has conditions, say, or returns
 * a page of events.
 */
export function countSourceOf({ query, totals, counts }: CompiledQuery): CountSource | undefined {
  const [examined, ...others] = counts?.examined ?? [];
  const isWhole = counts?.matched.kind === 'all' && others.length === 0;
  if (!isWhole || examined?.where === undefined || !readsSameRows(query, examined)) return undefined;
  if (query.groupBy !== undefined && query.groupBy.length > 0) return 'aggregated';
  return totals === undefined && isCount(query) ? 'value' : undefined;
}

/** The count from the result. */
export function countFromResult(own: CountSource | undefined, answer: EngineResult): number | undefined {
  switch (own) {
    case undefined:
      return undefined;
    case 'value':
      return countOf(answer);
    case 'aggregated':
      return answer.rowsAggregated ?? 0;
  }
}

function readsSameRows(query: Select, examined: Select): boolean {
  if (query.arrayJoin !== undefined || query.groupingSets !== undefined) return false;
  const rows = ({ from, prewhere, where }: Select): string =>
    printQuery(
      select({
        columns: [item(integer(1))],
        ...(from && { from }),
        ...(prewhere && { prewhere }),
        ...(where && { where }),
      }),
    );
  return rows(query) === rows(examined);
}

function isCount({ columns, having, limit }: Select): boolean {
  const [only, ...others] = columns;
  return (
    only !== undefined && others.length === 0 && having === undefined && limit !== 0 && counts.has(printExpr(only.expr))
  );
}

const counts = new Set([call('count'), call('toInt64', call('count'))].map(printExpr));
