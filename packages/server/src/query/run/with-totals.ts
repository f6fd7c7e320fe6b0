import type { Compiled, Totals } from '@millrace/apl';
import { EngineError, type QueryAnswer } from '@millrace/engine';
import { Breath, taken } from '../../async/breath.js';
import { splittingColumn } from './columns.js';
import type { Statements } from './statements.js';

/** What the engine answers to a query: the answer itself and its totals. */
export interface WithTotals {
  readonly answer: QueryAnswer;
  readonly totals?: QueryAnswer;
}

/** Asks for an answer and its totals: in one statement if that can give both, otherwise in two. */
export async function askWithTotals(
  compiled: Compiled,
  statements: Statements,
  ask: (sql: string) => Promise<QueryAnswer>,
): Promise<WithTotals> {
  const { totals } = compiled;
  if (totals?.together !== undefined && statements.together !== undefined) {
    const both = await unlessTooMuch(ask(statements.together));
    if (both !== undefined && both.rows <= totals.together.most) return takenApart(both, compiled, totals);
  }
  const [answer, own] = await Promise.all([
    ask(statements.answer),
    statements.totals === undefined ? undefined : ask(statements.totals),
  ]);
  return { answer, ...(own !== undefined && { totals: own }) };
}

/**
 * Undefined if the engine refuses to make so many groups or to hold both in memory: each may be
 * small enough alone. If the refusal was about how much is read, it comes again when they are asked
 * apart.
 */
async function unlessTooMuch(answer: Promise<QueryAnswer>): Promise<QueryAnswer | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof EngineError && (error.code === 'rows-limit' || error.code === 'memory-limit'))
      return undefined;
    throw error;
  }
}

/**
 * Totals come first; the last column marks them. Before it there may be one of rare fields, after
 * the visible ones.
 */
async function takenApart(both: QueryAnswer, { output }: Compiled, totals: Totals): Promise<WithTotals> {
  const mark = both.columns.at(-1)!;
  const rows = countMarked(mark.values);
  const columns = both.columns.filter((column) => column !== mark);
  const breath = new Breath();
  const parts: (readonly [first: Uint8Array, others: Uint8Array])[] = [];
  for (const { values } of columns) parts.push(await taken(splittingColumn(values, rows), breath));
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
