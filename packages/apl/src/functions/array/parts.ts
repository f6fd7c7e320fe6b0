import { call, column, integer, lambda, literal } from '@millrace/sql';
import type { Expr } from '@millrace/sql';
import { memberText } from '../../lower/json/json-parts.js';
import { shareSubexpression } from '../../lower/shared-subexpressions.js';
import { arrayJson } from '../../lower/json/members.js';
import { defineFunction, defineOverload, param } from '../define.js';
import type { Example, FunctionRecord, LoweredArgument } from '../define.js';
import { elementText, integersOf, ofArray, one, placeIn, sizeOf } from './elements.js';
import { holdsArray } from '../json-text.js';

/** Elements from `start` up to but without `end`, both between 0 and the size. */
const between = (elements: Expr, start: Expr, end: Expr): Expr =>
  call(
    'arraySlice',
    elements,
    call('plus', start, integer(1)),
    call('greatest', call('minus', end, start), integer(0)),
  );

export const slice = defineOverload({
  params: [param('array', 'array'), param('start', 'long'), param('end', 'long', { optional: true })],
  returns: 'array',
  onceEach: true,
  lower: ([array, start, end]) =>
    ofArray(
      array,
      'array',
      (elements) =>
        shareSubexpression(sizeOf(elements), (size) =>
          arrayJson(between(elements, placeIn(size, start), end === undefined ? size : placeIn(size, end))),
        ),
      end === undefined ? [start] : [start, end],
    ),
  doubt: ([, , end]) =>
    end === undefined
      ? undefined
      : { argument: 2, message: 'the element at the end is left out, as in Axiom; in Kusto it is part of the result' },
});

/** Splits the elements before each of the indexes, in order. */
function cut(elements: Expr, places: (size: Expr) => Expr): Expr {
  const size = sizeOf(elements);
  const bounds = call('arraySort', places(size));
  const part = call(
    'arraySlice',
    column('all'),
    call('plus', column('from'), integer(1)),
    call('minus', column('to'), column('from')),
  );
  const parts = call(
    'arrayMap',
    lambda(['from', 'to', 'all'], arrayJson(part)),
    call('arrayPushFront', bounds, call('toInt64', integer(0))),
    call('arrayPushBack', bounds, size),
    call('arrayWithConstant', call('plus', call('length', bounds), integer(1)), elements),
  );
  return arrayJson(parts);
}

const place: LoweredArgument = { type: 'long', sql: column('place') };

/**
 * Indexes as a JSON array. A single number counts as an array with one element: the kind of a
 * dynamic value is known only at run time. `first` is null if it is neither.
 */
function placesIn(json: Expr): { readonly all: Expr; readonly first: Expr } {
  const alone = call('concat', literal('['), json, literal(']'));
  return {
    all: call('if', holdsArray(json), json, alone),
    first: call('if', holdsArray(json), integer(0), call('JSONExtract', json, literal('Nullable(Int64)'))),
  };
}

function indexOf([array, value, start, length, occurrence = one]: readonly [
  LoweredArgument,
  LoweredArgument,
  LoweredArgument?,
  LoweredArgument?,
  LoweredArgument?,
]): Expr {
  const required = [start, length, occurrence].filter((arg) => arg !== undefined);
  return ofArray(
    array,
    'long',
    (elements) => {
      const open = length === undefined || length.constant === -1n;
      if ((start === undefined || start.constant === 0n) && open && occurrence.constant === 1n)
        return call('minus', call('toInt64', call('indexOf', elements, elementText(value))), integer(1));
      const size = sizeOf(elements);
      const first = start === undefined ? integer(0) : placeIn(size, start);
      const last = open
        ? size
        : shareSubexpression(length.sql, (count) =>
            // Bounded, so that the sum cannot overflow.
            call('if', call('less', count, integer(0)), size, call('plus', first, call('least', count, size))),
          );
      return shareSubexpression(first, (from) =>
        shareSubexpression(between(elements, from, call('least', last, size)), (window) => {
          const places = call(
            'arrayFilter',
            lambda(['place', 'element', 'wanted'], call('equals', column('element'), column('wanted'))),
            call('arrayEnumerate', window),
            window,
            call('arrayWithConstant', call('length', window), elementText(value)),
          );
          const nth = call('arraySlice', places, call('greatest', occurrence.sql, integer(1)), integer(1));
          const found = call('toInt64', call('arraySum', nth));
          const none = call('or', call('equals', found, integer(0)), call('less', occurrence.sql, integer(1)));
          return call('if', none, integer(-1), call('minus', call('plus', found, from), integer(1)));
        }),
      );
    },
    required,
  );
}

const splitExamples: readonly Example[] = [
  {
    apl: 'array_split(dynamic([1, 2, 3, 4, 5]), 2)',
    gives: [
      [1, 2],
      [3, 4, 5],
    ],
  },
  { apl: 'array_split(dynamic(["a", "b", "c", "d"]), dynamic([1, 3]))', gives: [['a'], ['b', 'c'], ['d']] },
  { apl: 'array_split(dynamic([1, 2, 3]), -1)', gives: [[1, 2], [3]] },
  { apl: 'array_split(dynamic([1, 2]), 9)', gives: [[1, 2], []] },
  { apl: 'array_split(dynamic([]), dynamic([]))', gives: [[]] },
  { apl: 'array_split(dynamic([1, 2, 3]), dynamic({"at": 2}).at)', gives: [[1, 2], [3]] },
  { apl: 'array_split(dynamic([1, 2, 3]), dynamic({"at": "a"}).at)', gives: null },
];

/** Parts of arrays and indexes in them. */
export const functions: readonly FunctionRecord[] = [
  {
    name: 'array_slice',
    summary:
      'The elements from a start position up to but not including an end position, by default the end of the array; negative positions count from the end.',
    overloads: [slice],
    examples: [
      { apl: 'array_slice(dynamic([1, 2, 3, 4]), 1, 3)', gives: [2, 3] },
      { apl: 'array_slice(dynamic([1, 2, 3, 4]), -3, -1)', gives: [2, 3] },
      { apl: 'array_slice(dynamic(["a", "é"]), -9, 9)', gives: ['a', 'é'] },
      { apl: 'array_slice(dynamic([1, 2, 3]), 2, 1)', gives: [] },
      { apl: 'array_slice(dynamic([1, 2, 3]), 1)', gives: [2, 3] },
    ],
    differs: { kusto: 'The end is exclusive; a warning says so.' },
  },
  {
    name: 'array_split',
    summary:
      'The array cut into an array of arrays, before one position or each of several; negative positions count from the end.',
    overloads: [
      defineOverload({
        params: [param('array', 'array'), param('place', 'long')],
        returns: 'array',
        onceEach: true,
        lower: ([array, at]) =>
          ofArray(
            array,
            'array',
            (elements) => cut(elements, (size) => call('array', call('ifNull', placeIn(size, at), integer(0)))),
            [at],
          ),
      }),
      defineOverload({
        params: [param('array', 'array'), param('places', 'array')],
        returns: 'array',
        onceEach: true,
        lower: ([array, places]) => {
          const given = placesIn(places.sql);
          return ofArray(
            array,
            'array',
            (elements) =>
              cut(elements, (size) =>
                call(
                  'arrayMap',
                  lambda(['place', 'size'], placeIn(column('size'), place)),
                  integersOf(given.all),
                  call('arrayWithConstant', call('length', integersOf(given.all)), size),
                ),
              ),
            [{ type: 'long', sql: given.first }],
          );
        },
      }),
    ],
    examples: splitExamples,
  },
  defineFunction({
    name: 'array_index_of',
    summary:
      'The position of a value, counted from 0, or -1 if it is not there. The search may be limited to length elements from start on, and may look for a later occurrence.',
    handlesNulls: true,
    params: [
      param('array', 'array'),
      param('value', 'any'),
      param('start', 'long', { optional: true }),
      param('length', 'long', { optional: true }),
      param('occurrence', 'long', { optional: true }),
    ],
    returns: 'long',
    onceEach: true,
    lower: indexOf,
    examples: [
      { apl: 'array_index_of(dynamic(["200", "404", "500"]), "500")', gives: 2 },
      { apl: 'array_index_of(dynamic([1, 2, 3]), "1")', gives: -1 },
      { apl: 'array_index_of(dynamic(["a", "b", "a", "é", "a"]), "a", 1, -1, 2)', gives: 4 },
      { apl: 'array_index_of(dynamic(["a", "b", "a"]), "a", -2, 1)', gives: -1 },
      { apl: 'array_index_of(dynamic([1, null]), dynamic(null))', gives: 1 },
      { apl: 'array_index_of(dynamic(null), 1)', gives: null },
    ],
  }),
  defineFunction({
    name: 'array_select_dict',
    summary: 'The first object in an array whose member with the key has the value; null if there is none.',
    handlesNulls: true,
    params: [param('array', 'array'), param('key', 'string'), param('value', 'any')],
    returns: 'bag',
    onceEach: true,
    lower: ([array, key, value]) =>
      ofArray(
        array,
        'bag',
        (elements) =>
          call(
            'nullIf',
            call(
              'arrayFirst',
              lambda(['element', 'wanted'], call('equals', memberText(column('element'), key.sql), column('wanted'))),
              elements,
              call('arrayWithConstant', call('length', elements), elementText(value)),
            ),
            literal(''),
          ),
        [key],
      ),
    examples: [
      {
        apl: 'array_select_dict(dynamic([5, {"id": 1, "n": "a"}, {"id": 2, "n": "b"}, {"id": 2}]), "id", 2)',
        gives: { id: 2, n: 'b' },
      },
      { apl: 'array_select_dict(dynamic([{"id": "1"}]), "id", 1)', gives: null },
      { apl: 'array_select_dict(dynamic([{"é": true}]), "é", true)', gives: { é: true } },
      { apl: 'array_select_dict(dynamic([]), "id", 1)', gives: null },
    ],
  }),
];
