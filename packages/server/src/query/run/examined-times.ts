import { type Compiled, type TimeRange, within } from '@millrace/apl';
import { EngineError, type QueryAnswer } from '@millrace/engine';
import { textAt, valuesOf } from './columns.js';
import type { ExaminedStatements } from './examined-statements.js';

/**
 * An answer with the times of the oldest and the newest event of the datasets, or of the range if
 * the engine would have to read too many.
 */
export async function askTimes(
  { all, inRange }: ExaminedStatements,
  ask: (sql: string) => Promise<QueryAnswer>,
): Promise<QueryAnswer> {
  try {
    return await ask(all);
  } catch (error) {
    if (inRange === undefined || !(error instanceof EngineError && error.code === 'rows-limit')) throw error;
    return ask(inRange.times);
  }
}

/**
 * The part of the query's range between the oldest and the newest event, by the answer with their
 * times.
 */
export function timesOf({ timeRange }: Compiled, answer: QueryAnswer | undefined, rowsExamined: number): TimeRange {
  const [, min, max] = answer?.columns.map(({ values }) => firstText(values)) ?? [];
  // Without events there is no oldest one, yet clients want a time.
  if (rowsExamined === 0) return { start: 0n, end: 0n };
  // The events that were counted may have come just after the oldest and the newest were asked for.
  if (min === undefined || max === undefined || min === 'null' || max === 'null') return timeRange;
  const { start, end } = within(timeRange, { start: BigInt(min), end: BigInt(max) });
  return start > end ? timeRange : { start, end };
}

/** First value of a column, as text. */
const firstText = (column: Uint8Array): string => textAt(valuesOf(column, 1), 0);
