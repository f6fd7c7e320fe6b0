import { call } from '@millrace/sql';
import type { Expr, LiteralValue } from '@millrace/sql';
import { commonType } from '../../bind/types.js';
import { instant, nanoseconds } from '../../lower/values.js';
import type { ScalarType } from '../../types.js';
import { param } from '../define.js';
import type { Example, FunctionRecord, Lowered, Overload, ParamType } from '../define.js';

/** Integers are 64 bits wide and wrap around, as in Go. */
const wrap = (value: bigint): bigint => BigInt.asIntN(64, value);

type Operation = (a: Expr, b: Expr) => Expr;

interface Folding {
  readonly integers?: (a: bigint, b: bigint) => bigint | null;
  readonly reals?: (a: number, b: number) => number;
}

function overload(
  left: ParamType,
  right: ParamType,
  returns: Overload['returns'],
  lower: (a: Lowered, b: Lowered) => Expr,
  folding: Folding = {},
): Overload {
  return {
    params: [param('left', left), param('right', right)],
    returns,
    lower: ([a, b]) => lower(a!, b!),
    fold: ([a, b]) => fold(a!, b!, folding),
  };
}

function fold(a: LiteralValue, b: LiteralValue, { integers, reals }: Folding): LiteralValue | undefined {
  if (a === null || b === null) return null;
  if (typeof a === 'bigint' && typeof b === 'bigint' && integers !== undefined) {
    const value = integers(a, b);
    return value === null ? null : wrap(value);
  }
  if ((typeof a === 'number' || typeof b === 'number') && reals !== undefined) return reals(Number(a), Number(b));
  return undefined;
}

const numbers = (lower: Operation, folding: Folding): Overload =>
  overload('number', 'number', commonType, (a, b) => lower(a.sql, b.sql), folding);
const integers = (
  left: ScalarType,
  right: ScalarType,
  returns: ScalarType,
  lower: Operation,
  folding: Folding,
): Overload => overload(left, right, returns, (a, b) => lower(a.sql, b.sql), folding);

const plus: Operation = (a, b) => call('plus', a, b);
const minus: Operation = (a, b) => call('minus', a, b);
const times: Operation = (a, b) => call('multiply', a, b);
const ratio: Operation = (a, b) => call('divide', a, b);
const quotient: Operation = (a, b) => call('intDivOrNull', a, b);
const later: Operation = (time, span) => instant(plus(nanoseconds(time), span));
const earlier: Operation = (time, span) => instant(minus(nanoseconds(time), span));
/** Products and quotients of a timespan are cut to whole nanoseconds, towards zero. */
const scaled = (span: Expr, factor: Lowered, by: 'multiply' | 'divide'): Expr =>
  factor.type === 'long' && by === 'multiply'
    ? times(span, factor.sql)
    : call('accurateCastOrNull', call('trunc', call(by, span, factor.sql)), { kind: 'literal', value: 'Int64' });

const add: Folding = { integers: (a, b) => a + b, reals: (a, b) => a + b };
const subtract: Folding = { integers: (a, b) => a - b, reals: (a, b) => a - b };
const multiply: Folding = { integers: (a, b) => a * b, reals: (a, b) => a * b };
/** The engine divides neither by zero nor the least integer by -1, whose quotient does not fit 64 bits. */
const divides = (a: bigint, b: bigint): boolean => b !== 0n && !(b === -1n && a === -(2n ** 63n));
const divide: Folding = { integers: (a, b) => (divides(a, b) ? a / b : null), reals: (a, b) => a / b };
const remainder: Folding = { integers: (a, b) => (divides(a, b) ? a % b : null), reals: (a, b) => a % b };
const scaleUp: Folding = { integers: (a, b) => a * b };
const realRatio: Folding = {};

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
    'The sum of numbers or timespans, or a datetime moved later by a timespan.',
    [
      numbers(plus, add),
      integers('datetime', 'timespan', 'datetime', later, add),
      integers('timespan', 'datetime', 'datetime', (span, time) => later(time, span), add),
      integers('timespan', 'timespan', 'timespan', plus, add),
      integers('long', 'timespan', 'timespan', plus, add),
      integers('timespan', 'long', 'timespan', plus, add),
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
    ],
  ),
  record(
    '-',
    'The difference of numbers, timespans or datetimes, or a datetime moved earlier by a timespan.',
    [
      numbers(minus, subtract),
      integers('datetime', 'datetime', 'timespan', (a, b) => minus(nanoseconds(a), nanoseconds(b)), subtract),
      integers('datetime', 'timespan', 'datetime', earlier, subtract),
      integers('timespan', 'timespan', 'timespan', minus, subtract),
      integers('long', 'timespan', 'timespan', minus, subtract),
      integers('timespan', 'long', 'timespan', minus, subtract),
    ],
    [
      { apl: '1 - 2', gives: -1 },
      { apl: 'datetime(2024-03-01) - datetime(2024-02-28) == 2d', gives: true },
      { apl: 'datetime(2024-03-01) - 1s', gives: '2024-02-29T23:59:59Z' },
      { apl: '1h - 30m == 30m', gives: true },
      { apl: '5000000000 - 1s == 4s', gives: true },
      { apl: '1s - 1000000000 == 0s', gives: true },
    ],
  ),
  record(
    '*',
    'The product of numbers, or of a timespan and a number.',
    [
      numbers(times, multiply),
      overload('timespan', 'number', 'timespan', (span, n) => scaled(span.sql, n, 'multiply'), scaleUp),
      overload('number', 'timespan', 'timespan', (n, span) => scaled(span.sql, n, 'multiply'), scaleUp),
    ],
    [
      { apl: '6 * 7', gives: 42 },
      { apl: '1.5 * 2', gives: 3 },
      { apl: '20m * 3 == 1h', gives: true },
      { apl: '1.5 * 20m == 30m', gives: true },
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
        (a, b) => (a.type === 'long' && b.type === 'long' ? quotient(a.sql, b.sql) : ratio(a.sql, b.sql)),
        divide,
      ),
      overload('timespan', 'timespan', 'real', (a, b) => ratio(a.sql, b.sql), realRatio),
      overload('timespan', 'number', 'timespan', (span, n) => scaled(span.sql, n, 'divide'), realRatio),
      // For number fields that hold nanoseconds.
      overload('number', 'timespan', 'real', (a, b) => ratio(a.sql, b.sql), realRatio),
    ],
    [
      { apl: '7 / 2', gives: 3 },
      { apl: '-7 / 2', gives: -3 },
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
        (a, b) => call(a.type === 'long' && b.type === 'long' ? 'moduloOrNull' : 'modulo', a.sql, b.sql),
        remainder,
      ),
      integers('timespan', 'timespan', 'timespan', (a, b) => call('moduloOrNull', a, b), remainder),
    ],
    [
      { apl: '7 % 3', gives: 1 },
      { apl: '-7 % 3', gives: -1 },
      { apl: '7 % 0', gives: null },
      { apl: '(-9223372036854775807 - 1) % -1', gives: null },
      { apl: '7.5 % 2', gives: 1.5 },
      { apl: '70m % 1h == 10m', gives: true },
    ],
  ),
  {
    name: 'negate',
    summary: 'The number or timespan with the opposite sign: `-x`.',
    overloads: (['number', 'timespan'] as const).map((type) => ({
      params: [param('value', type)],
      returns: type === 'number' ? commonType : type,
      lower: ([value]) => call('negate', value!.sql),
      fold: ([value]) =>
        typeof value === 'bigint'
          ? wrap(-value)
          : typeof value === 'number'
            ? -value
            : value === null
              ? null
              : undefined,
    })),
    examples: [
      { apl: '-(1 + 2)', gives: -3 },
      { apl: '-toreal("2.5")', gives: -2.5 },
      { apl: 'datetime(2024-01-02) + -1d', gives: '2024-01-01T00:00:00Z' },
    ],
  },
];
