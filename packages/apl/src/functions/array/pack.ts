import { call, literal } from '@millrace/sql';
import { MAX_LIST } from '../../aggregates/collections.js';
import { asString } from '../../lower/values.js';
import { packArray, packBag } from '../../lower/json/members.js';
import { defineFunction, defineOverload, param } from '../define.js';
import type { FunctionRecord, LoweredArgument } from '../define.js';
import { elementText } from './elements.js';

/** The arguments as entries: keys and values alternate. */
function pairs(args: readonly LoweredArgument[]): Parameters<typeof packBag>[0] {
  return args.flatMap((key, i) => {
    const value = args[i + 1];
    if (i % 2 !== 0 || value === undefined) return [];
    return [{ key: key.type === 'string' ? key : { type: 'string' as const, sql: asString(key) }, value }];
  });
}

/** An array of any values. */
export const arrayOfValues = defineOverload({
  params: [],
  rest: param('value', 'any'),
  returns: 'array',
  lower: packArray,
});

/** Functions that make arrays and objects out of values. */
export const functions: readonly FunctionRecord[] = [
  {
    name: 'pack_array',
    summary: 'An array of the values; pack_array(*) takes all columns.',
    everyColumn: 'values',
    handlesNulls: true,
    overloads: [arrayOfValues],
    examples: [
      { apl: 'pack_array(1, "é", true, 2.5, dynamic([1]), 1s)', gives: [1, 'é', true, 2.5, [1], 1_000_000_000] },
      { apl: 'pack_array(long(null), datetime(2024-01-01))', gives: [null, '2024-01-01T00:00:00Z'] },
      { apl: 'pack_array()', gives: [] },
      { apl: 'pack_array(todouble("1e20"), 2)[1] + dynamic([-1e20, 3])[1]', gives: 5 },
      { apl: 'dynamic([{"x": [1e20, 7]}])[0].x', gives: [1e20, 7] },
      { apl: 'todouble(dynamic([{"x": 1e20}])[0].x)', gives: 1e20 },
      { apl: 'dynamic([[1e20, 7]])[0][0] + 0', gives: 1e20 },
      { apl: 'tostring(dynamic([1e20])[0])', gives: '100000000000000000000' },
      {
        apl: `array_reverse(dynamic([7, {"x": [1e20, "1 10000000000000000000\\" 0"]}]))[0].x[1]`,
        gives: '1 10000000000000000000" 0',
      },
      { apl: 'toscalar(print a = 1, b = "x" | project all = pack_array(*))', gives: [1, 'x'] },
    ],
  },
  defineFunction({
    name: 'repeat',
    aliases: ['array_repeat'],
    summary: 'An array of the value, that many times; empty for less than one.',
    params: [param('value', 'any'), param('count', 'long')],
    returns: 'array',
    handlesNulls: true,
    lower: ([value, count]) => {
      const times = call(
        'least',
        call('greatest', call('ifNull', count.sql, literal(0n)), literal(0n)),
        literal(MAX_LIST),
      );
      const texts = call('arrayWithConstant', call('toUInt64', times), elementText(value));
      return call('concat', literal('['), call('arrayStringConcat', texts, literal(',')), literal(']'));
    },
    examples: [
      { apl: 'repeat("é", 2)', gives: ['é', 'é'] },
      { apl: 'repeat(1, 3)', gives: [1, 1, 1] },
      { apl: 'repeat(long(null), 2)', gives: [null, null] },
      { apl: 'repeat(1, -1)', gives: [] },
    ],
    differs: { axiom: 'Not in Axiom; as in Kusto.' },
  }),
  defineFunction({
    name: 'bag_pack',
    aliases: ['pack', 'pack_dictionary'],
    summary: 'An object made of alternating keys and values; bag_pack(*) takes all columns under their names.',
    everyColumn: 'names and values',
    handlesNulls: true,
    params: [],
    rest: param('keyOrValue', 'any'),
    returns: 'bag',
    check: (args) =>
      args.length % 2 === 0
        ? undefined
        : { argument: args.length - 1, message: 'keys and values take turns: the last key has no value' },
    lower: (args) => packBag(pairs(args)),
    examples: [
      { apl: 'bag_pack("user", "alice", "n", 2, "none", long(null))', gives: { user: 'alice', n: 2, none: null } },
      { apl: 'pack(strcat("a", 1), dynamic({"b": [1]}))', gives: { a1: { b: [1] } } },
      { apl: 'tostring(dynamic({"a": 1, "b": 2, "a": 3}))', gives: '{"a":3,"b":2}' },
      {
        apl: 'pack_dictionary("status", 200, "geo", pack_dictionary("ci/t\\"y", "Zürich"))',
        gives: { status: 200, geo: { 'ci/t"y': 'Zürich' } },
      },
      { apl: 'toscalar(print a = 1, b = "x" | project all = pack(*))', gives: { a: 1, b: 'x' } },
    ],
    differs: { axiom: 'Keys of pack_dictionary need not be constant.' },
  }),
];
