import { call, column, integer, lambda, literal } from '@millrace/sql';
import type { Expr } from '@millrace/sql';
import { and } from '@millrace/sql';
import { nullOf } from '../../lower/values.js';
import { arrayJson, elementsOf } from '../../lower/json/members.js';
import { defineFunction, param } from '../define.js';
import type { Example, FunctionRecord, LoweredArgument } from '../define.js';
import { holdsArray } from '../json-text.js';
import { adjacent, elementText, ofArray, one, sizeOf } from './elements.js';

/** Moves elements around the ends; a count beyond the size starts over. */
const rotateElements = (elements: Expr, count: LoweredArgument, engine: string): Expr =>
  arrayJson(
    call(
      engine,
      elements,
      call('modulo', call('ifNull', count.sql, integer(0)), call('greatest', sizeOf(elements), integer(1))),
    ),
  );

/** Moves elements out at one end and `fill` in at the other. */
function shiftElements(elements: Expr, count: LoweredArgument, fill: LoweredArgument, engine: string): Expr {
  const size = sizeOf(elements);
  const bounded = call('greatest', call('least', call('ifNull', count.sql, integer(0)), size), call('negate', size));
  return arrayJson(call(engine, elements, bounded, elementText(fill)));
}

const rotation = (direction: 'left' | 'right', examples: readonly Example[]): FunctionRecord =>
  defineFunction({
    name: `array_rotate_${direction}`,
    summary: `The elements moved ${direction} by a number of places; elements that leave at one end return at the other. A negative number moves the other way.`,
    params: [param('array', 'array'), param('count', 'long')],
    returns: 'array',
    onceEach: true,
    lower: ([array, count]) =>
      ofArray(array, 'array', (elements) => rotateElements(elements, count, engineName('Rotate', direction)), [count]),
    examples,
  });

const shift = (direction: 'left' | 'right', examples: readonly Example[]): FunctionRecord =>
  defineFunction({
    name: `array_shift_${direction}`,
    summary: `The elements moved ${direction} by a number of places, 1 by default. With a fill value, elements that leave are lost and the fill value takes the free places; without one they come back in at the other end.`,
    handlesNulls: true,
    params: [
      param('array', 'array'),
      param('count', 'long', { optional: true }),
      param('fill', 'any', { optional: true }),
    ],
    returns: 'array',
    onceEach: true,
    lower: ([array, count = one, fill]) =>
      ofArray(
        array,
        'array',
        (elements) =>
          fill === undefined
            ? rotateElements(elements, count, engineName('Rotate', direction))
            : shiftElements(elements, count, fill, engineName('Shift', direction)),
        [count],
      ),
    doubt: ([, , fill]) =>
      fill === undefined
        ? {
            argument: 0,
            message:
              'elements come back in at the other end, as in Axiom; in Kusto null takes the free places: a third argument dynamic(null)',
          }
        : undefined,
    examples,
    differs: { kusto: 'Without a fill value, elements come back in at the other end; a warning says so.' },
  });

const engineName = (what: 'Rotate' | 'Shift', direction: 'left' | 'right'): string =>
  `array${what}${direction === 'left' ? 'Left' : 'Right'}`;

/**
 * The result for one condition: true and numbers other than 0 take `then`, false and 0 take
 * `otherwise`, anything else gives null.
 */
function choice(condition: Expr): Expr {
  const isNumber = call('match', condition, literal('^[-0-9]'));
  const isZero = call('match', condition, literal('^-?0(?:\\.0*)?(?:[eE].*)?$'));
  return call(
    'multiIf',
    call('equals', condition, literal('true')),
    column('then'),
    call('or', call('equals', condition, literal('false')), isZero),
    column('otherwise'),
    isNumber,
    column('then'),
    literal('null'),
  );
}

/** Functions that rearrange the elements of arrays. */
export const functions: readonly FunctionRecord[] = [
  defineFunction({
    name: 'zip',
    summary:
      'An array of arrays: the first elements of all the arrays, then the second ones, with null where one is shorter.',
    params: [param('first', 'array'), param('second', 'array')],
    rest: param('more', 'array'),
    returns: 'array',
    onceEach: true,
    lower: (arrays) => {
      const elements = arrays.map(({ sql }) => elementsOf(sql));
      const size = call('greatest', ...elements.map((each) => call('length', each)));
      const names = arrays.map((_, i) => `e${i}`);
      const together = arrayJson(call('array', ...names.map((name) => column(name))));
      const sized = elements.map((each) => call('arrayResize', each, size, literal('null')));
      return call(
        'if',
        and(...arrays.map(({ sql }) => holdsArray(sql))),
        arrayJson(call('arrayMap', lambda(names, together), ...sized)),
        nullOf('array'),
      );
    },
    examples: [
      {
        apl: 'zip(dynamic([1, 3]), dynamic(["a", "é"]))',
        gives: [
          [1, 'a'],
          [3, 'é'],
        ],
      },
      {
        apl: 'zip(dynamic([1, 2]), dynamic([[0]]), dynamic([]))',
        gives: [
          [1, [0], null],
          [2, null, null],
        ],
      },
      { apl: 'zip(dynamic([1]), dynamic("x"))', gives: null },
    ],
    differs: { axiom: 'Not in Axiom; as in Kusto.' },
  }),
  defineFunction({
    name: 'array_concat',
    summary: 'The elements of all the arrays one after the other; null if one argument is not an array.',
    params: [param('array', 'array')],
    rest: param('more', 'array'),
    returns: 'array',
    onceEach: true,
    lower: (arrays) =>
      call(
        'if',
        and(...arrays.map(({ sql }) => holdsArray(sql))),
        arrayJson(call('arrayConcat', ...arrays.map(({ sql }) => elementsOf(sql)))),
        nullOf('array'),
      ),
    examples: [
      { apl: 'array_concat(dynamic([1]), dynamic([]), dynamic(["é", null]))', gives: [1, 'é', null] },
      { apl: 'array_concat(dynamic([[1], {"a": 2}]))', gives: [[1], { a: 2 }] },
      { apl: 'array_concat(dynamic([1]), dynamic("x"))', gives: null },
    ],
    differs: { kusto: 'Null if one of them is null, which Kusto leaves out.' },
  }),
  defineFunction({
    name: 'array_reverse',
    summary: 'The elements from last to first.',
    params: [param('array', 'array')],
    returns: 'array',
    lower: ([array]) => ofArray(array, 'array', (elements) => arrayJson(call('arrayReverse', elements))),
    examples: [
      { apl: 'array_reverse(dynamic([1, "b", null]))', gives: [null, 'b', 1] },
      { apl: 'array_reverse(dynamic([]))', gives: [] },
    ],
  }),
  rotation('left', [
    { apl: 'array_rotate_left(dynamic([1, 2, 3, 4]), 1)', gives: [2, 3, 4, 1] },
    { apl: 'array_rotate_left(dynamic([1, 2, 3]), -4)', gives: [3, 1, 2] },
    { apl: 'array_rotate_left(dynamic([]), 3)', gives: [] },
  ]),
  rotation('right', [
    { apl: 'array_rotate_right(dynamic([1, 2, 3, 4]), 1)', gives: [4, 1, 2, 3] },
    { apl: 'array_rotate_right(dynamic(["a", "é", "c"]), 7)', gives: ['c', 'a', 'é'] },
    { apl: 'array_rotate_right(dynamic([1, 2]), tolong("-9223372036854775808"))', gives: [1, 2] },
  ]),
  shift('left', [
    { apl: 'array_shift_left(dynamic([1, 2, 3, 4]), 1)', gives: [2, 3, 4, 1] },
    { apl: 'array_shift_left(dynamic([1, 2, 3, 4]), 3, dynamic(null))', gives: [4, null, null, null] },
    { apl: 'array_shift_left(dynamic([1, 2]), -1, "x")', gives: ['x', 1] },
    { apl: 'array_shift_left(dynamic([1, 2]), 9000000000000000000, 0)', gives: [0, 0] },
  ]),
  shift('right', [
    { apl: 'array_shift_right(dynamic([1, 2, 3, 4]))', gives: [4, 1, 2, 3] },
    { apl: 'array_shift_right(dynamic([1, 2, 3]), 2, -1)', gives: [-1, -1, 1] },
    { apl: 'array_shift_right(dynamic(["a"]), long(null))', gives: null },
  ]),
  defineFunction({
    name: 'array_iff',
    aliases: ['array_iif'],
    summary:
      'One of two values for each condition in an array. If a value is an array, its element at the same position is taken. A null condition, or a position beyond the end of the array taken from, gives null.',
    handlesNulls: true,
    params: [param('conditions', 'array'), param('then', 'any'), param('otherwise', 'any')],
    returns: 'array',
    onceEach: true,
    lower: ([conditions, then, otherwise]) =>
      ofArray(conditions, 'array', (elements) => {
        const size = call('length', elements);
        return arrayJson(
          call(
            'arrayMap',
            lambda(['condition', 'then', 'otherwise'], choice(column('condition'))),
            elements,
            adjacent(size, then),
            adjacent(size, otherwise),
          ),
        );
      }),
    examples: [
      {
        apl: 'array_iff(dynamic([true, false, true]), dynamic([1, 2, 3]), dynamic([10, 20, 30]))',
        gives: [1, 20, 3],
      },
      { apl: 'array_iff(dynamic([true, null, false, 2, 0, "x"]), "é", 0)', gives: ['é', null, 0, 'é', 0, null] },
      { apl: 'array_iff(dynamic([true, true, false]), dynamic([1]), dynamic(null))', gives: [1, null, null] },
      { apl: 'array_iff(dynamic({"a": 1}).a, 1, 2)', gives: null },
    ],
  }),
];
