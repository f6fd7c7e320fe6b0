import { call } from '@millrace/sql';
import { convert, nullOf } from '../lower/values.js';
import { defineFunction, param } from './define.js';
import type { FunctionRecord, LoweredArgument } from './define.js';
import { commonTypeOf, unifyTypes } from './unify.js';

/**
 * Whether the argument at `index` of `case` is a condition; with an odd number of arguments the
 * last is the default value.
 */
const isCondition = (index: number, count: number): boolean =>
  index % 2 === 0 && !(count % 2 === 1 && index === count - 1);

const outcomes = <T>(all: readonly T[]): readonly T[] => all.filter((_, i) => !isCondition(i, all.length));
/**
 * A condition of `case` after the first. The parameter's type does not convert it, because the
 * parameter also takes the values.
 */
const asTest = (arg: LoweredArgument): LoweredArgument | undefined => convert(arg, 'bool');

const anyTypes = 'Values of different types are allowed: numbers become real, anything else dynamic.';

export const functions: readonly FunctionRecord[] = [
  defineFunction({
    name: 'iff',
    aliases: ['iif'],
    summary: 'The second argument if the condition is true, otherwise the third; a null condition counts as false.',
    handlesNulls: true,
    params: [param('condition', 'bool'), param('then', 'any'), param('otherwise', 'any')],
    returns: (types, nulls) => commonTypeOf(types.slice(1), nulls.slice(1)),
    lower: ([condition, ...values], _, type) => call('if', condition.sql, ...unifyTypes(values, type)),
    examples: [
      { apl: 'iff(2 > 1, "more", "less")', gives: 'more' },
      { apl: 'iff(bool(null), 1, 2)', gives: 2 },
      { apl: 'iff(true, 1, 2.5)', gives: 1 },
      { apl: 'iff(true, dynamic(null), 1)', gives: null },
      { apl: 'iff(false, 7, "x")', gives: 'x' },
    ],
    differs: { axiom: anyTypes },
  }),
  defineFunction({
    name: 'case',
    summary: 'The value after the first condition that holds; the last argument if none does.',
    handlesNulls: true,
    params: [param('condition', 'bool'), param('then', 'any')],
    rest: param('more', 'any'),
    returns: (types, nulls) => commonTypeOf(outcomes(types), outcomes(nulls)),
    check: (args) => {
      const wrong = args.findIndex((arg, i) => isCondition(i, args.length) && asTest(arg) === undefined);
      return wrong < 0
        ? undefined
        : { argument: wrong, message: `argument ${wrong + 1} of case must be bool, but is ${args[wrong]!.type}` };
    },
    lower: (args, _, type) => {
      const values = unifyTypes(outcomes(args), type);
      // Conditions and values alternate, so argument `i`, if a value, is number `i / 2`, rounded
      // down.
      const parts = args.map((arg, i) => (isCondition(i, args.length) ? asTest(arg)!.sql : values[Math.floor(i / 2)]!));
      return call('multiIf', ...parts, ...(args.length % 2 === 0 ? [nullOf(type)] : []));
    },
    examples: [
      { apl: 'case(1 > 2, "a", 2 > 1, "b", "c")', gives: 'b' },
      { apl: 'case(bool(null), "a", "z")', gives: 'z' },
      { apl: 'case(false, 1, false, 2, long(null))', gives: null },
      { apl: 'case(true, 1, "else")', gives: 1 },
      { apl: 'case(false, 1, false, 2)', gives: null },
      { apl: 'case(false, 1, dynamic({"ok": true}).ok, 2, 3)', gives: 2 },
      { apl: 'case(false, 1, dynamic({"ok": 1}).no, 2, 3)', gives: 3 },
      { apl: 'case(false, 1, dynamic(null), 2, 3)', gives: 3 },
    ],
    differs: { axiom: `The default may be left out; it is null then. ${anyTypes}` },
  }),
];
