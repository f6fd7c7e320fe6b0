import { call } from '@millrace/sql';
import type { Expr, LiteralValue } from '@millrace/sql';
import { shareSubexpression } from '../lower/shared-subexpressions.js';
import { instant, nanoseconds } from '../lower/values.js';
import { binStart, notNegative, positiveOrNull, positiveSize } from './bins.js';
import { truncatedReal } from './conversion/numbers.js';
import { defineOverload, param } from './define.js';
import type { Example, FunctionRecord, Overload } from './define.js';
import { fitsInt64 } from '../model/int64.js';

/** Rounds to an integer; null if it does not fit 64 bits. */
const toWhole = (
  name: string,
  summary: string,
  engine: string,
  round: (value: number) => number,
  examples: readonly Example[],
): FunctionRecord => ({
  name,
  summary,
  overloads: [
    defineOverload({ params: [param('number', 'long')], returns: 'long', lower: ([n]) => n.sql, fold: ([n]) => n }),
    defineOverload({
      params: [param('number', 'real')],
      returns: 'long',
      lower: ([n]) => truncatedReal(call(engine, n.sql)),
      fold: ([n]) => (typeof n === 'number' ? whole(round(n)) : null),
    }),
  ],
  examples,
});

const whole = (value: number): LiteralValue =>
  Number.isFinite(value) && fitsInt64(BigInt(value)) ? BigInt(value) : null;

/**
 * A bin of integers; times are nanoseconds. Null for a size that is not positive and for a start
 * that does not fit 64 bits.
 */
function binAt(value: 'datetime' | 'long' | 'timespan', size: 'long' | 'timespan'): Overload {
  const [numberOf, madeOf] = value === 'datetime' ? [nanoseconds, instant] : [(sql: Expr) => sql, (sql: Expr) => sql];
  return defineOverload({
    params: [param('value', value), param('size', size), param('fixed', value)],
    returns: value,
    check: positiveSize,
    lower: ([v, s, f]) => {
      // 128 bits hold any distance. The remainder is less than the size, so it fits 64 bits again.
      const distance = call('minus', call('toInt128', numberOf(v.sql)), numberOf(f.sql));
      const within = call('positiveModuloOrNull', distance, notNegative(s.sql));
      return madeOf(binStart(numberOf(v.sql), call('toInt64', within)));
    },
  });
}

export const functions: readonly FunctionRecord[] = [
  toWhole('ceiling', 'The smallest integer that is not less than the number.', 'ceil', Math.ceil, [
    { apl: 'ceiling(1.2)', gives: 2 },
    { apl: 'ceiling(-1.2)', gives: -1 },
    { apl: 'ceiling(3)', gives: 3 },
    { apl: 'ceiling(1e300)', gives: null },
    { apl: 'ceiling(dynamic({"x": 1.5}).x)', gives: 2 },
  ]),
  toWhole('floor', 'The largest integer that is not greater than the number.', 'floor', Math.floor, [
    { apl: 'floor(1.8)', gives: 1 },
    { apl: 'floor(-1.2)', gives: -2 },
    { apl: 'floor(3)', gives: 3 },
    { apl: 'floor(real(null))', gives: null },
    { apl: 'floor(dynamic({"x": -0.5}).x)', gives: -1 },
  ]),
  {
    name: 'bin_at',
    summary:
      'The value rounded down to a bin of the size; bins are counted from a fixed point instead of 0 or the epoch.',
    overloads: [
      binAt('long', 'long'),
      // Stands before the overloads for times, so that dynamic values count as numbers.
      defineOverload({
        params: [param('value', 'real'), param('size', 'real'), param('fixed', 'real')],
        returns: 'real',
        check: positiveSize,
        lower: ([value, given, fixed]) =>
          shareSubexpression(positiveOrNull(given), (size) => {
            const bins = call('floor', call('divide', call('minus', value.sql, fixed.sql), size));
            return call('plus', fixed.sql, call('multiply', bins, size));
          }),
      }),
      binAt('datetime', 'timespan'),
      binAt('timespan', 'timespan'),
    ],
    examples: [
      { apl: 'bin_at(6.5, 2.5, 7)', gives: 4.5 },
      { apl: 'bin_at(10, 4, 1)', gives: 9 },
      { apl: 'bin_at(6.5, toreal(tostring(dynamic("-2.5"))), 7)', gives: null },
      { apl: 'bin_at(dynamic({"x": 6.5}).x, dynamic({"size": 2.5}).size, dynamic({"at": 7}).at)', gives: 4.5 },
      { apl: 'bin_at(datetime(2024-01-03), 7d, datetime(2024-01-01))', gives: '2024-01-01T00:00:00Z' },
      { apl: 'bin_at(datetime(2023-12-31 23:00), 1d, datetime(2024-01-01 12:00))', gives: '2023-12-31T12:00:00Z' },
      { apl: 'bin_at(100m, 1h, 10m) == 70m', gives: true },
      { apl: 'bin_at(datetime(1677-09-22), 7d, datetime(2024-01-01))', gives: null },
      { apl: 'bin_at(datetime(2262-01-01), 1d, datetime(1700-01-01 12:00))', gives: '2261-12-31T12:00:00Z' },
    ],
  },
];
