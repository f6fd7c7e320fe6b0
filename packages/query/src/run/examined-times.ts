import { type CompiledQuery, type TimeRange, intersectRanges } from '@millrace/apl';
import type { EngineResult } from '@millrace/engine';
import { textAt, valuesOf } from './columns.js';
import type { ExaminedStatements } from './examined-statements.js';
import type { PlanRun } from './plan-run.js';

/**
 * A result with the times of the oldest and the newest event of the datasets, or of the range if
 * the engine would have to read too many.
 */
export const queryTimeRange = ({ all, inRange }: ExaminedStatements, run: PlanRun): Promise<EngineResult> =>
  inRange === undefined
    ? run.cachedStatement(all)
    : run.retry(['times-not-indexed'], (previous) => run.cachedStatement(previous === undefined ? all : inRange.times));

/**
 * The part of the query's range between the oldest and the newest event, from the result with their
 * times.
 */
export function timesOf(
  { timeRange }: CompiledQuery,
  answer: EngineResult | undefined,
  rowsExamined: number,
): TimeRange {
  const [, min, max] = answer?.columns.map(({ values }) => firstText(values)) ?? [];
  // Without events there is no oldest one, yet clients want a time.
  if (rowsExamined === 0) return { start: 0n, end: 0n };
  // Events that were counted may have arrived just after the query for the oldest and the newest.
  if (min === undefined || max === undefined || min === 'null' || max === 'null') return timeRange;
  const { start, end } = intersectRanges(timeRange, { start: BigInt(min), end: BigInt(max) });
  return start > end ? timeRange : { start, end };
}

/** First value of a column, as text. */
const firstText = (column: Uint8Array): string => textAt(valuesOf(column, 1), 0);
