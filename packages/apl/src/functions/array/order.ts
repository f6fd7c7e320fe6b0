import { call, column, integer, lambda, literal, not } from '@millrace/sql';
import type { Expr } from '@millrace/sql';
import { whereAll } from '../../lower/equality.js';
import { shareSubexpression } from '../../lower/shared-subexpressions.js';
import { nullOf } from '../../lower/values.js';
import { arrayJson, elementsOf } from '../../lower/json/members.js';
import { defineOverload, param } from '../define.js';
import type { Example, FunctionRecord, Overload } from '../define.js';
import { contentOf, holdsText } from '../json-text.js';
import { nullText } from './elements.js';

type Direction = 'asc' | 'desc';

const isNumber = (element: Expr): Expr => call('match', element, literal('^[-0-9]'));

/** Numbers, texts and anything else, in this order. */
const kindOf = (element: Expr): Expr =>
  call('multiIf', isNumber(element), integer(1), holdsText(element), integer(2), integer(3));

/**
 * Sort key of values of one kind. Integers beyond 2^53 that are equal as floats are compared as
 * integers too.
 */
const valueKey = (element: Expr): readonly Expr[] => [
  call('toFloat64OrZero', element),
  call('toInt64OrZero', element),
  call('if', holdsText(element), contentOf(element), element),
];

/** Sort key of elements. */
function keyOf(element: Expr, direction: Direction): Expr {
  const nulls = integer(direction === 'asc' ? 4 : 0);
  const kind = call('if', call('equals', element, nullText), nulls, kindOf(element));
  return call('tuple', kind, ...valueKey(element));
}

/**
 * Sort key for the largest or smallest of several values; as in `top`, numbers come first in both.
 */
export const extremeKey = (json: Expr, which: 'largest' | 'smallest'): Expr =>
  shareSubexpression(json, (value) =>
    call('tuple', which === 'largest' ? isNumber(value) : not(isNumber(value)), ...valueKey(value)),
  );

/**
 * Compares two JSON texts by their values, with the engine's function of that name; null if one is
 * null or they are of different kinds.
 */
export const comparedValues = (name: string, left: Expr, right: Expr): Expr =>
  shareSubexpression(left, (a) =>
    shareSubexpression(right, (b) => {
      const compared = call(name, call('tuple', ...valueKey(a)), call('tuple', ...valueKey(b)));
      return call('if', call('equals', kindOf(a), kindOf(b)), whereAll([a, b], compared), nullOf('bool'));
    }),
  );

/** JSON texts in order, nulls last. */
export const inOrder = (elements: Expr, direction: Direction): Expr =>
  call(
    direction === 'asc' ? 'arraySort' : 'arrayReverseSort',
    lambda(['element'], keyOf(column('element'), direction)),
    elements,
  );

/** Anything but an array counts as having no elements. */
const sortArray = (array: Expr, direction: Direction): Expr => arrayJson(inOrder(elementsOf(array), direction));

const overload = (direction: Direction): Overload =>
  defineOverload({
    params: [param('array', 'array')],
    returns: 'array',
    lower: ([array]) => sortArray(array.sql, direction),
  });

const record = (direction: Direction, examples: readonly Example[]): FunctionRecord => ({
  name: `array_sort_${direction}`,
  summary: `The elements in ${direction === 'asc' ? 'ascending' : 'descending'} order, nulls last; an empty array if the value is not an array.`,
  handlesNulls: true,
  overloads: [overload(direction)],
  examples,
  differs: {
    axiom:
      'Elements of different kinds are sorted by kind (numbers, texts, others) instead of giving an empty array, so nothing is lost.',
  },
});

/** Functions that sort arrays. */
export const functions: readonly FunctionRecord[] = [
  record('asc', [
    { apl: 'array_sort_asc(dynamic([10, 9.5, -1, null, 2]))', gives: [-1, 2, 9.5, 10, null] },
    { apl: 'array_sort_asc(dynamic(["b", "é", "a", 3]))', gives: [3, 'a', 'b', 'é'] },
    { apl: 'tostring(array_sort_asc(dynamic([9007199254740993, 9007199254740992]))[1])', gives: '9007199254740993' },
    { apl: 'array_sort_asc(dynamic("x"))', gives: [] },
  ]),
  record('desc', [
    { apl: 'array_sort_desc(dynamic(["x", null, "a", "m"]))', gives: ['x', 'm', 'a', null] },
    { apl: 'array_sort_desc(dynamic([2, 10, 1e2]))', gives: [100, 10, 2] },
    { apl: 'array_sort_desc(dynamic([false, true]))', gives: [true, false] },
    { apl: 'array_sort_desc(dynamic(null))', gives: [] },
  ]),
  {
    name: 'sort_array',
    summary: 'The elements in ascending ("asc", the default) or descending ("desc") order, nulls last.',
    handlesNulls: true,
    overloads: [
      overload('asc'),
      defineOverload({
        params: [param('array', 'array'), param('order', 'string', { constant: true })],
        returns: 'array',
        check: ([, order]) =>
          order?.constant === 'asc' || order?.constant === 'desc'
            ? undefined
            : { argument: 1, message: 'the order must be "asc" or "desc"' },
        lower: ([array, order]) => sortArray(array.sql, order.constant === 'desc' ? 'desc' : 'asc'),
      }),
    ],
    examples: [
      { apl: 'sort_array(dynamic([3, 1, 2]))', gives: [1, 2, 3] },
      { apl: 'sort_array(dynamic([3, 1, 2]), "desc")', gives: [3, 2, 1] },
    ],
    differs: { axiom: 'Undocumented, but in use; otherwise as array_sort_asc and array_sort_desc.' },
  },
];
