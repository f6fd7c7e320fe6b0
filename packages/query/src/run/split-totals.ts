import type { CompiledQuery, Totals } from '@millrace/apl';
import type { EngineResult } from '@millrace/engine';
import type { Query } from '@millrace/sql';
import { Yielder, runYielding } from '@millrace/runtime/async/yield';
import { retry, RetryNeeded } from '../schedule/retry.js';
import { splitColumn } from './columns.js';
import type { Statements } from './statements.js';

/** The result of a query and its totals. */
export interface WithTotals {
  readonly answer: EngineResult;
  readonly totals?: EngineResult;
}

/** Queries a result and its totals: in one statement if possible, otherwise in two. */
export async function queryWithTotals(
  compiled: CompiledQuery,
  statements: Statements,
  runStatement: (query: Query) => Promise<EngineResult>,
): Promise<WithTotals> {
  const { totals } = compiled;
  const runSeparate = async (): Promise<WithTotals> => {
    const [answer, own] = await Promise.all([
      runStatement(statements.rows),
      statements.totals === undefined ? undefined : runStatement(statements.totals),
    ]);
    return { answer, ...(own !== undefined && { totals: own }) };
  };
  const { combined } = statements;
  if (totals?.together === undefined || combined === undefined) return runSeparate();
  const maxRows = totals.together.max;
  return retry(['combined-too-large'], async (previous) => {
    if (previous !== undefined) return runSeparate();
    const both = await runStatement(combined);
    if (both.rows > maxRows) throw new RetryNeeded('combined-too-large');
    return splitCombined(both, compiled, totals);
  });
}

/**
 * Totals come first; the last column marks them. Before it there may be one of rare fields, after
 * the visible ones.
 */
async function splitCombined(both: EngineResult, { output }: CompiledQuery, totals: Totals): Promise<WithTotals> {
  const mark = both.columns.at(-1)!;
  const rows = countMarked(mark.values);
  const columns = both.columns.filter((column) => column !== mark);
  const yielder = new Yielder();
  const parts: (readonly [first: Uint8Array, others: Uint8Array])[] = [];
  for (const { values } of columns) parts.push(await runYielding(splitColumn(values, rows), yielder));
  const isTotal = (i: number): boolean =>
    i < output.length ? totals.output.some(({ alias }) => alias === output[i]!.alias) : totals.rest !== undefined;
  return {
    answer: {
      ...both,
      columns: columns.map((column, i) => ({ ...column, values: parts[i]![1] })),
      rows: both.rows - rows,
      // Every row that matches is aggregated in both grouping sets.
      ...(both.rowsAggregated !== undefined && { rowsAggregated: both.rowsAggregated / 2 }),
    },
    totals: {
      ...both,
      columns: columns.flatMap((column, i) => (isTotal(i) ? [{ ...column, values: parts[i]![0] }] : [])),
      rows,
    },
  };
}

const one = 0x31;

const countMarked = (marks: Uint8Array): number => marks.reduce((sum, byte) => (byte === one ? sum + 1 : sum), 0);
