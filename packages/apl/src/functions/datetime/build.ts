import { and, call, integer, literal } from '@millrace/sql';
import type { Expr } from '@millrace/sql';
import { shareSubexpression } from '../../lower/shared-subexpressions.js';
import { instant, int64OrNull, nullOf } from '../../lower/values.js';
import { defineFunction, defineOverload, param } from '../define.js';
import type { FunctionRecord, LoweredArgument } from '../define.js';
import { isBetween, calendar, daysInMonth, firstDayOf, longLiteral } from './calendar.js';
import { DAY, HOUR, MINUTE } from '../../model/nanoseconds.js';

/** A number of seconds with a fraction, to the nanosecond. */
const secondsToNanoseconds = (seconds: Expr): Expr =>
  int64OrNull(call('round', call('multiply', seconds, literal(1e9))));

const times = (count: Expr, unit: bigint): Expr => call('multiply', count, longLiteral(unit));
const sum = (first: Expr, ...rest: readonly Expr[]): Expr =>
  rest.reduce((total, value) => call('plus', total, value), first);

const validClock = (hour: Expr, minute: Expr, second: Expr): Expr =>
  and(
    isBetween(hour, 0n, 23n),
    isBetween(minute, 0n, 59n),
    call('greaterOrEquals', second, literal(0)),
    call('less', second, literal(60)),
  );

function makeDatetime([{ sql: year }, { sql: month }, { sql: day }, ...clock]: readonly [
  LoweredArgument,
  LoweredArgument,
  LoweredArgument,
  LoweredArgument?,
  LoweredArgument?,
  LoweredArgument?,
]): Expr {
  const [hour = longLiteral(0n), minute = longLiteral(0n), second = literal(0)] = clock.map((part) => part?.sql);
  const { month: months } = calendar;
  const index = call(
    'plus',
    call('multiply', call('if', isBetween(year, 0n, 9999n), year, longLiteral(0n)), integer(12)),
    call('minus', month, integer(1)),
  );
  return shareSubexpression(index, (n) => {
    const dayNumber = call('plus', firstDayOf(n), call('minus', day, integer(1)));
    const valid = and(
      isBetween(month, 1n, 12n),
      isBetween(n, months.min - 1n, months.max),
      isBetween(day, 1n, 31n),
      call('lessOrEquals', day, daysInMonth(n)),
      validClock(hour, minute, second),
    );
    // 128 bits, because only a part of the first and the last month fits 64.
    const midnight = times(call('toInt128', dayNumber), DAY);
    const time = sum(midnight, times(hour, HOUR), times(minute, MINUTE), secondsToNanoseconds(second));
    return call('if', valid, instant(int64OrNull(time)), nullOf('datetime'));
  });
}

function makeTimespan(days: Expr, hour: Expr, minute: Expr, second: Expr): Expr {
  const total = sum(times(days, DAY), times(hour, HOUR), times(minute, MINUTE), secondsToNanoseconds(second));
  const valid = and(isBetween(days, 0n, 106_750n), validClock(hour, minute, second));
  return call('if', valid, total, nullOf('timespan'));
}

export const builders: readonly FunctionRecord[] = [
  defineFunction({
    name: 'make_datetime',
    summary:
      'The datetime in UTC made of a year, month and day, optionally with hour, minute and second; null if there is no such time.',
    params: [
      param('year', 'long'),
      param('month', 'long'),
      param('day', 'long'),
      param('hour', 'long', { optional: true }),
      param('minute', 'long', { optional: true }),
      param('second', 'real', { optional: true }),
    ],
    returns: 'datetime',
    lower: makeDatetime,
    examples: [
      { apl: 'make_datetime(2024, 2, 29)', gives: '2024-02-29T00:00:00Z' },
      { apl: 'make_datetime(2024, 12, 31, 23, 59, 59.25)', gives: '2024-12-31T23:59:59.25Z' },
      { apl: 'make_datetime(2262, 4, 11, 23, 47, 16)', gives: '2262-04-11T23:47:16Z' },
      { apl: 'make_datetime(1677, 9, 22)', gives: '1677-09-22T00:00:00Z' },
      { apl: 'make_datetime(2262, 4, 12)', gives: null },
      { apl: 'make_datetime(2023, 2, 29)', gives: null },
      { apl: 'make_datetime(2024, 1, 1, 24, 0)', gives: null },
      { apl: 'make_datetime(tolong("9223372036854775807"), 1, 1)', gives: null },
    ],
  }),
  {
    name: 'make_timespan',
    summary:
      'The timespan made of hours and minutes, optionally with seconds, or of days, hours, minutes and seconds; null if a part is out of range.',
    overloads: [
      defineOverload({
        params: [param('hour', 'long'), param('minute', 'long'), param('second', 'real', { optional: true })],
        returns: 'timespan',
        lower: ([hour, minute, second]) =>
          makeTimespan(longLiteral(0n), hour.sql, minute.sql, second?.sql ?? literal(0)),
      }),
      defineOverload({
        params: [param('day', 'long'), param('hour', 'long'), param('minute', 'long'), param('second', 'real')],
        returns: 'timespan',
        lower: ([day, hour, minute, second]) => makeTimespan(day.sql, hour.sql, minute.sql, second.sql),
      }),
    ],
    examples: [
      { apl: 'make_timespan(1, 12) == 72m', gives: true },
      { apl: 'make_timespan(1, 12, 30.5) == 72m + 30s + 500ms', gives: true },
      { apl: 'make_timespan(2, 1, 0, 0.000000001) == 49h + 1ns', gives: true },
      { apl: 'make_timespan(24, 0)', gives: null },
    ],
  },
];
