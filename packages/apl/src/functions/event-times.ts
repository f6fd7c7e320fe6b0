import type { Expr } from '@millrace/sql';
import { allTimes } from '../lower/relations/scan.js';
import type { TimeRange } from '../plan/nodes.js';
import { MAX_LONG, MIN_LONG } from '../model/int64.js';

/** Whole numbers, both ends included. */
export interface Interval {
  readonly min: bigint;
  readonly max: bigint;
}

export const int64: Interval = { min: MIN_LONG, max: MAX_LONG };

const YEAR_1900 = allTimes.start;

/**
 * The possible times of events, in nanoseconds. Ingest times come from the server's clock, which is
 * neither before 1970 nor after 2191.
 */
const times: ReadonlyMap<string, Interval> = new Map([
  ['_time', { min: YEAR_1900, max: int64.max }],
  ['_sysTime', { min: 0n, max: int64.max + YEAR_1900 }],
]);

/** The interval of an event's own time as it is stored, undefined for any other expression. */
export const eventTimes = (time: Expr): Interval | undefined =>
  time.kind === 'column' ? times.get(time.name) : undefined;

/**
 * The possible times in a query whose scans all restrict `_time` to a range; a range without an end
 * has no such condition.
 */
export function eventTimesWithin(time: Expr, range: TimeRange): Interval | undefined {
  const possible = eventTimes(time);
  const isOpen = range.end >= allTimes.end;
  if (time.kind !== 'column' || time.name !== '_time' || possible === undefined || isOpen) return possible;
  return { min: possible.min, max: range.end };
}
