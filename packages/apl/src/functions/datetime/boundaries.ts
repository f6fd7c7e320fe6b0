import { call } from '@millrace/sql';
import type { LiteralValue } from '@millrace/sql';
import { defineOverload, param } from '../define.js';
import type { Example, FunctionRecord, Overload } from '../define.js';
import { MAX_OFFSET, isBetween, calendar, startOfConstantPeriod, startOfPeriod } from './calendar.js';
import type { CalendarUnitName } from './calendar.js';
import { nullOf } from '../../lower/values.js';

/**
 * Ends are given in steps of 100 ns, as documented: 23:59:59.9999999, although times have
 * nanoseconds.
 */
const BEFORE_END = -100n;

/** Start or end of the calendar period that holds a time, moved by a number of periods. */
function boundary(side: 'start' | 'end', unitName: CalendarUnitName): Overload {
  const unit = calendar[unitName];
  const ahead = side === 'start' ? 0n : 1n;
  const moved = side === 'start' ? 0n : BEFORE_END;
  return defineOverload({
    params: [param('datetime', 'datetime'), param('offset', 'long', { optional: true })],
    returns: 'datetime',
    lower: ([time, offset]) => {
      const index = unit.indexOf(time.sql);
      if (offset === undefined || typeof offset.constant === 'bigint') {
        const shift = (typeof offset?.constant === 'bigint' ? offset.constant : 0n) + ahead;
        if (shift < -MAX_OFFSET || shift > MAX_OFFSET) return nullOf('datetime');
        return startOfPeriod(
          unit,
          shift === 0n ? index : call('plus', index, { kind: 'literal', value: shift }),
          moved,
        );
      }
      const shifted = call('plus', index, call('plus', offset.sql, { kind: 'literal', value: ahead }));
      return call(
        'if',
        isBetween(offset.sql, -MAX_OFFSET, MAX_OFFSET),
        startOfPeriod(unit, shifted, moved),
        nullOf('datetime'),
      );
    },
    fold: ([time, offset = 0n]): LiteralValue =>
      typeof time === 'bigint' && typeof offset === 'bigint'
        ? startOfConstantPeriod(unit, unit.indexOfConstant(time) + offset + ahead, moved)
        : null,
  });
}

const record = (
  side: 'start' | 'end',
  unit: 'day' | 'week' | 'month' | 'year',
  examples: readonly Example[],
): FunctionRecord => ({
  name: `${side}of${unit}`,
  summary:
    side === 'start'
      ? `The start of the ${unit} in UTC${unit === 'week' ? ', which begins on Sunday' : ''}, moved by a number of ${unit}s if one is given.`
      : `The end of the ${unit} in UTC${unit === 'week' ? ', which ends on Saturday' : ''}, 100 nanoseconds before the next, moved by a number of ${unit}s if one is given.`,
  overloads: [boundary(side, unit)],
  examples,
});

export const boundaries: readonly FunctionRecord[] = [
  record('start', 'day', [
    { apl: 'startofday(datetime(2024-02-28 13:00:01.5))', gives: '2024-02-28T00:00:00Z' },
    { apl: 'startofday(datetime(2024-02-28 13:00), 2)', gives: '2024-03-01T00:00:00Z' },
    { apl: 'startofday(todatetime("1969-12-31T23:59:59.999999999Z"))', gives: '1969-12-31T00:00:00Z' },
    { apl: 'startofday(todatetime("2024-02-28T13:00:00Z"), tolong("9223372036854775807"))', gives: null },
    { apl: 'startofday(todatetime("1677-09-21T00:30:00Z"))', gives: null },
  ]),
  record('start', 'week', [
    { apl: 'startofweek(datetime(2024-05-15 10:00))', gives: '2024-05-12T00:00:00Z' },
    { apl: 'startofweek(todatetime("2024-05-12T00:00:00Z"))', gives: '2024-05-12T00:00:00Z' },
    { apl: 'startofweek(todatetime("2024-05-18T23:59:59Z"), -1)', gives: '2024-05-05T00:00:00Z' },
    { apl: 'startofweek(todatetime("1970-01-01T00:00:00Z"))', gives: '1969-12-28T00:00:00Z' },
  ]),
  record('start', 'month', [
    { apl: 'startofmonth(datetime(2024-02-29 10:00))', gives: '2024-02-01T00:00:00Z' },
    { apl: 'startofmonth(todatetime("2024-02-29T10:00:00Z"), tolong("-14"))', gives: '2022-12-01T00:00:00Z' },
    { apl: 'startofmonth(todatetime("1700-03-15T10:00:00Z"))', gives: '1700-03-01T00:00:00Z' },
    { apl: 'startofmonth(datetime(2024-02-29), 100000)', gives: null },
  ]),
  record('start', 'year', [
    { apl: 'startofyear(datetime(2024-05-15))', gives: '2024-01-01T00:00:00Z' },
    { apl: 'startofyear(todatetime("2024-05-15T00:00:00Z"), -1)', gives: '2023-01-01T00:00:00Z' },
    { apl: 'startofyear(todatetime("1900-12-31T23:00:00Z"))', gives: '1900-01-01T00:00:00Z' },
    { apl: 'startofyear(todatetime("2024-05-15T00:00:00Z"), tolong("500"))', gives: null },
  ]),
  record('end', 'day', [
    { apl: 'endofday(datetime(2024-05-01 10:00))', gives: '2024-05-01T23:59:59.9999999Z' },
    { apl: 'endofday(todatetime("2024-05-01T10:00:00Z"), -1)', gives: '2024-04-30T23:59:59.9999999Z' },
    { apl: 'endofday(todatetime("1969-12-31T10:00:00Z"))', gives: '1969-12-31T23:59:59.9999999Z' },
  ]),
  record('end', 'week', [
    { apl: 'endofweek(datetime(2024-05-15))', gives: '2024-05-18T23:59:59.9999999Z' },
    { apl: 'endofweek(todatetime("2024-05-15T00:00:00Z"), 1)', gives: '2024-05-25T23:59:59.9999999Z' },
  ]),
  record('end', 'month', [
    { apl: 'endofmonth(datetime(2024-02-10))', gives: '2024-02-29T23:59:59.9999999Z' },
    { apl: 'endofmonth(todatetime("2023-02-10T00:00:00Z"))', gives: '2023-02-28T23:59:59.9999999Z' },
    { apl: 'endofmonth(todatetime("2024-11-10T00:00:00Z"), tolong("1"))', gives: '2024-12-31T23:59:59.9999999Z' },
  ]),
  record('end', 'year', [
    { apl: 'endofyear(datetime(2024-02-10))', gives: '2024-12-31T23:59:59.9999999Z' },
    { apl: 'endofyear(todatetime("2024-02-10T00:00:00Z"), -100)', gives: '1924-12-31T23:59:59.9999999Z' },
  ]),
];
