import { call } from '@millrace/sql';
import type { LiteralValue } from '@millrace/sql';
import { instant, int64OrNull, nullOf } from '../../lower/values.js';
import { defineFunction, param } from '../define.js';
import type { Example, FunctionRecord, Overload } from '../define.js';
import { isBetween, fixedUnits, nullIfOutOfRange, longLiteral } from './calendar.js';
import { MAX_LONG } from '../../model/int64.js';

/**
 * `now` is one instant for the whole query; both functions fold, so that they narrow the time
 * range.
 */
const relative = (sign: 1n | -1n): Pick<Overload, 'lower' | 'fold'> => ({
  lower: ([span], { now }) =>
    span === undefined
      ? instant(longLiteral(now()))
      : instant(
          int64OrNull(
            call(sign === 1n ? 'plus' : 'minus', call('toInt128', longLiteral(now())), call('toInt128', span.sql)),
          ),
        ),
  fold: ([span = 0n], { now }) => (typeof span === 'bigint' ? nullIfOutOfRange(now() + sign * span) : null),
});

type UnixUnit = 'second' | 'millisecond' | 'microsecond' | 'nanosecond';

function fromUnixTime(unit: UnixUnit, sample: readonly Example[]): FunctionRecord {
  const size = fixedUnits[unit];
  const limit = MAX_LONG / size;
  return defineFunction({
    name: `unixtime_${unit}s_todatetime`,
    summary: `The datetime a whole number of ${unit}s after 1970-01-01 UTC.`,
    params: [param(`${unit}s`, 'long')],
    returns: 'datetime',
    lower: ([count]) =>
      size === 1n
        ? instant(count.sql)
        : call(
            'if',
            isBetween(count.sql, -limit, limit),
            instant(call('multiply', count.sql, longLiteral(size))),
            nullOf('datetime'),
          ),
    fold: ([count]): LiteralValue => (typeof count === 'bigint' ? nullIfOutOfRange(count * size) : null),
    examples: sample,
  });
}

/** Functions that make a datetime from its distance to now or to the epoch. */
export const relativeTimes: readonly FunctionRecord[] = [
  {
    name: 'now',
    summary: 'The time of the query, moved by a timespan if one is given; the same everywhere in the query.',
    params: [param('offset', 'timespan', { optional: true })],
    returns: 'datetime',
    ...relative(1n),
    examples: [
      { apl: 'now() > datetime(2024-01-01)', gives: true },
      { apl: 'now() - now(-6h) == 6h', gives: true },
      { apl: 'now(timespan(null))', gives: null },
      { apl: 'now(totimespan("2h")) - now() == 2h', gives: true },
    ],
  },
  {
    name: 'ago',
    summary: 'The time of the query less a timespan.',
    params: [param('timespan', 'timespan')],
    returns: 'datetime',
    ...relative(-1n),
    examples: [
      { apl: 'now() - ago(1h) == 1h', gives: true },
      { apl: 'ago(-1d) > now()', gives: true },
      { apl: 'ago(timespan(null))', gives: null },
      { apl: 'now() - ago(totimespan("90m")) == 90m', gives: true },
    ],
  },
  fromUnixTime('second', [
    { apl: 'unixtime_seconds_todatetime(1546300800)', gives: '2019-01-01T00:00:00Z' },
    { apl: 'unixtime_seconds_todatetime(-1.9)', gives: '1969-12-31T23:59:59Z' },
    { apl: 'unixtime_seconds_todatetime(99999999999999)', gives: null },
    { apl: 'unixtime_seconds_todatetime(tolong("99999999999999"))', gives: null },
  ]),
  fromUnixTime('millisecond', [
    { apl: 'unixtime_milliseconds_todatetime(1546300800123)', gives: '2019-01-01T00:00:00.123Z' },
    { apl: 'unixtime_milliseconds_todatetime(tolong("1546300800123"))', gives: '2019-01-01T00:00:00.123Z' },
  ]),
  fromUnixTime('microsecond', [
    { apl: 'unixtime_microseconds_todatetime(1546300800123456)', gives: '2019-01-01T00:00:00.123456Z' },
    { apl: 'unixtime_microseconds_todatetime(tolong("-1"))', gives: '1969-12-31T23:59:59.999999Z' },
  ]),
  fromUnixTime('nanosecond', [
    { apl: 'unixtime_nanoseconds_todatetime(1546300800123456789)', gives: '2019-01-01T00:00:00.123456789Z' },
    { apl: 'unixtime_nanoseconds_todatetime(tolong("9223372036854775807"))', gives: '2262-04-11T23:47:16.854775807Z' },
  ]),
];
