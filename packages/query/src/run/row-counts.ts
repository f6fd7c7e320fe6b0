import type { CompiledQuery, TimeRange } from '@millrace/apl';
import type { EngineResult } from '@millrace/engine';
import { countFromResult } from './count-from-result.js';
import { queryTimeRange, timesOf } from './examined-times.js';
import { countOf } from './row-count-cache.js';
import type { PlanRun } from './plan-run.js';
import type { Statements } from './statements.js';

/** How many rows a query examined and matched, and between which times. */
interface RowCounts {
  readonly rowsExamined: number;
  readonly rowsMatched: number;
  readonly times: TimeRange;
}

interface CountedQuery {
  readonly compiled: CompiledQuery;
  readonly statements: Statements;
  /** Whether to count; otherwise the counts of the result are given. */
  readonly count: boolean;
  readonly isContinued: boolean;
}

/**
 * Starts the statements that count the rows of a query, beside the query itself.
 * @returns the counts, given the query's result
 */
export function startCounting(
  { compiled, statements, count, isContinued }: CountedQuery,
  run: PlanRun,
): Promise<(result: EngineResult) => Promise<RowCounts>> {
  const counts = count ? statements.counts : undefined;
  const page = counts?.matched.kind === 'query' ? pageSize(compiled, isContinued) : undefined;
  const started = Promise.all([
    counts === undefined ? undefined : queryTimeRange(counts.examined, run),
    counts?.examined.inRange === undefined || counts.own !== undefined
      ? undefined
      : run.cachedStatement(counts.examined.inRange.count),
    counts?.matched.kind === 'query' && page === undefined ? run.cachedStatement(counts.matched.query) : undefined,
  ]);
  return started.then(([times, inRange, counted]) => async (result) => {
    // Without counts, the rows are constant (`print`) or come from a dataset's metadata
    // (`getschema`).
    const constantRows = compiled.datasets.length === 0 ? result.rows : 0;
    const examined = inRange ?? times;
    const rowsExamined =
      countFromResult(counts?.own, result) ?? (examined === undefined ? constantRows : countOf(examined));
    const countMatched = async (): Promise<number> => {
      switch (counts?.matched.kind) {
        case undefined:
          return statements.counts === undefined ? result.rows : rowsExamined;
        case 'all':
          return rowsExamined;
        case 'aggregated':
          return result.rowsAggregated ?? 0;
        case 'query':
          if (counted !== undefined) return countOf(counted);
          // A page that is not full holds everything that matched; only after a full one can there
          // be more to count.
          if (page === undefined || result.rows < page) return result.rows;
          return countOf(await run.cachedStatement(counts.matched.query));
      }
    };
    return { rowsExamined, rowsMatched: await countMatched(), times: timesOf(compiled, times, rowsExamined) };
  });
}

/**
 * How many rows fill a page of events; undefined if fewer rows would not mean that no more matched.
 */
function pageSize({ query, rowId }: CompiledQuery, isContinued: boolean): number | undefined {
  const isPlain = query.from?.kind === 'table' && query.arrayJoin === undefined;
  return isPlain && rowId !== undefined && !isContinued ? query.limit : undefined;
}
