import { call, column, integer, lambda, literal } from '@millrace/sql';
import type { Expr } from '@millrace/sql';
import { arrayJson, elementsOf } from '../../lower/values.js';
import { param } from '../define.js';
import type { Example, FunctionRecord, Overload } from '../define.js';
import { contentOf, holdsText } from '../json-text.js';
import { nullText } from './elements.js';

type Direction = 'asc' | 'desc';

/** What elements are sorted by. Integers beyond 2^53 that are equal as floats are compared as integers too. */
function keyOf(element: Expr, direction: Direction): Expr {
  const [numbers, texts, others] = [1, 2, 3];
  const nulls = direction === 'asc' ? 4 : 0;
  const kind = call(
    'multiIf',
    call('equals', element, nullText),
    integer(nulls),
    call('match', element, literal('^[-0-9]')),
    integer(numbers),
    holdsText(element),
    integer(texts),
    integer(others),
  );
  const text = call('if', holdsText(element), contentOf(element), element);
  return call('tuple', kind, call('toFloat64OrZero', element), call('toInt64OrZero', element), text);
}

/** JSON texts in order, nulls last. */
export const inOrder = (elements: Expr, direction: Direction): Expr =>
  call(
    direction === 'asc' ? 'arraySort' : 'arrayReverseSort',
    lambda(['element'], keyOf(column('element'), direction)),
    elements,
  );

/** Anything but an array counts as having no elements. */
const sorted = (array: Expr, direction: Direction): Expr => arrayJson(inOrder(elementsOf(array), direction));

const overload = (direction: Direction): Overload => ({
  params: [param('array', 'array')],
  returns: 'array',
  lower: ([array]) => sorted(array!.sql, direction),
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
      {
        params: [param('array', 'array'), param('order', 'string', { constant: true })],
        returns: 'array',
        check: ([, order]) =>
          order?.constant === 'asc' || order?.constant === 'desc'
            ? undefined
            : { argument: 1, message: 'the order must be "asc" or "desc"' },
        lower: ([array, order]) => sorted(array!.sql, order!.constant === 'desc' ? 'desc' : 'asc'),
      },
    ],
    examples: [
      { apl: 'sort_array(dynamic([3, 1, 2]))', gives: [1, 2, 3] },
      { apl: 'sort_array(dynamic([3, 1, 2]), "desc")', gives: [3, 2, 1] },
    ],
    differs: { axiom: 'Undocumented, but in use; otherwise as array_sort_asc and array_sort_desc.' },
  },
];
