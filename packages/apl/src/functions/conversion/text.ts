import { call, literal } from '@millrace/sql';
import type { Expr } from '@millrace/sql';
import { asString } from '../../lower/values.js';
import { defineOverload, param, composedOf } from '../define.js';
import type { FunctionRecord, LoweredArgument } from '../define.js';

/** The text of any value, '' for null. */
export function textOrEmpty(value: LoweredArgument): Expr {
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
      defineOverload({
        params: [param('value', 'any')],
        returns: 'string',
        lower: ([v]) => textOrEmpty(v),
        doubt: ([{ type }]) =>
          type === 'bool'
            ? {
                argument: 0,
                message: 'a boolean becomes "true" or "false", as in Axiom, not "True" or "False", as in Kusto',
              }
            : undefined,
      }),
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
  composedOf({
    name: 'toguid',
    summary: 'The text as a GUID in small letters with dashes; null if it is none.',
    params: [param('value', 'any')],
    returns: 'string',
    written: String.raw`iff(tostring(value) matches regex @"^\{?[0-9a-fA-F]{8}-?(?:[0-9a-fA-F]{4}-?){3}[0-9a-fA-F]{12}\}?$", replace_regex("^(.{8})(.{4})(.{4})(.{4})(.{12})$", "$1-$2-$3-$4-$5", tolower(replace_regex("[{}-]", "", tostring(value)))), string(null))`,
    examples: [
      { apl: 'toguid("70FC66F7-8279-44FC-9092-D364D70FCE44")', gives: '70fc66f7-8279-44fc-9092-d364d70fce44' },
      { apl: 'toguid("{70fc66f7827944fc9092d364d70fce44}")', gives: '70fc66f7-8279-44fc-9092-d364d70fce44' },
      { apl: 'toguid("70fc66f7")', gives: null },
      { apl: 'toguid(12)', gives: null },
    ],
    differs: { axiom: 'Not in Axiom.', kusto: 'A text, as every GUID.' },
  }),
];
