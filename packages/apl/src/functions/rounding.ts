import { call } from '@millrace/sql';
import type { Expr, LiteralValue } from '@millrace/sql';
import { once } from '../lower/once.js';
import { fitsInt64, instant, nanoseconds } from '../lower/values.js';
import { notNegative, positiveOrNull, positiveSize } from './bins.js';
import { truncatedReal } from './conversion/numbers.js';
import { param } from './define.js';
import type { Example, FunctionRecord, Overload } from './define.js';

/** Rounds to an integer; null if it does not fit 64 bits. */
const toWhole = (
  name: string,
  summary: string,
  engine: string,
  round: (value: number) => number,
  examples: readonly Example[],
): FunctionRecord => ({
  name,
  group: 'rounding',
  summary,
  nulls: 'propagate',
  overloads: [
    { params: [param('number', 'long')], returns: 'long', lower: ([n]) => n!.sql, fold: ([n]) => n },
    {
      params: [param('number', 'real')],
      returns: 'long',
      lower: ([n]) => truncatedReal(call(engine, n!.sql)),
      fold: ([n]) => (typeof n === 'number' ? whole(round(n)) : null),
    },
  ],
  examples,
});

const whole = (value: number): LiteralValue =>
  Number.isFinite(value) && fitsInt64(BigInt(value)) ? BigInt(value) : null;

const difference = (value: Expr, fixed: Expr): Expr => call('minus', value, fixed);

/** A bin of integers; times are nanoseconds. Null for a size that is not positive. */
function binAt(
  value: 'datetime' | 'long' | 'timespan',
  size: 'long' | 'timespan',
  fixed: 'datetime' | 'long' | 'timespan',
  from: (value: Expr, fixed: Expr) => Expr,
): Overload {
  return {
    params: [param('value', value), param('size', size), param('fixed', fixed)],
    returns: value,
    check: positiveSize,
    lower: ([v, s, f]) => {
      const into = call('positiveModuloOrNull', from(v!.sql, f!.sql), notNegative(s!.sql));
      if (value !== 'datetime') return call('minus', v!.sql, into);
      return instant(call('minus', nanoseconds(v!.sql), into));
    },
  };
}

export const functions: readonly FunctionRecord[] = [
  toWhole('ceiling', 'The smallest integer that is not less than the number.', 'ceil', Math.ceil, [
    { apl: 'ceiling(1.2)', gives: 2 },
    { apl: 'ceiling(-1.2)', gives: -1 },
    { apl: 'ceiling(3)', gives: 3 },
    { apl: 'ceiling(1e300)', gives: null },
  ]),
  toWhole('floor', 'The largest integer that is not greater than the number.', 'floor', Math.floor, [
    { apl: 'floor(1.8)', gives: 1 },
    { apl: 'floor(-1.2)', gives: -2 },
    { apl: 'floor(3)', gives: 3 },
    { apl: 'floor(real(null))', gives: null },
  ]),
  {
    name: 'bin_at',
    group: 'rounding',
    summary:
      'The value rounded down to a bin of the size; bins are counted from a fixed point instead of 0 or the epoch.',
    nulls: 'propagate',
    overloads: [
      binAt('datetime', 'timespan', 'datetime', (value, fixed) =>
        call('minus', nanoseconds(value), nanoseconds(fixed)),
      ),
      binAt('long', 'long', 'long', difference),
      binAt('timespan', 'timespan', 'timespan', difference),
      {
        params: [param('value', 'real'), param('size', 'real'), param('fixed', 'real')],
        returns: 'real',
        check: positiveSize,
        lower: ([value, given, fixed]) =>
          once(positiveOrNull(given!), (size) => {
            const bins = call('floor', call('divide', difference(value!.sql, fixed!.sql), size));
            return call('plus', fixed!.sql, call('multiply', bins, size));
          }),
      },
    ],
    examples: [
      { apl: 'bin_at(6.5, 2.5, 7)', gives: 4.5 },
      { apl: 'bin_at(10, 4, 1)', gives: 9 },
      { apl: 'bin_at(6.5, toreal("-2.5"), 7)', gives: null },
      { apl: 'bin_at(datetime(2024-01-03), 7d, datetime(2024-01-01))', gives: '2024-01-01T00:00:00Z' },
      { apl: 'bin_at(datetime(2023-12-31 23:00), 1d, datetime(2024-01-01 12:00))', gives: '2023-12-31T12:00:00Z' },
      { apl: 'bin_at(100m, 1h, 10m) == 70m', gives: true },
    ],
  },
];
