import { and, call, literal, or } from '@millrace/sql';
import type { Expr, LiteralValue } from '@millrace/sql';
import { orFalse } from '../../lower/equality.js';
import { defineFunction, defineOverload, param } from '../define.js';
import type { FunctionRecord } from '../define.js';

const bools = [param('left', 'bool'), param('right', 'bool')] as const;

function foldAnd([a, b]: readonly LiteralValue[]): LiteralValue {
  return a === false || b === false ? false : a === null || b === null ? null : true;
}
function foldOr([a, b]: readonly LiteralValue[]): LiteralValue {
  return a === true || b === true ? true : a === null || b === null ? null : false;
}

/** `a or b or c` is one call of three, however it was nested. */
const flat = (name: 'and' | 'or', ...operands: readonly Expr[]): readonly Expr[] =>
  operands.flatMap((operand) => (operand.kind === 'call' && operand.name === name ? operand.args : [operand]));

/** Any number of conditions in one call, so that long lists are not nested. */
export const anyOf = defineOverload({
  params: [],
  rest: param('condition', 'bool'),
  returns: 'bool',
  lower: (conditions) => or(...conditions.map((condition) => condition.sql)),
});

/**
 * `or` for conditions that cost no more than reading their column; never null. The engine's `or`
 * skips rows that already match by copying the remaining rows of every column, which takes longer
 * than testing all of them.
 */
export const anyOfQuick = defineOverload({
  params: [],
  rest: param('condition', 'bool'),
  returns: 'bool',
  lower: (conditions) => anyBit(conditions.map((condition) => orFalse(condition.sql))),
});

/**
 * By halves: a thousand fields, nested one in another, would be deeper than the engine can parse.
 */
export function anyBit(bits: readonly Expr[]): Expr {
  const [first, ...others] = bits;
  if (first === undefined) return literal(false);
  if (others.length === 0) return first;
  const half = Math.ceil(bits.length / 2);
  return call('bitOr', anyBit(bits.slice(0, half)), anyBit(bits.slice(half)));
}

export const logic: readonly FunctionRecord[] = [
  {
    name: 'and',
    summary: 'Whether both sides are true; null if that depends on a null.',
    handlesNulls: true,
    overloads: [
      defineOverload({
        params: bools,
        returns: 'bool',
        lower: ([a, b]) => and(...flat('and', a.sql, b.sql)),
        fold: foldAnd,
      }),
    ],
    examples: [
      { apl: '1 < 2 and 2 < 3', gives: true },
      { apl: 'bool(null) and false', gives: false },
      { apl: 'bool(null) and true', gives: null },
    ],
  },
  defineFunction({
    name: 'or',
    summary: 'Whether at least one side is true; null if that depends on a null.',
    handlesNulls: true,
    params: bools,
    returns: 'bool',
    lower: ([a, b]) => or(...flat('or', a.sql, b.sql)),
    fold: foldOr,
    examples: [
      { apl: '1 > 2 or 2 < 3', gives: true },
      { apl: 'bool(null) or true', gives: true },
      { apl: 'bool(null) or false', gives: null },
    ],
  }),
  defineFunction({
    name: 'not',
    summary: 'The opposite truth value: `not(x)` or `not x`.',
    params: [param('value', 'bool')],
    returns: 'bool',
    lower: ([a]) => call('not', a.sql),
    fold: ([a]) => (typeof a === 'boolean' ? !a : null),
    examples: [
      { apl: 'not(1 == 2)', gives: true },
      { apl: 'not(bool(null))', gives: null },
    ],
  }),
];
