import { BoundExceeded, metricsBounds } from '@millrace/mpl';
import type { TimeModifiers, Subquery } from '../syntax/ast.js';

/** Equally spaced times of evaluation, milliseconds. An instant has one. */
export interface Grid {
  readonly start: number;
  readonly step: number;
  readonly length: number;
}

export const lastOf = ({ start, step, length }: Grid): number => start + (length - 1) * step;

export function timesOf({ start, step, length }: Grid): Float64Array {
  const times = new Float64Array(length);
  for (let i = 0; i < length; i++) times[i] = start + i * step;
  return times;
}

/** What the whole query fixes. */
export interface QueryTimes {
  /** Meaning of `start()` and `end()`. */
  readonly start: number;
  readonly end: number;
  /** How far an instant selector looks for the last point. */
  readonly lookback: number;
  /** Step of subqueries that state none. */
  readonly subqueryStep: number;
}

/** The time at which a selector reads for a time of evaluation. */
export function movedTime(time: number, { at, offset }: TimeModifiers, query: QueryTimes): number {
  const fixed = at === undefined ? time : at.kind === 'time' ? at.time : query[at.kind];
  return fixed - offset;
}

/**
 * The times at which a subquery is evaluated: multiples of its step in all of its windows.
 * @throws BoundExceeded
 */
export function subqueryGrid(subquery: Subquery, grid: Grid, query: QueryTimes): Grid {
  const step = subquery.step ?? query.subqueryStep;
  const from = movedTime(grid.start, subquery, query) - subquery.range;
  const to = movedTime(lastOf(grid), subquery, query);
  const start = (Math.floor(from / step) + 1) * step;
  const length = Math.max(0, Math.floor((to - start) / step) + 1);
  if (length > metricsBounds.subqueryTimes.max)
    throw new BoundExceeded(metricsBounds.subqueryTimes, 'use a longer step in the subquery');
  return { start, step, length };
}
