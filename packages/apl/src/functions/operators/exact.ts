import { and, call } from '@millrace/sql';
import type { Expr } from '@millrace/sql';
import { shareSubexpression } from '../../lower/shared-subexpressions.js';
import { int64OrNull, nanoseconds, nullOf } from '../../lower/values.js';
import { longLiteral } from '../datetime/calendar.js';
import type { LoweredArgument, LowerContext } from '../define.js';
import { eventTimesWithin, int64 } from '../event-times.js';
import type { Interval } from '../event-times.js';

/**
 * Sums, differences and products of times are null if they overflow 64 bits: wrapped around, they
 * would be times of another century. The known bounds of the operands reduce the overflow test to a
 * single comparison, or to none.
 */

/** A datetime, timespan or integer as an integer, and its possible range. */
interface Whole extends Interval {
  readonly sql: Expr;
}

function wholeOf({ sql, type, constant }: LoweredArgument, { range }: LowerContext): Whole {
  const number = type === 'datetime' ? nanoseconds(sql) : sql;
  if (typeof constant === 'bigint') return { sql: number, min: constant, max: constant };
  return { sql: number, ...(eventTimesWithin(sql, range) ?? int64) };
}

const isKnown = ({ min, max }: Interval): boolean => min === max;

/**
 * `result` where the value is between two bounds, otherwise null; bounds that always hold are not
 * tested.
 */
function within(value: Whole, { min, max }: Interval, result: (value: Expr) => Expr): Expr {
  if (min <= value.min && max >= value.max) return result(value.sql);
  return shareSubexpression(value.sql, (sql) => {
    const tests = [
      ...(min <= value.min ? [] : [call('greaterOrEquals', sql, longLiteral(min))]),
      ...(max >= value.max ? [] : [call('lessOrEquals', sql, longLiteral(max))]),
    ];
    return call('if', and(...tests), result(sql), nullOf('long'));
  });
}

/** `result` where the two tests agree, otherwise null. */
const where = (test: Expr, same: Expr, result: Expr): Expr =>
  call('if', call('equals', test, same), result, nullOf('long'));

const isNotNegative = (value: Expr): Expr => call('greaterOrEquals', value, longLiteral(0n));

/** `left + right`, or null. */
export function exactSum(left: LoweredArgument, right: LoweredArgument, context: LowerContext): Expr {
  const [a, b] = [wholeOf(left, context), wholeOf(right, context)];
  if (isKnown(a) && !isKnown(b)) return exactSum(right, left, context);
  const sum = (x: Expr, y: Expr): Expr => call('plus', x, y);
  if (isKnown(b)) return within(a, { min: int64.min - b.min, max: int64.max - b.min }, (x) => sum(x, b.sql));
  return shareSubexpression(a.sql, (x) =>
    shareSubexpression(b.sql, (y) => where(isNotNegative(y), call('greaterOrEquals', sum(x, y), x), sum(x, y))),
  );
}

/** `left - right`, or null. */
export function exactDifference(left: LoweredArgument, right: LoweredArgument, context: LowerContext): Expr {
  const [a, b] = [wholeOf(left, context), wholeOf(right, context)];
  const difference = (x: Expr, y: Expr): Expr => call('minus', x, y);
  if (a.min - b.max >= int64.min && a.max - b.min <= int64.max) return difference(a.sql, b.sql);
  if (isKnown(b)) return within(a, { min: int64.min + b.min, max: int64.max + b.min }, (x) => difference(x, b.sql));
  if (isKnown(a)) return within(b, { min: a.min - int64.max, max: a.min - int64.min }, (y) => difference(a.sql, y));
  return shareSubexpression(a.sql, (x) =>
    shareSubexpression(b.sql, (y) =>
      where(isNotNegative(y), call('lessOrEquals', difference(x, y), x), difference(x, y)),
    ),
  );
}

/** `left * right`, or null. */
export function exactProduct(left: LoweredArgument, right: LoweredArgument, context: LowerContext): Expr {
  const [a, b] = [wholeOf(left, context), wholeOf(right, context)];
  if (isKnown(a) && !isKnown(b)) return exactProduct(right, left, context);
  const factor = b.min;
  if (!isKnown(b)) return int64OrNull(call('multiply', call('toInt128', a.sql), b.sql));
  if (factor === 0n) return call('multiply', a.sql, b.sql);
  const [min, max] = [int64.min / factor, int64.max / factor];
  return within(a, factor > 0n ? { min, max } : { min: max, max: min }, (x) => call('multiply', x, b.sql));
}
