import { and, call } from '@millrace/sql';
import type { Expr } from '@millrace/sql';
import { shareSubexpression } from '../../lower/shared-subexpressions.js';
import { int64OrNull, nanoseconds, nullOf } from '../../lower/values.js';
import { wide } from '../datetime/calendar.js';
import type { Lowered, LowerContext } from '../define.js';
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

function wholeOf({ sql, type, constant }: Lowered, { range }: LowerContext): Whole {
  const number = type === 'datetime' ? nanoseconds(sql) : sql;
  if (typeof constant === 'bigint') return { sql: number, least: constant, most: constant };
  return { sql: number, ...(eventTimesWithin(sql, range) ?? int64) };
}

const isKnown = ({ least, most }: Interval): boolean => least === most;

/**
 * `result` where the value is between two bounds, otherwise null; bounds that always hold are not
 * tested.
 */
function within(value: Whole, { least, most }: Interval, result: (value: Expr) => Expr): Expr {
  if (least <= value.least && most >= value.most) return result(value.sql);
  return shareSubexpression(value.sql, (sql) => {
    const tests = [
      ...(least <= value.least ? [] : [call('greaterOrEquals', sql, wide(least))]),
      ...(most >= value.most ? [] : [call('lessOrEquals', sql, wide(most))]),
    ];
    return call('if', and(...tests), result(sql), nullOf('long'));
  });
}

/** `result` where the two tests agree, otherwise null. */
const where = (test: Expr, same: Expr, result: Expr): Expr =>
  call('if', call('equals', test, same), result, nullOf('long'));

const isNotNegative = (value: Expr): Expr => call('greaterOrEquals', value, wide(0n));

/** `left + right`, or null. */
export function exactSum(left: Lowered, right: Lowered, context: LowerContext): Expr {
  const [a, b] = [wholeOf(left, context), wholeOf(right, context)];
  if (isKnown(a) && !isKnown(b)) return exactSum(right, left, context);
  const sum = (x: Expr, y: Expr): Expr => call('plus', x, y);
  if (isKnown(b)) return within(a, { least: int64.least - b.least, most: int64.most - b.least }, (x) => sum(x, b.sql));
  return shareSubexpression(a.sql, (x) =>
    shareSubexpression(b.sql, (y) => where(isNotNegative(y), call('greaterOrEquals', sum(x, y), x), sum(x, y))),
  );
}

/** `left - right`, or null. */
export function exactDifference(left: Lowered, right: Lowered, context: LowerContext): Expr {
  const [a, b] = [wholeOf(left, context), wholeOf(right, context)];
  const difference = (x: Expr, y: Expr): Expr => call('minus', x, y);
  if (a.least - b.most >= int64.least && a.most - b.least <= int64.most) return difference(a.sql, b.sql);
  if (isKnown(b))
    return within(a, { least: int64.least + b.least, most: int64.most + b.least }, (x) => difference(x, b.sql));
  if (isKnown(a))
    return within(b, { least: a.least - int64.most, most: a.least - int64.least }, (y) => difference(a.sql, y));
  return shareSubexpression(a.sql, (x) =>
    shareSubexpression(b.sql, (y) =>
      where(isNotNegative(y), call('lessOrEquals', difference(x, y), x), difference(x, y)),
    ),
  );
}

/** `left * right`, or null. */
export function exactProduct(left: Lowered, right: Lowered, context: LowerContext): Expr {
  const [a, b] = [wholeOf(left, context), wholeOf(right, context)];
  if (isKnown(a) && !isKnown(b)) return exactProduct(right, left, context);
  const factor = b.least;
  if (!isKnown(b)) return int64OrNull(call('multiply', call('toInt128', a.sql), b.sql));
  if (factor === 0n) return call('multiply', a.sql, b.sql);
  const [least, most] = [int64.least / factor, int64.most / factor];
  return within(a, factor > 0n ? { least, most } : { least: most, most: least }, (x) => call('multiply', x, b.sql));
}
