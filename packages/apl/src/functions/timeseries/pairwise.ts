import { call, column, lambda } from '@millrace/sql';
import type { Expr } from '@millrace/sql';
import { convert, nullOf } from '../../lower/values.js';
import { defineOverload, param } from '../define.js';
import type { Example, FunctionRecord, LoweredArgument, Overload } from '../define.js';
import { holdsArray } from '../json-text.js';
import { noNumber, numbersOnly, ofSeries, ofTwoSeries, pairSeries, seriesJson, seriesParam } from './series.js';
import type { Extent } from './series.js';

type Operation = (x: Expr, y: Expr) => Expr;

const twoSeries = (extent: Extent, operation: Operation): Overload =>
  defineOverload({
    params: [seriesParam('series1'), seriesParam('series2')],
    returns: 'array',
    onceEach: true,
    lower: ([first, second]) => {
      const combined = ofTwoSeries([first, second], 'array', (a, b) => seriesJson(pairSeries(a, b, extent, operation)));
      // Whether a dynamic value holds a series or a number is known at run time only.
      return second.type === 'dynamic'
        ? call('if', holdsArray(second.sql), combined, eachWith(first, convert(second, 'real')!.sql, operation))
        : combined;
    },
  });

/** Combines every element with one number. */
const withNumber = (name: string, operation: Operation): Overload =>
  defineOverload({
    params: [seriesParam('series'), param(name, 'real')],
    returns: 'array',
    onceEach: true,
    lower: ([series, number]) => eachWith(series, number.sql, operation),
  });

const eachWith = (series: LoweredArgument, number: Expr, operation: Operation): Expr =>
  call(
    'if',
    call('isNull', number),
    nullOf('array'),
    ofSeries(series, 'array', (numbers) =>
      seriesJson(call('arrayMap', lambda(['x'], operation(column('x'), number)), numbers)),
    ),
  );

interface Parts {
  readonly name: string;
  readonly summary: string;
  readonly extent: Extent;
  readonly operation: Operation;
  readonly examples: readonly Example[];
}

const pairwise = ({ name, summary, extent, operation, examples }: Parts): FunctionRecord => ({
  name: `series_${name}`,
  summary: `${summary} ${extent === 'shorter' ? 'Ends with the shorter series.' : 'Null where one series has ended.'} The second may be a single number.`,
  overloads: [twoSeries(extent, operation), withNumber('number', operation)],
  examples,
  differs: { axiom: numbersOnly },
});

const engines =
  (name: string): Operation =>
  (x, y) =>
    call(name, x, y);

/** Null if either is null; the engine's own `greatest` and `least` would ignore nulls. */
const chooseOperation =
  (comparison: string): Operation =>
  (x, y) =>
    call('multiIf', call(comparison, x, y), x, call('isNull', x), noNumber, y);

const comparisonRecord = (
  name: string,
  what: string,
  comparison: string,
  examples: readonly Example[],
): FunctionRecord =>
  pairwise({
    name,
    summary: `Whether each number of the first series is ${what} the one in the second series.`,
    extent: 'longer',
    operation: (x, y) =>
      call(
        'if',
        call('or', call('isNull', x), call('isNull', y)),
        nullOf('bool'),
        call('toBool', call(comparison, x, y)),
      ),
    examples,
  });

/** Functions of the two numbers at each position of two series. */
export const functions: readonly FunctionRecord[] = [
  pairwise({
    name: 'add',
    summary: 'Sums of the numbers of two series.',
    extent: 'shorter',
    operation: engines('plus'),
    examples: [
      { apl: 'series_add(dynamic([10, 20, 15, 1]), dynamic([5, null, 7.5]))', gives: [15, null, 22.5] },
      { apl: 'series_add(dynamic([1, 2]), 0.5)', gives: [1.5, 2.5] },
      { apl: 'series_add(dynamic([1, 2]), dynamic({"n": 0.5}).n)', gives: [1.5, 2.5] },
      { apl: 'series_add(dynamic([1, 2]), dynamic({"l": [3]}).l)', gives: [4] },
      { apl: 'series_add(dynamic([1, 2]), dynamic(["x"]))', gives: [null] },
      { apl: 'series_add(dynamic([1]), dynamic({"a": "x"}).a)', gives: null },
    ],
  }),
  pairwise({
    name: 'subtract',
    summary: 'Differences of the numbers of two series.',
    extent: 'longer',
    operation: engines('minus'),
    examples: [
      { apl: 'series_subtract(dynamic([1, 2, 3]), dynamic([1, 1]))', gives: [0, 1, null] },
      { apl: 'series_subtract(dynamic([]), dynamic([1]))', gives: [null] },
      { apl: 'series_subtract(dynamic([1, 2]), 1)', gives: [0, 1] },
    ],
  }),
  pairwise({
    name: 'multiply',
    summary: 'Products of the numbers of two series.',
    extent: 'longer',
    operation: engines('multiply'),
    examples: [
      { apl: 'series_multiply(dynamic([10, 20, 30]), dynamic([2, 1.5]))', gives: [20, 30, null] },
      { apl: 'series_multiply(dynamic([10, -20]), 100)', gives: [1000, -2000] },
      { apl: 'series_multiply(dynamic([1e19, 2]), 10)[1]', gives: 20 },
    ],
  }),
  pairwise({
    name: 'divide',
    summary: 'Quotients of the numbers of two series; null for a division by zero.',
    extent: 'shorter',
    operation: engines('divide'),
    examples: [
      { apl: 'series_divide(dynamic([10, 20, 3, 0]), dynamic([4, 5, 0]))', gives: [2.5, 4, null] },
      { apl: 'series_divide(dynamic([80, 120]), 100.0)', gives: [0.8, 1.2] },
    ],
  }),
  pairwise({
    name: 'max',
    summary: 'The greater of the two numbers at each position.',
    extent: 'longer',
    operation: chooseOperation('greaterOrEquals'),
    examples: [
      { apl: 'series_max(dynamic([1, 5, null, 7]), dynamic([3, 2, 1]))', gives: [3, 5, null, null] },
      { apl: 'series_max(dynamic([1, 5]), 3)', gives: [3, 5] },
    ],
  }),
  pairwise({
    name: 'min',
    summary: 'The smaller of the two numbers at each position.',
    extent: 'longer',
    operation: chooseOperation('lessOrEquals'),
    examples: [
      { apl: 'series_min(dynamic([1, 5, 1]), dynamic([3, -2, null]))', gives: [1, -2, null] },
      { apl: 'series_min(dynamic([1, 5]), 3)', gives: [1, 3] },
    ],
  }),
  comparisonRecord('greater', 'greater than', 'greater', [
    { apl: 'series_greater(dynamic([1, 2, 3]), dynamic([2, 2, 2]))', gives: [false, false, true] },
    { apl: 'series_greater(dynamic([1, null, 3]), dynamic([0, 0]))', gives: [true, null, null] },
    { apl: 'series_greater(dynamic([180, 220]), 200)', gives: [false, true] },
  ]),
  comparisonRecord('greater_equals', 'greater than or equal to', 'greaterOrEquals', [
    {
      apl: 'series_greater_equals(dynamic([100ms, 200ms, 0s]), dynamic([150ms, 200ms, 0s]))',
      gives: [false, true, true],
    },
    { apl: 'series_greater_equals(dynamic([1, 2, null]), 2)', gives: [false, true, null] },
  ]),
  comparisonRecord('less', 'less than', 'less', [
    { apl: 'series_less(dynamic([1, 2, 3]), dynamic([2, 2, 2]))', gives: [true, false, false] },
    { apl: 'series_less(dynamic([1, 2, null]), 2)', gives: [true, false, null] },
  ]),
  comparisonRecord('less_equals', 'less than or equal to', 'lessOrEquals', [
    { apl: 'series_less_equals(dynamic([1, 2, 3]), dynamic([2, 2, 2]))', gives: [true, true, false] },
    { apl: 'series_less_equals(dynamic([1, 2, null]), 2)', gives: [true, true, null] },
  ]),
  {
    name: 'series_pow',
    summary: 'Every number raised to a power, or to the number at the same position of another series.',
    overloads: [withNumber('power', engines('pow')), twoSeries('longer', engines('pow'))],
    examples: [
      { apl: 'series_pow(dynamic([2, 3, null]), 2)', gives: [4, 9, null] },
      { apl: 'series_pow(dynamic([100, 4]), -0.5)', gives: [0.1, 0.5] },
      { apl: 'series_pow(dynamic([-8, 0]), 0.5)', gives: [null, 0] },
      { apl: 'series_pow(dynamic([2, 3, 4]), dynamic([3, 2]))', gives: [8, 9, null] },
      { apl: 'series_pow(dynamic([2, 3]), dynamic({"n": 2}).n)', gives: [4, 9] },
    ],
    differs: { axiom: numbersOnly },
  },
];
