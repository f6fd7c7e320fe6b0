import { Yielder, runYielding } from '@millrace/runtime/async/yield';
import type { CompiledQuery } from '@millrace/apl';
import type { EngineResult } from '@millrace/engine';
import { isConstantQuery, type Query } from '@millrace/sql';
import type { EventStorage } from '@millrace/storage/event-storage';
import { convertColumn, firstAndLast, textAt, valuesOf } from './columns.js';
import { queryNewestPage } from './newest-page.js';
import type { NewestPartitions } from './newest-partitions.js';
import type { QueryOutcome } from './outcome.js';
import type { PlanRun } from './plan-run.js';
import { toTable } from './result-table.js';
import { startCounting } from './row-counts.js';
import { formatRowIds } from './row-ids.js';
import { queryWithTotals, type WithTotals } from './split-totals.js';
import { statementsOf } from './statements.js';
import { narrowByTerms } from './term-lookup.js';
import { orderTiesAsSent, reorderColumn } from './ties-as-sent.js';

interface StatementsOptions {
  /** Time of the event from which the query continues. */
  readonly cursor: bigint | undefined;
  /** Whether to find out how many rows were examined and matched. */
  readonly count: boolean;
}

interface StatementsDependencies {
  readonly storage: Pick<EventStorage, 'termIndex'>;
  readonly newest: NewestPartitions;
  readonly datasetIds: readonly number[];
}

/** What the statements of a plan return, without what is known before they run. */
export type StatementsOutcome = Omit<QueryOutcome, 'partial' | 'watermark'>;

/**
 * Runs the statements of a plan side by side: its rows and totals, counts, and a text that puts the
 * day first.
 * @param equivalent the plan, or one with the same result that reads less
 */
export async function runStatements(
  compiled: CompiledQuery,
  equivalent: CompiledQuery,
  { cursor, count }: StatementsOptions,
  run: PlanRun,
  deps: StatementsDependencies,
): Promise<StatementsOutcome> {
  const narrow = await narrowByTerms(equivalent, deps.datasetIds, deps.storage);
  const statements = statementsOf(narrow);
  // Such a result is the same for all words that no event contains, and at all times.
  const rowStatement = statements.repeatable && isConstant(narrow) ? run.constantStatement : run.statement;
  // A query whose rows change from one statement to the next, such as a sample, does not have its
  // newest rows in the newest partitions alone.
  const queryRows = (): Promise<WithTotals> =>
    run.retry(['page-not-full'], async (previous) => {
      const mayBePage = previous === undefined && statements.repeatable;
      const newest = mayBePage ? await queryNewestPage(compiled, { ...deps, cursor, run }) : undefined;
      return newest ?? queryWithTotals(narrow, statements, rowStatement);
    });
  const isContinued = cursor !== undefined;
  const [{ answer: result, totals }, dayFirst, countsOf] = await Promise.all([
    queryRows(),
    count ? firstText(statements.dayFirst, run) : undefined,
    startCounting({ compiled, statements, count, isContinued }, run),
  ]);
  const { maxResultBytes } = run;
  const yielder = new Yielder();
  const { rowIds, endIds, columns } = await inOrder(compiled, result, yielder);
  const table = await toTable(compiled, { ...result, columns }, maxResultBytes);
  const hasTotals = totals !== undefined && compiled.totals !== undefined;
  return {
    compiled,
    table,
    ...(hasTotals && { totals: await toTable(compiled.totals, totals, maxResultBytes) }),
    ...(rowIds !== undefined && { rowIds, endIds }),
    // It precedes the three columns of the row ID.
    ...(compiled.arrival !== undefined && {
      arrivals: await runYielding(convertColumn(columns.at(-4)!.values, 'time'), yielder),
    }),
    ...(dayFirst !== undefined && { dayFirst }),
    ...(await countsOf(result)),
    rowsRead: result.statistics.rowsRead,
    cached: false,
  };
}

interface OrderedRows extends Pick<QueryOutcome, 'rowIds' | 'endIds'>, Pick<EngineResult, 'columns'> {}

/** The columns of a result and its row IDs, in the order of the response. */
async function inOrder(
  { rowId, tiesAsSent }: CompiledQuery,
  { columns, rows }: EngineResult,
  yielder: Yielder,
): Promise<OrderedRows> {
  if (rowId === undefined) return { columns };
  const rowIds = await runYielding(formatRowIds(columns, rows), yielder);
  const endIds = firstAndLast(rowIds);
  const order = tiesAsSent === true ? await runYielding(orderTiesAsSent(rowIds, rows), yielder) : undefined;
  if (order === undefined) return { columns, rowIds, endIds };
  const reorder = (column: Uint8Array): Promise<Uint8Array> => runYielding(reorderColumn(column, order), yielder);
  const reordered: EngineResult['columns'][number][] = [];
  for (const column of columns) reordered.push({ ...column, values: await reorder(column.values) });
  return { columns: reordered, rowIds: await reorder(rowIds), endIds };
}

/** Whether the result of a query and its totals follow without reading events. */
const isConstant = ({ query, totals }: CompiledQuery): boolean =>
  [query, totals?.query, totals?.together?.query].every((one) => one === undefined || isConstantQuery(one));

/** The text of the first statement that finds one. */
async function firstText(statements: readonly Query[], run: PlanRun): Promise<string | undefined> {
  const results: readonly EngineResult[] = await Promise.all(statements.map(run.statement));
  const match = results.find(({ rows }) => rows > 0);
  if (match === undefined) return undefined;
  const text: unknown = JSON.parse(textAt(valuesOf(match.columns[0]!.values, 1), 0));
  return String(text);
}
