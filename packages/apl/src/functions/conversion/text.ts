import { call, literal } from '@millrace/sql';
import type { Expr } from '@millrace/sql';
import { asString } from '../../lower/values.js';
import { defineOverload, param } from '../define.js';
import type { FunctionRecord, Lowered } from '../define.js';

/** The text of any value, '' for null. */
export function textOrEmpty(value: Lowered): Expr {
  if (value.constant === null) return literal('');
  return typeof value.constant === 'string' && value.type === 'string'
    ? value.sql
    : call('ifNull', asString(value), literal(''));
}

export const functions: readonly FunctionRecord[] = [
  {
    name: 'tostring',
    summary: 'The value as text; null gives an empty text.',
    handlesNulls: true,
    overloads: [
      // Typed overloads first: constants of these types are folded while compiling.
      defineOverload({
        params: [param('value', 'string')],
        returns: 'string',
        lower: ([v]) => textOrEmpty(v),
        fold: ([v]) => v ?? '',
      }),
      defineOverload({
        params: [param('value', 'long')],
        returns: 'string',
        lower: ([v]) => textOrEmpty(v),
        fold: ([v]) => (v === null || v === undefined ? '' : v.toString()),
      }),
      defineOverload({ params: [param('value', 'any')], returns: 'string', lower: ([v]) => textOrEmpty(v) }),
    ],
    examples: [
      { apl: 'tostring(42)', gives: '42' },
      { apl: 'tostring("é")', gives: 'é' },
      { apl: 'tostring(1.5)', gives: '1.5' },
      { apl: 'tostring(80s)', gives: '1m20s' },
      { apl: 'tostring(25h + 1ns)', gives: '25h0m0.000000001s' },
      { apl: 'tostring(totimespan(-9223372036854775807 - 1))', gives: '-2562047h47m16.854775808s' },
      { apl: 'tostring(true)', gives: 'true' },
      { apl: 'tostring(int(null))', gives: '' },
      { apl: 'tostring(datetime(2024-01-15 10:00:00.5))', gives: '2024-01-15T10:00:00.5Z' },
      { apl: 'tostring(dynamic({"a": [1, "x"]}))', gives: '{"a":[1,"x"]}' },
      { apl: 'tostring(dynamic([1e20, {"a": -1e20}]))', gives: '[100000000000000000000,{"a":-100000000000000000000}]' },
      { apl: 'tostring(dynamic(["é"])[0])', gives: 'é' },
    ],
    differs: { axiom: 'A null bool gives an empty text like every other null, not "false".' },
  },
];
