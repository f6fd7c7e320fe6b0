import { and, call, column, integer, lambda, not } from '@millrace/sql';
import type { Expr } from '@millrace/sql';
import { shareSubexpression } from '../../lower/shared-subexpressions.js';
import { asJson, nullOf } from '../../lower/values.js';
import { arrayJson, elementsOf } from '../../lower/json/members.js';
import { isDynamic } from '../../model/types.js';
import { defineFunction, param, composedOf } from '../define.js';
import type { Example, FunctionRecord, LoweredArgument } from '../define.js';
import { holdsArray, parsedJson } from '../json-text.js';

/**
 * Elements are compared by their JSON text, which the engine normalizes: 1 and 1.0 are equal, "1"
 * is different.
 */
function operation(
  name: string,
  summary: string,
  combine: (elements: readonly [Expr, ...Expr[]]) => Expr,
  examples: readonly Example[],
): FunctionRecord {
  return defineFunction({
    name,
    summary,
    params: [param('first', 'array'), param('second', 'array')],
    rest: param('more', 'array'),
    returns: 'array',
    lower: ([first, ...others]) =>
      call(
        'if',
        and(...[first, ...others].map((arg) => holdsArray(arg.sql))),
        arrayJson(combine([elementsOf(first.sql), ...others.map((arg) => elementsOf(arg.sql))])),
        nullOf('array'),
      ),
    examples,
  });
}

const filterSet = (elements: Expr, keep: (element: Expr) => Expr): Expr =>
  call('arrayFilter', lambda(['element'], keep(column('element'))), call('arrayDistinct', elements));

/** Functions that treat arrays as sets. */
export const sets: readonly FunctionRecord[] = [
  operation(
    'set_union',
    'The distinct elements of all the arrays, in order of appearance; null if one argument is not an array.',
    (elements) => call('arrayDistinct', call('arrayConcat', ...elements)),
    [
      { apl: 'set_union(dynamic([1, 2, 3]), dynamic([2, 3, 4, 5]))', gives: [1, 2, 3, 4, 5] },
      { apl: 'set_union(dynamic(["a", "ä", "a"]), dynamic([]), dynamic([null, 1]))', gives: ['a', 'ä', null, 1] },
      { apl: 'set_union(dynamic([1]), dynamic({"a": {}}).a)', gives: null },
    ],
  ),
  operation(
    'set_intersect',
    'The distinct elements that are in every array, in the order of the first; null if one argument is not an array.',
    ([first, ...others]) => filterSet(first, (element) => and(...others.map((other) => call('has', other, element)))),
    [
      { apl: 'set_intersect(dynamic([3, 2, 2, 1]), dynamic([1, 2, 3.0, 4]), dynamic([3, 2]))', gives: [3, 2] },
      { apl: 'set_intersect(dynamic([1]), dynamic(["1"]))', gives: [] },
      { apl: 'set_intersect(dynamic([{"a": 1}]), dynamic([{ "a" : 1 }]))', gives: [{ a: 1 }] },
    ],
  ),
  {
    ...operation(
      'set_difference',
      'The distinct elements of the first array that are in none of the others; null if one argument is not an array.',
      ([first, ...others]) => filterSet(first, (element) => not(call('has', call('arrayConcat', ...others), element))),
      [
        { apl: 'set_difference(dynamic([1, 1, 2, 3]), dynamic([2, 4]))', gives: [1, 3] },
        { apl: 'set_difference(dynamic([1, 2, 3]), dynamic([1]), dynamic([3]))', gives: [2] },
        { apl: 'set_difference(dynamic([]), dynamic([1]))', gives: [] },
      ],
    ),
    differs: {
      axiom: 'The example in the documentation shows the symmetric difference; its text, like Kusto, describes this.',
    },
  },
  defineFunction({
    name: 'set_has_element',
    summary: 'Whether the value is an element of the array; null if the first argument is not an array.',
    params: [param('set', 'array'), param('value', 'any')],
    returns: 'bool',
    lower: ([set, value]) => {
      const json = isDynamic(value.type) ? parsedJson(value.sql) : asJson(value);
      const found = shareSubexpression(json, (text) =>
        call('if', call('isNull', text), nullOf('bool'), call('has', elementsOf(set.sql), text)),
      );
      return call('if', holdsArray(set.sql), found, nullOf('bool'));
    },
    examples: [
      { apl: 'set_has_element(dynamic([1, 2, 3]), 2)', gives: true },
      { apl: 'set_has_element(dynamic(["1", 2.5]), 1)', gives: false },
      { apl: 'set_has_element(dynamic(["é"]), "é")', gives: true },
      { apl: 'set_has_element(dynamic([]), "a")', gives: false },
      { apl: 'set_has_element(dynamic([{"a": 1}]), dynamic({ "a" : 1 }))', gives: true },
      { apl: 'set_has_element(dynamic("a"), "a")', gives: null },
    ],
  }),
  composedOf({
    name: 'set_equals',
    summary: 'Whether two arrays have the same elements, however often and in whatever order.',
    params: [param('first', 'array'), param('second', 'array')],
    returns: 'bool',
    written: 'array_length(set_difference(first, second)) == 0 and array_length(set_difference(second, first)) == 0',
    examples: [
      { apl: 'set_equals(dynamic([1, 2, 2]), dynamic([2, 1]))', gives: true },
      { apl: 'set_equals(dynamic([1, 2]), dynamic([1]))', gives: false },
      { apl: 'set_equals(dynamic([1]), dynamic([1, 2]))', gives: false },
      { apl: 'set_equals(dynamic([]), dynamic([]))', gives: true },
    ],
    differs: { axiom: 'Not in Axiom; as in Kusto.' },
  }),
  defineFunction({
    name: 'jaccard_index',
    summary:
      'How much two arrays have in common: elements in both divided by elements in either; null if both are empty.',
    params: [param('first', 'array'), param('second', 'array')],
    returns: 'real',
    lower: ([first, second]) => {
      const distinct = ({ sql }: LoweredArgument): Expr => call('arrayDistinct', elementsOf(sql));
      const [a, b] = [distinct(first), distinct(second)];
      const size = (elements: Expr): Expr => call('length', elements);
      const both = size(call('arrayFilter', lambda(['element'], call('has', b, column('element'))), a));
      const either = size(call('arrayDistinct', call('arrayConcat', a, b)));
      const share = call('divide', both, call('nullIf', either, integer(0)));
      return call('if', and(holdsArray(first.sql), holdsArray(second.sql)), share, nullOf('real'));
    },
    examples: [
      { apl: 'jaccard_index(dynamic([1, 2, 3, 3]), dynamic([2, 3, 4]))', gives: 0.5 },
      { apl: 'jaccard_index(dynamic([]), dynamic([]))', gives: null },
      { apl: 'jaccard_index(dynamic(["a"]), dynamic(["b"]))', gives: 0 },
    ],
    differs: { axiom: 'Not in Axiom; as in Kusto.' },
  }),
];
