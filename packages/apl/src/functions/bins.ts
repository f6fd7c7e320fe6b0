import { call, integer, literal } from '@millrace/sql';
import type { Expr, LiteralValue } from '@millrace/sql';
import { shareSubexpression } from '../lower/shared-subexpressions.js';
import { instant, nanoseconds, nullOf } from '../lower/values.js';
import { defineFunction, defineOverload, param } from './define.js';
import type { FunctionRecord, LoweredArgument, Overload } from './define.js';
import { eventTimes } from './event-times.js';
import { floorTo } from '../model/floor.js';

/**
 * `size * floor(value / size)`, also for negative values; null if the size is not positive or the
 * bin begins below the 64-bit range.
 */
const floorValue = (value: Expr, { sql: size, constant }: LoweredArgument): Expr =>
  binStart(
    value,
    // A constant size is known to be positive (`positiveSize`), so the engine need not test it in
    // each row.
    typeof constant === 'bigint'
      ? call('positiveModulo', value, size)
      : call('positiveModuloOrNull', value, size.kind === 'literal' || isConstant(size) ? size : notNegative(size)),
  );

/**
 * A value minus its distance from the start of its bin; null where the result does not fit 64 bits.
 */
export const binStart = (value: Expr, within: Expr): Expr =>
  shareSubexpression(value, (from) => notAfter(call('minus', from, within), from, 'long'));

/**
 * The start of a value's bin, or null if it is greater than the value: then the subtraction has
 * wrapped around below the least value.
 */
const notAfter = (start: Expr, value: Expr, type: 'datetime' | 'long'): Expr =>
  shareSubexpression(start, (at) => call('if', call('lessOrEquals', at, value), at, nullOf(type)));

/**
 * A negative size becomes zero, whose remainder is null; the engine refuses the least integer even
 * in rows that are masked.
 */
export const notNegative = (size: Expr): Expr => call('greatest', size, literal(0n));
/** A real size, null where it is not positive. */
export const positiveOrNull = ({ sql, constant }: LoweredArgument): Expr =>
  constant === undefined ? call('if', call('greater', sql, integer(0)), sql, nullOf('real')) : sql;
const isConstant = (expr: Expr): boolean => expr.kind === 'call' && expr.args.every((arg) => arg.kind === 'literal');

function fold([value, size]: readonly LiteralValue[]): LiteralValue | undefined {
  if (typeof value !== 'bigint' || typeof size !== 'bigint') return undefined;
  return size <= 0n ? null : floorTo(value, size);
}

/** Reports a bin size, the second argument, that is not positive. */
export const positiveSize: NonNullable<Overload['check']> = ([, size]) =>
  (typeof size?.constant === 'bigint' || typeof size?.constant === 'number') && size.constant <= 0
    ? { argument: 1, message: 'the size of a bin must be greater than 0' }
    : undefined;

/** From year 1, where bins begin in Kusto, to 1970. */
const SINCE_YEAR_1 = 719_162n * 86_400_000_000_000n;

/** Bins whose size does not divide a day or two begin at other times in Kusto. */
const otherEpoch: NonNullable<Overload['doubt']> = ([, size]) =>
  typeof size?.constant === 'bigint' && size.constant > 0n && SINCE_YEAR_1 % size.constant !== 0n
    ? {
        argument: 1,
        message:
          'bins of this size are counted since 1970; in Kusto since year 1: bin_at(…, datetime(2024-01-01)) says where one begins',
      }
    : undefined;

/** Bins of time, aligned to the epoch in UTC. */
export const binOverload = defineOverload({
  params: [param('value', 'datetime'), param('size', 'timespan')],
  returns: 'datetime',
  lower: ([time, size]) => {
    if (typeof size.constant !== 'bigint') return instant(floorValue(nanoseconds(time.sql), size));
    const interval = call('toIntervalNanosecond', integer(size.constant));
    const startOf = (at: Expr): Expr => call('toStartOfInterval', at, interval);
    // Event times begin in 1900, so none of their bins begins before the least datetime. Without
    // the test for that, their bins stay non-nullable.
    return eventTimes(time.sql) !== undefined
      ? startOf(time.sql)
      : shareSubexpression(time.sql, (at) => notAfter(startOf(at), at, 'datetime'));
  },
  fold,
  check: positiveSize,
  doubt: otherEpoch,
});

const whole = (value: 'long' | 'timespan', size: 'long' | 'timespan'): Overload =>
  defineOverload({
    params: [param('value', value), param('size', size)],
    returns: value,
    lower: ([v, s]) => floorValue(v.sql, s),
    fold,
    check: positiveSize,
  });

export const functions: readonly FunctionRecord[] = [
  {
    name: 'bin',
    summary: 'The value rounded down to a multiple of the size; datetimes are aligned to the epoch in UTC.',
    overloads: [
      whole('long', 'long'),
      // Stands before the overloads for times, so that dynamic values count as numbers.
      defineOverload({
        params: [param('value', 'real'), param('size', 'real')],
        returns: 'real',
        lower: ([value, given]) =>
          shareSubexpression(positiveOrNull(given), (size) =>
            call('multiply', call('floor', call('divide', value.sql, size)), size),
          ),
        check: positiveSize,
      }),
      binOverload,
      whole('timespan', 'timespan'),
      // The long is a number of nanoseconds.
      whole('long', 'timespan'),
    ],
    examples: [
      { apl: 'bin(17, 5)', gives: 15 },
      { apl: 'bin(-7, 5)', gives: -10 },
      { apl: 'bin(tolong("-7"), 5)', gives: -10 },
      { apl: 'bin(4.7, 0.5)', gives: 4.5 },
      { apl: 'bin(datetime(2024-01-01 10:47:12), 15m)', gives: '2024-01-01T10:45:00Z' },
      { apl: 'bin(datetime(1969-12-31 23:59:59), 1h)', gives: '1969-12-31T23:00:00Z' },
      { apl: 'bin(datetime(2024-01-05), 7d)', gives: '2024-01-04T00:00:00Z' },
      { apl: 'bin(todatetime("Wed, 22 Sep 1677 00:00:00 GMT"), 7d)', gives: null },
      { apl: 'bin(tolong(tostring(dynamic("-9223372036854775807"))), 5)', gives: null },
      { apl: 'bin(90m, 1h) == 1h', gives: true },
      { apl: 'bin(toint("17"), 5)', gives: 15 },
      { apl: 'bin(90000000000, 1m)', gives: 60000000000 },
      { apl: 'bin(4.7, toreal(tostring(dynamic("-0.5"))))', gives: null },
      { apl: 'bin(dynamic({"x": -0.5}).x, 1)', gives: -1 },
      { apl: 'bin(dynamic({"x": 7}).x, dynamic({"size": 2.5}).size)', gives: 5 },
    ],
  },
  defineFunction({
    name: 'bin_auto',
    summary: 'The datetime rounded down to a bin whose size is chosen from the time range of the query.',
    params: [param('time', 'datetime')],
    returns: 'datetime',
    readsEventTimes: true,
    // The pass `fixBins` replaces the call with one of `bin` before anything is lowered.
    lower: ([time]) => time.sql,
    examples: [{ apl: 'bin_auto(datetime(2024-01-01)) <= datetime(2024-01-01)', gives: true }],
    differs: { kusto: 'The size is chosen from the time range.' },
  }),
];
