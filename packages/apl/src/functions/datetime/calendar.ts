import { and, call, integer } from '@millrace/sql';
import type { Expr } from '@millrace/sql';
import { shareSubexpression } from '../../lower/shared-subexpressions.js';
import { constantOf, instant, nanoseconds, nullOf } from '../../lower/values.js';
import { fitsInt64 } from '../../model/int64.js';
import { DAY, HOUR, MICROSECOND, MILLISECOND, MINUTE, SECOND } from '../../model/nanoseconds.js';
import { floorDivide } from '../../model/floor.js';

/**
 * The calendar in integers: every unit numbers its periods from a fixed one, so that starts, ends
 * and differences are sums. The engine's own `toStartOf…` functions return dates, lose years before
 * 1970 and start weeks on Monday.
 */

/**
 * An Int64 literal: an untyped one above 2^32 is unsigned and would make negative operands unsigned
 * as well.
 */
export const longLiteral = (value: bigint): Expr => constantOf('long', value).sql;

/** Units of fixed length, smallest first. */
export const fixedUnits = {
  nanosecond: 1n,
  microsecond: MICROSECOND,
  millisecond: MILLISECOND,
  second: SECOND,
  minute: MINUTE,
  hour: HOUR,
  day: DAY,
  week: 7n * DAY,
} as const;
export type FixedUnit = keyof typeof fixedUnits;

/**
 * A unit whose periods begin at calendar boundaries in UTC. All numbers are Int64; times are
 * nanoseconds in TypeScript.
 */
export interface CalendarUnit {
  /** Number of the period that holds a time. */
  readonly indexOf: (time: Expr) => Expr;
  readonly indexOfConstant: (time: bigint) => bigint;
  /**
   * The time at which a period begins, in nanoseconds. Only for periods from `min` to `max`.
   */
  readonly startOf: (index: Expr) => Expr;
  readonly startOfConstant: (index: bigint) => bigint;
  /** First and last period that begin at a representable time. */
  readonly min: bigint;
  readonly max: bigint;
}

const days: CalendarUnit = {
  indexOf: (time) => floorDivided(nanoseconds(time), DAY),
  indexOfConstant: (time) => floorDivide(time, DAY),
  startOf: (index) => call('multiply', index, longLiteral(DAY)),
  startOfConstant: (index) => index * DAY,
  min: -106_751n,
  max: 106_751n,
};

/** Weeks begin on Sunday; 1970-01-01 was a Thursday. */
const weeks: CalendarUnit = {
  indexOf: (time) => floorDivided(call('plus', days.indexOf(time), integer(4)), 7n),
  indexOfConstant: (time) => floorDivide(days.indexOfConstant(time) + 4n, 7n),
  startOf: (index) => days.startOf(call('minus', call('multiply', index, integer(7)), integer(4))),
  startOfConstant: (index) => days.startOfConstant(index * 7n - 4n),
  min: -15_249n,
  max: 15_250n,
};

/** Months are numbered from January of the year 0. */
const months: CalendarUnit = {
  indexOf: (time) =>
    call(
      'plus',
      call('multiply', call('toInt64', call('toYear', time)), integer(12)),
      call('minus', call('toMonth', time), integer(1)),
    ),
  indexOfConstant: (time) => {
    const date = dateOf(time);
    return BigInt(date.getUTCFullYear() * 12 + date.getUTCMonth());
  },
  startOf: (index) => days.startOf(firstDayOf(index)),
  startOfConstant: (index) =>
    days.startOfConstant(BigInt(Date.UTC(Number(index / 12n), Number(index % 12n), 1) / 86_400_000)),
  min: 1677n * 12n + 9n,
  max: 2262n * 12n + 3n,
};

/** Periods of several months. */
const ofMonths = (count: bigint): CalendarUnit => ({
  indexOf: (time) => call('intDiv', months.indexOf(time), integer(count)),
  indexOfConstant: (time) => months.indexOfConstant(time) / count,
  startOf: (index) => months.startOf(call('multiply', index, integer(count))),
  startOfConstant: (index) => months.startOfConstant(index * count),
  min: (months.min + count - 1n) / count,
  max: months.max / count,
});

export const calendar = {
  day: days,
  week: weeks,
  month: months,
  quarter: ofMonths(3n),
  year: { ...ofMonths(12n), indexOf: (time) => call('toInt64', call('toYear', time)) },
} as const satisfies Record<string, CalendarUnit>;
export type CalendarUnitName = keyof typeof calendar;

/**
 * Beyond this an offset has no result. It is far above any index, and a sum with one cannot
 * overflow.
 */
export const MAX_OFFSET = 1_000_000n;

/** The datetime at which a period begins, moved by nanoseconds; null where that is out of range. */
export function startOfPeriod(unit: CalendarUnit, index: Expr, moved: bigint = 0n): Expr {
  return shareSubexpression(index, (n) =>
    call(
      'if',
      isBetween(n, unit.min, unit.max),
      instant(moved === 0n ? unit.startOf(n) : call('plus', unit.startOf(n), longLiteral(moved))),
      nullOf('datetime'),
    ),
  );
}

/** The start of a known period, in nanoseconds. */
export function startOfConstantPeriod(unit: CalendarUnit, index: bigint, moved: bigint = 0n): bigint | null {
  if (index < unit.min || index > unit.max) return null;
  return unit.startOfConstant(index) + moved;
}

export const isBetween = (value: Expr, low: bigint, high: bigint): Expr =>
  and(call('greaterOrEquals', value, longLiteral(low)), call('lessOrEquals', value, longLiteral(high)));

/** Division rounded down, without any overflow; the divisor is positive. */
export const floorDivided = (value: Expr, by: bigint): Expr =>
  by === 1n
    ? value
    : call(
        'minus',
        call('intDiv', value, longLiteral(by)),
        call('less', call('modulo', value, longLiteral(by)), integer(0)),
      );

/** The remainder that belongs to `floorDivided`: never negative. */
export const floorRemainder = (value: Expr, by: bigint): Expr => call('positiveModulo', value, longLiteral(by));

/**
 * Day number of the first day of a month. Years run from March here, so that the leap day is the
 * last of its year; the index must be that of a year AD.
 */
export function firstDayOf(index: Expr): Expr {
  const sinceMarch = call('minus', index, integer(2));
  const year = call('intDiv', sinceMarch, integer(12));
  const month = call('modulo', sinceMarch, integer(12));
  const leapDays = call(
    'plus',
    call('minus', call('intDiv', year, integer(4)), call('intDiv', year, integer(100))),
    call('intDiv', year, integer(400)),
  );
  const beforeMonth = call('intDiv', call('plus', call('multiply', month, integer(153)), integer(2)), integer(5));
  const sinceYear0 = call('plus', call('plus', call('multiply', year, integer(365)), leapDays), beforeMonth);
  return call('minus', sinceYear0, integer(719_468));
}

/** Number of days in the month of an index. */
export const daysInMonth = (index: Expr): Expr =>
  call('minus', firstDayOf(call('plus', index, integer(1))), firstDayOf(index));

const dateOf = (time: bigint): Date => new Date(Number(floorDivide(time, MILLISECOND)));

/** A known number of nanoseconds, null if it is out of range. */
export const nullIfOutOfRange = (time: bigint): bigint | null => (fitsInt64(time) ? time : null);
