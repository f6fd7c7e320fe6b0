import { call } from '@millrace/sql';
import type { Expr, LiteralValue } from '@millrace/sql';
import { equal, notEqual } from '../../lower/equality.js';
import { wordsIn } from '../../lower/strings/words.js';
import { wordsOfNeedle } from '../../plan/required-words.js';
import { memberText } from '../../lower/json/json-parts.js';
import { isDynamic } from '../../model/types.js';
import { comparedValues } from '../array/order.js';
import { defineFunction, param } from '../define.js';
import type { Example, FunctionRecord, Overload } from '../define.js';

/** The binder has already chosen comparable type variants (see `conditions/comparison.ts`). */
function record(
  name: string,
  summary: string,
  lower: (a: Expr, b: Expr, dynamic: boolean) => Expr,
  fold: (order: number) => boolean,
  whenNull: boolean | null,
  examples: readonly Example[],
): FunctionRecord {
  return defineFunction({
    name,
    summary,
    ...(whenNull !== null && { handlesNulls: true }),
    params: [param('left', 'any'), param('right', 'any')],
    returns: 'bool',
    ...(name === '==' && { wants: equalWords }),
    lower: ([a, b]) => lower(a.sql, b.sql, isDynamic(a.type) && isDynamic(b.type)),
    fold: ([a, b]) => (a === null || b === null ? whenNull : foldConstants(a, b, fold)),
    examples,
  });
}

/** A string that equals a known one has its words; the operands may be swapped. */
const equalWords: NonNullable<Overload['wants']> = ([a, b]) => {
  const args = a?.kind === 'constant' ? [b, a] : [a, b];
  return wordsOfNeedle(
    args.flatMap((arg) => arg ?? []),
    (text) => wordsIn(text, { first: true, last: true }),
  );
};

function foldConstants(a: LiteralValue, b: LiteralValue, fold: (order: number) => boolean): boolean | undefined {
  // The engine compares text by bytes, JavaScript by UTF-16 units.
  if (a === null || b === null || typeof a === 'string' || typeof b === 'string') return undefined;
  if (Number.isNaN(a) || Number.isNaN(b)) return undefined;
  return fold(a < b ? -1 : a > b ? 1 : 0);
}

export const comparison: readonly FunctionRecord[] = [
  record('==', 'Whether both sides are equal; false if one is null.', same(equal), (o) => o === 0, false, [
    { apl: '1 == 1.0', gives: true },
    { apl: '"a" == "A"', gives: false },
    { apl: 'long(null) == 1', gives: false },
    { apl: 'long(null) == long(null)', gives: false },
    { apl: 'dynamic({"a": "x"}).a == "x"', gives: true },
    { apl: 'dynamic([1.5])[0] == 1', gives: false },
    { apl: 'dynamic([1234567890123456789])[0] == 1234567890123456789', gives: true },
    { apl: 'dynamic([1234567890123456789])[0] == 1234567890123456788', gives: false },
    { apl: 'dynamic({"a": true}).a == true', gives: true },
  ]),
  record('!=', 'Whether the sides differ; true if one is null.', same(notEqual), (o) => o !== 0, true, [
    { apl: '1 != 2', gives: true },
    { apl: 'string(null) != "x"', gives: true },
    { apl: '1s != 1000ms', gives: false },
  ]),
  record(
    '<',
    'Whether the left side is smaller, earlier, or before the right in byte order; null if one is null.',
    compare('less'),
    (o) => o < 0,
    null,
    [
      { apl: '1 < 1.5', gives: true },
      { apl: '"a" < "b"', gives: true },
      { apl: 'datetime(2024-01-01) < datetime(2024-01-02)', gives: true },
      { apl: 'long(null) < 1', gives: null },
    ],
  ),
  record(
    '<=',
    'Whether the left side is less than or equal to the right; null if one is null.',
    compare('lessOrEquals'),
    (o) => o <= 0,
    null,
    [
      { apl: '2 <= 2', gives: true },
      { apl: '1m <= 59s', gives: false },
    ],
  ),
  record(
    '>',
    'Whether the left side is greater, later, or after the right in byte order; null if one is null.',
    compare('greater'),
    (o) => o > 0,
    null,
    [
      { apl: '2 > 1', gives: true },
      { apl: '1500000000 > 1s', gives: true },
      { apl: 'dynamic([3])[0] > 2', gives: true },
      { apl: 'dynamic([10])[0] > dynamic([9])[0]', gives: true },
      { apl: 'dynamic(["b"])[0] > dynamic(["a"])[0]', gives: true },
      { apl: 'dynamic([10])[0] > dynamic(["9"])[0]', gives: null },
      { apl: 'dynamic([9007199254740993])[0] > dynamic([9007199254740992])[0]', gives: true },
      { apl: 'dynamic([1234567890123456789])[0] > 1234567890123456788', gives: true },
    ],
  ),
  record(
    '>=',
    'Whether the left side is greater than or equal to the right; null if one is null.',
    compare('greaterOrEquals'),
    (o) => o >= 0,
    null,
    [
      { apl: '2 >= 2', gives: true },
      { apl: '"2024" >= "2023"', gives: true },
      { apl: '1 >= toint("")', gives: null },
      { apl: '"10" >= 9', gives: true },
    ],
  ),
];

/** Arrays in events have the white space they were sent with. */
function same(test: (a: Expr, b: Expr) => Expr): (a: Expr, b: Expr, dynamic: boolean) => Expr {
  return (a, b, dynamic) => (dynamic ? test(memberText(a), memberText(b)) : test(a, b));
}

/** JSON is compared by the values in it: as text, 10 would come before 9. */
function compare(name: string): (a: Expr, b: Expr, dynamic: boolean) => Expr {
  return (a, b, dynamic) => (dynamic ? comparedValues(name, a, b) : call(name, a, b));
}
