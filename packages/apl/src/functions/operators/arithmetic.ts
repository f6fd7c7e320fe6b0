import { call } from '@millrace/sql';
import type { Expr, LiteralValue } from '@millrace/sql';
import { instant } from '../../lower/values.js';
import type { ScalarType } from '../../model/types.js';
import { defineOverload, param } from '../define.js';
import type { Example, FunctionRecord, LowerContext, LoweredArgument, Overload, ParamType } from '../define.js';
import { truncatedReal } from '../conversion/numbers.js';
import { exactDifference, exactProduct, exactSum } from './exact.js';
import { MIN_LONG, fitsInt64 } from '../../model/int64.js';
import { commonType } from '../unify.js';

/** Integers are 64 bits wide and wrap around, as in Go; times do not. */
const wrap = (value: bigint): bigint => BigInt.asIntN(64, value);

type Operation = (a: Expr, b: Expr) => Expr;

interface ConstantFolding {
  readonly integers?: (a: bigint, b: bigint) => bigint | null;
  readonly reals?: (a: number, b: number) => number;
}

function overload(
  left: ParamType,
  right: ParamType,
  returns: Overload['returns'],
  lower: (a: LoweredArgument, b: LoweredArgument, context: LowerContext) => Expr,
  folding: ConstantFolding = {},
): Overload {
  return defineOverload({
    params: [param('left', left), param('right', right)],
    returns,
    lower: ([a, b], context) => lower(a, b, context),
    fold: ([a, b]) => fold(a, b, folding),
  });
}

function fold(a: LiteralValue, b: LiteralValue, { integers, reals }: ConstantFolding): LiteralValue | undefined {
  if (a === null || b === null) return null;
  if (typeof a === 'bigint' && typeof b === 'bigint' && integers !== undefined) {
    const value = integers(a, b);
    return value === null ? null : wrap(value);
  }
  if ((typeof a === 'number' || typeof b === 'number') && reals !== undefined) return reals(Number(a), Number(b));
  return undefined;
}

const numbers = (lower: Operation, folding: ConstantFolding): Overload =>
  overload('number', 'number', commonType, (a, b) => lower(a.sql, b.sql), folding);
/** Of datetimes, timespans and nanoseconds; null where the result does not fit 64 bits. */
const times = (
  left: ParamType,
  right: ParamType,
  returns: ScalarType,
  exact: (a: LoweredArgument, b: LoweredArgument, context: LowerContext) => Expr,
  { integers }: ConstantFolding = {},
): Overload =>
  overload(
    left,
    right,
    returns,
    (a, b, context) => (returns === 'datetime' ? instant(exact(a, b, context)) : exact(a, b, context)),
    integers === undefined ? {} : { integers: (a, b) => fitInt64(integers(a, b)) },
  );
const fitInt64 = (value: bigint | null): bigint | null => (value === null || fitsInt64(value) ? value : null);

const plus: Operation = (a, b) => call('plus', a, b);
const minus: Operation = (a, b) => call('minus', a, b);
const product: Operation = (a, b) => call('multiply', a, b);
const ratio: Operation = (a, b) => call('divide', a, b);
/**
 * Whether every integer can be divided by it; the engine takes half the time if it need not test
 * each.
 */
const dividesAll = ({ constant }: LoweredArgument): boolean =>
  typeof constant === 'bigint' && constant !== 0n && constant !== -1n;
const quotient = (a: LoweredArgument, b: LoweredArgument): Expr =>
  call(dividesAll(b) ? 'intDiv' : 'intDivOrNull', a.sql, b.sql);
const rest = (a: LoweredArgument, b: LoweredArgument): Expr =>
  call(dividesAll(b) ? 'modulo' : 'moduloOrNull', a.sql, b.sql);
/** Products and quotients of a timespan are cut to whole nanoseconds, towards zero. */
const scaleSpan = (
  span: LoweredArgument,
  factor: LoweredArgument,
  by: 'multiply' | 'divide',
  context: LowerContext,
): Expr =>
  factor.type === 'long' && by === 'multiply'
    ? exactProduct(span, factor, context)
    : truncatedReal(call(by, span.sql, factor.sql));

const add: ConstantFolding = { integers: (a, b) => a + b, reals: (a, b) => a + b };
const subtract: ConstantFolding = { integers: (a, b) => a - b, reals: (a, b) => a - b };
const multiply: ConstantFolding = { integers: (a, b) => a * b, reals: (a, b) => a * b };
/**
 * The engine fails for division by zero, and for the smallest integer divided by -1, which
 * overflows 64 bits.
 */
const divides = (a: bigint, b: bigint): boolean => b !== 0n && !(b === -1n && a === MIN_LONG);
const divide: ConstantFolding = { integers: (a, b) => (divides(a, b) ? a / b : null), reals: (a, b) => a / b };
const remainder: ConstantFolding = { integers: (a, b) => (divides(a, b) ? a % b : null), reals: (a, b) => a % b };
const realRatio: ConstantFolding = {};

const record = (
  name: string,
  summary: string,
  overloads: readonly Overload[],
  examples: readonly Example[],
): FunctionRecord => ({
  name,
  summary,
  overloads,
  examples,
});

export const arithmetic: readonly FunctionRecord[] = [
  record(
    '+',
    'The sum of numbers or timespans, or a datetime moved later by a timespan. Null if that is out of the range of times.',
    [
      numbers(plus, add),
      times('datetime', 'timespan', 'datetime', exactSum, add),
      times('timespan', 'datetime', 'datetime', exactSum, add),
      times('timespan', 'timespan', 'timespan', exactSum, add),
      times('long', 'timespan', 'timespan', exactSum, add),
      times('timespan', 'long', 'timespan', exactSum, add),
    ],
    [
      { apl: '1 + 2', gives: 3 },
      { apl: '1 + 2.5', gives: 3.5 },
      { apl: '9223372036854775807 + toint("1")', gives: -9223372036854775808n },
      { apl: 'datetime(2024-02-28) + 1d', gives: '2024-02-29T00:00:00Z' },
      { apl: '1h + datetime(2024-02-28)', gives: '2024-02-28T01:00:00Z' },
      { apl: '1h + 30m == 90m', gives: true },
      { apl: 'dynamic({"a": 1.5}).a + 1', gives: 2.5 },
      { apl: '5000000000 + 1s == 6s', gives: true },
      { apl: '1s + 5000000000 == 6s', gives: true },
      { apl: 'datetime(2262-01-01) + 365d', gives: null },
      { apl: 'todatetime("2262-01-01T00:00:00Z") + 100d', gives: '2262-04-11T00:00:00Z' },
      { apl: 'todatetime("2262-01-01T00:00:00Z") + 101d', gives: null },
      { apl: 'todatetime("1678-01-01T00:00:00Z") + -365d', gives: null },
      { apl: 'todatetime("2262-01-01T00:00:00Z") + totimespan("8760h")', gives: null },
      { apl: 'todatetime("1678-01-01T00:00:00Z") + totimespan("-8760h")', gives: null },
      { apl: 'datetime(2262-01-01) + totimespan("8760h")', gives: null },
      { apl: '100000d + 100000d', gives: null },
      { apl: 'totimespan("2400000h") + totimespan("-2400000h") == 0s', gives: true },
      { apl: 'totimespan("2400000h") + totimespan("2400000h")', gives: null },
    ],
  ),
  record(
    '-',
    'The difference of numbers, timespans or datetimes, or a datetime moved earlier by a timespan. Null if that is out of the range of times.',
    [
      numbers(minus, subtract),
      times('datetime', 'datetime', 'timespan', exactDifference, subtract),
      times('datetime', 'timespan', 'datetime', exactDifference, subtract),
      times('timespan', 'timespan', 'timespan', exactDifference, subtract),
      times('long', 'timespan', 'timespan', exactDifference, subtract),
      times('timespan', 'long', 'timespan', exactDifference, subtract),
    ],
    [
      { apl: '1 - 2', gives: -1 },
      { apl: 'datetime(2024-03-01) - datetime(2024-02-28) == 2d', gives: true },
      { apl: 'datetime(2024-03-01) - 1s', gives: '2024-02-29T23:59:59Z' },
      { apl: '1h - 30m == 30m', gives: true },
      { apl: '5000000000 - 1s == 4s', gives: true },
      { apl: '1s - 1000000000 == 0s', gives: true },
      { apl: 'datetime(1678-01-01) - 365d', gives: null },
      { apl: 'todatetime("1678-01-01T00:00:00Z") - 101d', gives: '1677-09-22T00:00:00Z' },
      { apl: 'todatetime("1678-01-01T00:00:00Z") - 102d', gives: null },
      { apl: 'todatetime("2262-01-01T00:00:00Z") - -365d', gives: null },
      { apl: 'todatetime("1678-01-01T00:00:00Z") - totimespan("8760h")', gives: null },
      { apl: 'datetime(1970-01-01) - todatetime("1677-09-22T00:00:00Z") == 106751d', gives: true },
      { apl: 'datetime(2024-01-01) - todatetime("1678-01-01T00:00:00Z")', gives: null },
      { apl: 'datetime(1700-01-01) - todatetime("2262-01-01T00:00:00Z")', gives: null },
      { apl: 'todatetime("2262-01-01T00:00:00Z") - todatetime("1678-01-01T00:00:00Z")', gives: null },
      { apl: 'todatetime("1678-01-01T00:00:00Z") - todatetime("2262-01-01T00:00:00Z")', gives: null },
      { apl: 'todatetime("1678-01-01T00:00:00Z") - todatetime("1678-01-02T00:00:00Z") == -1d', gives: true },
    ],
  ),
  record(
    '*',
    'The product of numbers, or of a timespan and a number. Null if the timespan would be longer than 292 years.',
    [
      numbers(product, multiply),
      times('timespan', 'number', 'timespan', (span, n, context) => scaleSpan(span, n, 'multiply', context), multiply),
      times('number', 'timespan', 'timespan', (n, span, context) => scaleSpan(span, n, 'multiply', context), multiply),
    ],
    [
      { apl: '6 * 7', gives: 42 },
      { apl: '1.5 * 2', gives: 3 },
      { apl: '20m * 3 == 1h', gives: true },
      { apl: '1.5 * 20m == 30m', gives: true },
      { apl: '100000d * 2', gives: null },
      { apl: 'tolong("9223372036") * 1s == 9223372036s', gives: true },
      { apl: 'tolong("9223372037") * 1s', gives: null },
      { apl: '-1s * tolong("9223372036") == -9223372036s', gives: true },
      { apl: '-1s * tolong("-9223372037")', gives: null },
      { apl: 'totimespan("2400000h") * tolong("2")', gives: null },
      { apl: 'totimespan("2ns") * tolong("-4611686018427387904") < 0s', gives: true },
      { apl: '0s * tolong("9223372036854775807") == 0s', gives: true },
    ],
  ),
  record(
    '/',
    'The quotient: an integer without remainder for two integers, a real otherwise; null for an integer divided by zero, and for the least integer divided by -1.',
    [
      overload(
        'number',
        'number',
        commonType,
        (a, b) => (a.type === 'long' && b.type === 'long' ? quotient(a, b) : ratio(a.sql, b.sql)),
        divide,
      ),
      overload('timespan', 'timespan', 'real', (a, b) => ratio(a.sql, b.sql), realRatio),
      overload(
        'timespan',
        'number',
        'timespan',
        (span, n, context) => scaleSpan(span, n, 'divide', context),
        realRatio,
      ),
      // For number fields that hold nanoseconds.
      overload('number', 'timespan', 'real', (a, b) => ratio(a.sql, b.sql), realRatio),
    ],
    [
      { apl: '7 / 2', gives: 3 },
      { apl: '-7 / 2', gives: -3 },
      { apl: 'tolong("-7") / 2', gives: -3 },
      { apl: '7 / 2.0', gives: 3.5 },
      { apl: '1 / 0', gives: null },
      { apl: '(-9223372036854775807 - 1) / -1', gives: null },
      { apl: '1h / 30m', gives: 2 },
      { apl: '1h / 2 == 30m', gives: true },
      { apl: '1500000000 / 1s', gives: 1.5 },
    ],
  ),
  record(
    '%',
    'The remainder of a division, with the sign of the left side. Null for an integer divided by zero, and for the least integer divided by -1.',
    [
      overload(
        'number',
        'number',
        commonType,
        (a, b) => (a.type === 'long' && b.type === 'long' ? rest(a, b) : call('modulo', a.sql, b.sql)),
        remainder,
      ),
      times('timespan', 'timespan', 'timespan', rest, remainder),
    ],
    [
      { apl: '7 % 3', gives: 1 },
      { apl: '-7 % 3', gives: -1 },
      { apl: 'tolong("-7") % 3', gives: -1 },
      { apl: '7 % 0', gives: null },
      { apl: '(-9223372036854775807 - 1) % -1', gives: null },
      { apl: '7.5 % 2', gives: 1.5 },
      { apl: '70m % 1h == 10m', gives: true },
    ],
  ),
  {
    name: 'negate',
    summary: 'The number or timespan with the opposite sign: `-x`.',
    overloads: (['number', 'timespan'] as const).map((type) =>
      defineOverload({
        params: [param('value', type)],
        returns: type === 'number' ? commonType : type,
        lower: ([value]) => call('negate', value.sql),
        fold: ([value]) =>
          typeof value === 'bigint'
            ? wrap(-value)
            : typeof value === 'number'
              ? -value
              : value === null
                ? null
                : undefined,
      }),
    ),
    examples: [
      { apl: '-(1 + 2)', gives: -3 },
      { apl: '-toreal("2.5")', gives: -2.5 },
      { apl: 'datetime(2024-01-02) + -1d', gives: '2024-01-01T00:00:00Z' },
    ],
  },
];
