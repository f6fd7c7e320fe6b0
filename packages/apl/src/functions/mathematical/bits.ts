import { call, integer } from '@millrace/sql';
import type { Expr } from '@millrace/sql';
import { nullOf } from '../../lower/values.js';
import { param } from '../define.js';
import type { Example, FunctionRecord } from '../define.js';

const record = (
  name: string,
  summary: string,
  params: readonly string[],
  lower: (args: readonly Expr[]) => Expr,
  examples: readonly Example[],
): FunctionRecord => ({
  name,
  summary,
  params: params.map((p) => param(p, 'long')),
  returns: 'long',
  lower: (args) => lower(args.map((arg) => arg.sql)),
  examples,
  differs: { axiom: 'Not in Axiom; as in Kusto.' },
});

/** The count is taken modulo 64, so that the engine never sees a negative one, which it refuses. */
const shift =
  (engine: string) =>
  ([value, count]: readonly Expr[]): Expr =>
    call(
      'if',
      call('greaterOrEquals', count!, integer(0)),
      call(engine, value!, call('bitAnd', count!, integer(63))),
      nullOf('long'),
    );

/** Bitwise functions on 64-bit integers. */
export const bits: readonly FunctionRecord[] = [
  record('binary_and', 'The bits set in both integers.', ['a', 'b'], ([a, b]) => call('bitAnd', a!, b!), [
    { apl: 'binary_and(12, 10)', gives: 8 },
    { apl: 'binary_and(-1, 255)', gives: 255 },
  ]),
  record('binary_or', 'The bits set in at least one of the integers.', ['a', 'b'], ([a, b]) => call('bitOr', a!, b!), [
    { apl: 'binary_or(12, 10)', gives: 14 },
  ]),
  record('binary_xor', 'The bits set in exactly one of the integers.', ['a', 'b'], ([a, b]) => call('bitXor', a!, b!), [
    { apl: 'binary_xor(12, 10)', gives: 6 },
  ]),
  record('binary_not', 'The integer with every bit inverted.', ['value'], ([value]) => call('bitNot', value!), [
    { apl: 'binary_not(0)', gives: -1 },
  ]),
  record(
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
  record(
    'binary_shift_right',
    'The bits moved right, by the count modulo 64, keeping the sign; null for a negative count.',
    ['value', 'count'],
    shift('bitShiftRight'),
    [
      { apl: 'binary_shift_right(1024, 3)', gives: 128 },
      { apl: 'binary_shift_right(-8, 1)', gives: -4 },
    ],
  ),
  record('bitset_count_ones', 'How many bits are set.', ['value'], ([value]) => call('bitCount', value!), [
    { apl: 'bitset_count_ones(42)', gives: 3 },
    { apl: 'bitset_count_ones(-1)', gives: 64 },
  ]),
];
