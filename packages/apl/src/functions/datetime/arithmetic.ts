import { call, integer } from '@millrace/sql';
import type { Expr, LiteralValue } from '@millrace/sql';
import { shareSubexpression } from '../../lower/shared-subexpressions.js';
import { instant, int64OrNull, nanoseconds, nullOf } from '../../lower/values.js';
import { defineFunction, param } from '../define.js';
import type { FunctionRecord, LoweredArgument, Overload } from '../define.js';
import {
  MAX_OFFSET,
  isBetween,
  calendar,
  daysInMonth,
  firstDayOf,
  fixedUnits,
  floorDivided,
  floorRemainder,
  nullIfOutOfRange,
  longLiteral,
} from './calendar.js';
import type { CalendarUnitName, FixedUnit } from './calendar.js';
import { DAY } from '../../model/nanoseconds.js';
import { floorDivide } from '../../model/floor.js';

const monthsOf = { month: 1n, quarter: 3n, year: 12n } as const;
type MonthUnit = keyof typeof monthsOf;

const isMonths = (unit: string): unit is MonthUnit => Object.hasOwn(monthsOf, unit);
const isFixed = (unit: string): unit is FixedUnit => Object.hasOwn(fixedUnits, unit);
const isCalendar = (unit: string): unit is CalendarUnitName => Object.hasOwn(calendar, unit);

const units = [...Object.keys(fixedUnits), ...Object.keys(monthsOf)];
const unitOf = (part: LiteralValue | undefined): string => (typeof part === 'string' ? part.toLowerCase() : '');

const part = param('part', 'string', { constant: true });

/** Checks the name of a part, in upper or lower case. */
const checkUnit: Overload['check'] = ([name]) =>
  name?.constant === null || units.includes(unitOf(name?.constant))
    ? undefined
    : { argument: 0, message: `there is no part ${JSON.stringify(name?.constant)}; parts are ${units.join(', ')}` };

// ---------------------------------------------------------------- datetime_add

function add([name, amount, time]: readonly [LoweredArgument, LoweredArgument, LoweredArgument]): Expr {
  const unit = unitOf(name.constant);
  if (isMonths(unit)) return addMonths(monthsOf[unit], amount.sql, time.sql);
  if (!isFixed(unit)) return nullOf('datetime');
  // 128 bits hold the product of any amount and unit, and the sum.
  const moved = call('multiply', call('toInt128', amount.sql), longLiteral(fixedUnits[unit]));
  return instant(int64OrNull(call('plus', call('toInt128', nanoseconds(time.sql)), moved)));
}

/** The first and the last month with representable times; only a part of each is representable. */
const firstMonth = calendar.month.min - 1n;
const lastMonth = calendar.month.max;

/** Adds months; a day that does not exist in the target month becomes its last day. */
function addMonths(size: bigint, amount: Expr, time: Expr): Expr {
  const target = call('plus', calendar.month.indexOf(time), call('multiply', amount, integer(size)));
  const moved = shareSubexpression(target, (index) => {
    const day = call('plus', firstDayOf(index), call('least', call('toDayOfMonth', time), daysInMonth(index)));
    // 128 bits, because only a part of the first and the last month fits 64.
    const midnight = call('multiply', call('toInt128', call('minus', day, integer(1))), longLiteral(DAY));
    const moment = call('plus', midnight, floorRemainder(nanoseconds(time), DAY));
    return call('if', isBetween(index, firstMonth, lastMonth), instant(int64OrNull(moment)), nullOf('datetime'));
  });
  return call('if', isBetween(amount, -MAX_OFFSET, MAX_OFFSET), moved, nullOf('datetime'));
}

function foldAdd([name = null, amount = null, time = null]: readonly LiteralValue[]): LiteralValue {
  const unit = unitOf(name);
  if (typeof amount !== 'bigint' || typeof time !== 'bigint') return null;
  if (isFixed(unit)) return nullIfOutOfRange(time + amount * fixedUnits[unit]);
  if (!isMonths(unit)) return null;
  const { month } = calendar;
  const index = month.indexOfConstant(time);
  const target = index + amount * monthsOf[unit];
  if (target < firstMonth || target > lastMonth) return null;
  const start = month.startOfConstant(target);
  const lastDay = floorDivide(month.startOfConstant(target + 1n) - start, DAY) - 1n;
  const sinceMidnight = time - floorDivide(time, DAY) * DAY;
  const day = floorDivide(time, DAY) - floorDivide(month.startOfConstant(index), DAY);
  return nullIfOutOfRange(start + (day < lastDay ? day : lastDay) * DAY + sinceMidnight);
}

// ---------------------------------------------------------------- datetime_diff

/**
 * Number of the period that holds a time, for any unit: a difference counts the boundaries between
 * two times.
 */
function periodOf(unit: string, time: Expr): Expr {
  if (isCalendar(unit)) return calendar[unit].indexOf(time);
  return isFixed(unit) ? floorDivided(nanoseconds(time), fixedUnits[unit]) : nullOf('long');
}

function difference([name, later, earlier]: readonly [LoweredArgument, LoweredArgument, LoweredArgument]): Expr {
  const unit = unitOf(name.constant);
  const [a, b] = [periodOf(unit, later.sql), periodOf(unit, earlier.sql)];
  return unit === 'nanosecond' ? int64OrNull(call('minus', call('toInt128', a), b)) : call('minus', a, b);
}

function foldDifference([name = null, later = null, earlier = null]: readonly LiteralValue[]): LiteralValue {
  const unit = unitOf(name);
  if (name === null || typeof later !== 'bigint' || typeof earlier !== 'bigint') return null;
  const period = (time: bigint): bigint =>
    isCalendar(unit) ? calendar[unit].indexOfConstant(time) : floorDivide(time, isFixed(unit) ? fixedUnits[unit] : 1n);
  return nullIfOutOfRange(period(later) - period(earlier));
}

// ---------------------------------------------------------------- datetime_part

/** Fractions of a second count from the last full second: 5.25 s has 250 ms and 250,000 µs. */
const withinSecond = (time: Expr, unit: FixedUnit): Expr =>
  call('intDiv', floorRemainder(nanoseconds(time), fixedUnits.second), longLiteral(fixedUnits[unit]));

export const partReaders = {
  year: (time) => call('toYear', time),
  quarter: (time) => call('toQuarter', time),
  month: (time) => call('toMonth', time),
  week_of_year: (time) => call('toISOWeek', time),
  day: (time) => call('toDayOfMonth', time),
  dayOfYear: (time) => call('toDayOfYear', time),
  hour: (time) => call('toHour', time),
  minute: (time) => call('toMinute', time),
  second: (time) => call('toSecond', time),
  millisecond: (time) => withinSecond(time, 'millisecond'),
  microsecond: (time) => withinSecond(time, 'microsecond'),
  nanosecond: (time) => withinSecond(time, 'nanosecond'),
} satisfies Readonly<Record<string, (time: Expr) => Expr>>;

const plainName = (name: string): string => name.toLowerCase().replaceAll('_', '');
const readersByPlainName = new Map(Object.entries(partReaders).map(([name, read]) => [plainName(name), read]));
const readerOf = (name: LiteralValue | undefined): ((time: Expr) => Expr) | undefined =>
  typeof name === 'string' ? readersByPlainName.get(plainName(name)) : undefined;

/** Functions that take the name of a part of time. */
export const datetimeArithmetic: readonly FunctionRecord[] = [
  defineFunction({
    name: 'datetime_add',
    summary:
      'The datetime moved by a number of days, months or another part; a day that the month lacks becomes its last day. Null if out of range.',
    params: [part, param('amount', 'long'), param('datetime', 'datetime')],
    returns: 'datetime',
    lower: add,
    fold: foldAdd,
    check: checkUnit,
    examples: [
      { apl: "datetime_add('month', 1, datetime(2024-01-31))", gives: '2024-02-29T00:00:00Z' },
      { apl: "datetime_add('year', -1, todatetime('2024-02-29T10:00:00Z'))", gives: '2023-02-28T10:00:00Z' },
      { apl: "datetime_add('Hour', 36, todatetime('2024-12-31T00:00:00Z'))", gives: '2025-01-01T12:00:00Z' },
      { apl: "datetime_add('quarter', tolong('-1'), datetime(2024-05-31))", gives: '2024-02-29T00:00:00Z' },
      { apl: "datetime_add('nanosecond', 1, datetime(1970-01-01))", gives: '1970-01-01T00:00:00.000000001Z' },
      { apl: "datetime_add('week', tolong('9223372036854775807'), datetime(2024-05-31))", gives: null },
      { apl: "datetime_add('year', tolong('768614336404564651'), datetime(2024-05-31))", gives: null },
      { apl: "datetime_add('year', 300, datetime(2024-05-31))", gives: null },
      { apl: "datetime_add('month', 1, datetime(2262-03-05))", gives: '2262-04-05T00:00:00Z' },
      { apl: "datetime_add('month', 1, todatetime('Wed, 05 Mar 2262 01:00:00 GMT'))", gives: '2262-04-05T01:00:00Z' },
      { apl: "datetime_add('month', -1, todatetime('Fri, 22 Oct 1677 00:00:00 GMT'))", gives: '1677-09-22T00:00:00Z' },
      { apl: "datetime_add('month', 1, todatetime('Mon, 31 Mar 2262 00:00:00 GMT'))", gives: null },
    ],
  }),
  defineFunction({
    name: 'datetime_diff',
    summary:
      'How many boundaries of a part, such as midnights for day, lie between two datetimes; positive if the first is the later one. Weeks begin on Sunday.',
    params: [part, param('later', 'datetime'), param('earlier', 'datetime')],
    returns: 'long',
    lower: difference,
    fold: foldDifference,
    check: checkUnit,
    examples: [
      { apl: "datetime_diff('day', todatetime('2024-01-02T00:00:00Z'), datetime(2024-01-01 23:59:59))", gives: 1 },
      { apl: "datetime_diff('year', datetime(2024-01-01), datetime(2023-12-31))", gives: 1 },
      {
        apl: "datetime_diff('Millisecond', todatetime('1969-12-31T23:59:59.999999Z'), datetime(1970-01-01))",
        gives: -1,
      },
      { apl: "datetime_diff('week', todatetime('2024-05-19T00:00:00Z'), datetime(2024-05-18))", gives: 1 },
      { apl: "datetime_diff('quarter', datetime(2023-12-31), todatetime('2024-04-01T00:00:00Z'))", gives: -2 },
      { apl: "datetime_diff('month', todatetime('1700-01-01T00:00:00Z'), datetime(1699-11-30))", gives: 2 },
      { apl: "datetime_diff('nanosecond', todatetime('2262-01-01T00:00:00Z'), datetime(1700-01-01))", gives: null },
      { apl: 'datetime_diff(string(null), datetime(2024-01-02), datetime(2024-01-01))', gives: null },
    ],
    differs: {
      axiom: 'Which day weeks begin on is not documented; an older page counts the weeks that have passed in full.',
    },
  }),
  defineFunction({
    name: 'datetime_part',
    summary:
      'A part of the datetime in UTC as a number; milliseconds, microseconds and nanoseconds count from the last full second.',
    params: [part, param('datetime', 'datetime')],
    returns: 'long',
    lower: ([name, time]) => readerOf(name.constant)?.(time.sql) ?? nullOf('long'),
    check: ([name]) =>
      name?.constant === null || readerOf(name?.constant) !== undefined
        ? undefined
        : {
            argument: 0,
            message: `there is no part ${JSON.stringify(name?.constant)}; parts are ${Object.keys(partReaders).join(', ')}`,
          },
    examples: [
      { apl: "datetime_part('quarter', datetime(2024-05-01))", gives: 2 },
      { apl: "datetime_part('dayOfYear', datetime(2024-12-31))", gives: 366 },
      { apl: "datetime_part('week_of_year', datetime(2021-01-03))", gives: 53 },
      { apl: "datetime_part('microsecond', datetime(2024-05-01 00:00:05.25))", gives: 250_000 },
      { apl: "datetime_part('nanosecond', todatetime('1969-12-31T23:59:59.999999999Z'))", gives: 999_999_999 },
      { apl: "datetime_part('Hour', datetime(1969-12-31 23:00))", gives: 23 },
    ],
  }),
];
