import { call, integer } from '@millrace/sql';
import type { Expr } from '@millrace/sql';
import { nullOf } from '../../lower/values.js';
import { defineFunction, param, unary } from '../define.js';
import type { Example, FunctionRecord } from '../define.js';

const differs = { axiom: 'Not in Axiom; as in Kusto.' };
const ofOne = unary(param('value', 'long'));

const ofTwo = (
  name: string,
  summary: string,
  names: readonly [string, string],
  lower: (first: Expr, second: Expr) => Expr,
  examples: readonly Example[],
): FunctionRecord =>
  defineFunction({
    name,
    summary,
    params: [param(names[0], 'long'), param(names[1], 'long')],
    returns: 'long',
    lower: ([first, second]) => lower(first.sql, second.sql),
    examples,
    differs,
  });

/** The count is taken modulo 64, so that the engine never sees a negative one, which it refuses. */
const shift =
  (engine: string) =>
  (value: Expr, count: Expr): Expr =>
    call(
      'if',
      call('greaterOrEquals', count, integer(0)),
      call(engine, value, call('bitAnd', count, integer(63))),
      nullOf('long'),
    );

/** Bitwise functions on 64-bit integers. */
export const bits: readonly FunctionRecord[] = [
  ofTwo('binary_and', 'The bits set in both integers.', ['a', 'b'], (a, b) => call('bitAnd', a, b), [
    { apl: 'binary_and(12, 10)', gives: 8 },
    { apl: 'binary_and(-1, 255)', gives: 255 },
  ]),
  ofTwo('binary_or', 'The bits set in at least one of the integers.', ['a', 'b'], (a, b) => call('bitOr', a, b), [
    { apl: 'binary_or(12, 10)', gives: 14 },
  ]),
  ofTwo('binary_xor', 'The bits set in exactly one of the integers.', ['a', 'b'], (a, b) => call('bitXor', a, b), [
    { apl: 'binary_xor(12, 10)', gives: 6 },
  ]),
  {
    ...ofOne('binary_not', 'The integer with every bit inverted.', 'long', (value) => call('bitNot', value), [
      { apl: 'binary_not(0)', gives: -1 },
    ]),
    differs,
  },
  ofTwo(
    'binary_shift_left',
    'The bits moved left, by the count modulo 64; null for a negative count.',
    ['value', 'count'],
    shift('bitShiftLeft'),
    [
      { apl: 'binary_shift_left(1, 10)', gives: 1024 },
      { apl: 'binary_shift_left(1, 64)', gives: 1 },
      { apl: 'binary_shift_left(1, -1)', gives: null },
    ],
  ),
  ofTwo(
    'binary_shift_right',
    'The bits moved right, by the count modulo 64, keeping the sign; null for a negative count.',
    ['value', 'count'],
    shift('bitShiftRight'),
    [
      { apl: 'binary_shift_right(1024, 3)', gives: 128 },
      { apl: 'binary_shift_right(-8, 1)', gives: -4 },
    ],
  ),
  {
    ...ofOne('bitset_count_ones', 'How many bits are set.', 'long', (value) => call('bitCount', value), [
      { apl: 'bitset_count_ones(42)', gives: 3 },
      { apl: 'bitset_count_ones(-1)', gives: 64 },
    ]),
    differs,
  },
];
