import { call, cast, column, integer, lambda, literal, or } from '@millrace/sql';
import type { Expr } from '@millrace/sql';
import { toReadableJson } from '../../lower/json/json-parts.js';
import { shareSubexpression } from '../../lower/shared-subexpressions.js';
import { nullOf } from '../../lower/values.js';
import type { Example, FunctionRecord } from '../define.js';
import { present } from '../array/elements.js';
import {
  zeroIfNotFinite,
  numbersOnly,
  ofSeries,
  ofTwoSeries,
  pairSeries,
  seriesJson,
  seriesParam,
  sumOf,
} from './series.js';
import { defineFunction } from '../define.js';

const product = (x: Expr, y: Expr): Expr => call('multiply', x, y);
const square = (x: Expr): Expr => product(x, x);
const lengthsDiffer = (a: Expr, b: Expr): Expr => call('notEquals', call('length', a), call('length', b));
const isZero = (value: Expr): Expr => call('equals', value, integer(0));

/** Sum of the products; pairs with a null have none. */
const dotProduct = (a: Expr, b: Expr): Expr => sumOf(pairSeries(a, b, 'shorter', product), (x) => x);

/** The numbers of one series where the other has a number too. */
const whereBoth = (numbers: Expr, others: Expr): Expr =>
  present(call('arrayFilter', lambda(['x', 'y'], call('isNotNull', column('y'))), numbers, others));

function cosine(a: Expr, b: Expr): Expr {
  const lengths = call('multiply', call('sqrt', sumOf(a, square)), call('sqrt', sumOf(b, square)));
  return shareSubexpression(lengths, (denominator) =>
    call(
      'if',
      or(lengthsDiffer(a, b), isZero(denominator)),
      nullOf('real'),
      call('divide', dotProduct(a, b), denominator),
    ),
  );
}

/** Also null if a series does not vary: the engine then divides by zero. */
const correlation = (a: Expr, b: Expr): Expr =>
  call(
    'if',
    lengthsDiffer(a, b),
    nullOf('real'),
    zeroIfNotFinite(call('arrayReduce', literal('corrStable'), whereBoth(a, b), whereBoth(b, a))),
  );

const ofOne = (
  name: string,
  summary: string,
  body: (numbers: Expr) => Expr,
  examples: readonly Example[],
): FunctionRecord =>
  defineFunction({
    name,
    summary,
    params: [seriesParam('series')],
    returns: 'real',
    lower: ([series]) => ofSeries(series, 'real', body),
    examples,
    differs: { axiom: numbersOnly },
  });

const ofTwo = (
  name: string,
  summary: string,
  body: (a: Expr, b: Expr) => Expr,
  examples: readonly Example[],
): FunctionRecord =>
  defineFunction({
    name,
    summary,
    params: [seriesParam('series1'), seriesParam('series2')],
    returns: 'real',
    lower: (both) => ofTwoSeries(both, 'real', body),
    examples,
    differs: { axiom: numbersOnly },
  });

const statistics = ['min', 'min_idx', 'max', 'max_idx', 'avg', 'variance', 'stdev'] as const;

/**
 * The statistics in their order as `Array(Nullable(Float64))`; all null if there are no numbers.
 */
function statisticsOf(numbers: Expr): Expr {
  const place = (value: Expr): Expr =>
    call('toFloat64', call('minus', call('toInt64', call('indexOf', numbers, value)), integer(1)));
  return shareSubexpression(present(numbers), (some) => {
    const min = call('arrayMin', some);
    const max = call('arrayMax', some);
    const variance = call('arrayReduce', literal('varSampStable'), some);
    const values = [min, place(min), max, place(max), call('arrayAvg', some), variance, call('sqrt', variance)];
    return call(
      'if',
      call('empty', some),
      call('arrayWithConstant', integer(statistics.length), nullOf('real')),
      cast(call('array', ...values), 'Array(Nullable(Float64))'),
    );
  });
}

/** JSON text of an object of the statistics. */
const statisticsBag = (numbers: Expr): Expr =>
  shareSubexpression(statisticsOf(numbers), (values) => {
    const names = call('array', ...statistics.map((name) => literal(`"${name}":`)));
    // For a null, `toJSONString` gives null and not its text.
    const text = call('ifNull', call('toJSONString', column('value')), literal('null'));
    const member = call('concat', column('name'), text);
    const members = call('arrayMap', lambda(['name', 'value'], member), names, values);
    return toReadableJson(call('concat', literal('{'), call('arrayStringConcat', members, literal(',')), literal('}')));
  });

/** Functions that measure series. */
export const functions: readonly FunctionRecord[] = [
  ofOne('series_sum', 'The sum of the numbers, 0 if there are none.', (numbers) => sumOf(numbers, (x) => x), [
    { apl: 'series_sum(dynamic([120, 300.5, null, "x"]))', gives: 420.5 },
    { apl: 'series_sum(dynamic([]))', gives: 0 },
    { apl: 'series_sum(dynamic({"a": 1}).a)', gives: null },
  ]),
  ofOne(
    'series_magnitude',
    'The Euclidean length: the square root of the sum of the squares.',
    (numbers) => call('sqrt', sumOf(numbers, square)),
    [
      { apl: 'series_magnitude(dynamic([3, null, -4]))', gives: 5 },
      { apl: 'series_magnitude(dynamic([]))', gives: 0 },
    ],
  ),
  ofTwo(
    'series_dot_product',
    'The sum of the products of the numbers of two series, up to the end of the shorter one.',
    dotProduct,
    [
      { apl: 'series_dot_product(dynamic([1, 2, 3]), dynamic([4, 5, 6]))', gives: 32 },
      { apl: 'series_dot_product(dynamic([1, null, 3]), dynamic([1.5, 1]))', gives: 1.5 },
      { apl: 'series_dot_product(dynamic([]), dynamic([1]))', gives: 0 },
    ],
  ),
  ofTwo(
    'series_cosine_similarity',
    'The cosine of the angle between two series of the same length; null if one has only zeros or the lengths differ.',
    cosine,
    [
      { apl: 'series_cosine_similarity(dynamic([1, 2]), dynamic([2, 4]))', gives: 1 },
      { apl: 'series_cosine_similarity(dynamic([1, 0]), dynamic([0, 1]))', gives: 0 },
      { apl: 'series_cosine_similarity(dynamic([0, 0]), dynamic([1, 2]))', gives: null },
      { apl: 'series_cosine_similarity(dynamic([1, 2]), dynamic([1]))', gives: null },
    ],
  ),
  ofTwo(
    'series_pearson_correlation',
    'The correlation of two series of the same length, from -1 to 1; null if one does not vary or the lengths differ.',
    correlation,
    [
      { apl: 'series_pearson_correlation(dynamic([1, 2, 3, 4, 5]), dynamic([2, 4, 6, 8, 10]))', gives: 1 },
      { apl: 'series_pearson_correlation(dynamic([1, null, 2, 3]), dynamic([3, 9, 2, 1]))', gives: -1 },
      { apl: 'series_pearson_correlation(dynamic([1, 1]), dynamic([1, 2]))', gives: null },
      { apl: 'series_pearson_correlation(dynamic([]), dynamic([]))', gives: null },
    ],
  ),
  defineFunction({
    name: 'series_stats',
    values: { min: 0, min_idx: 1, max: 2, max_idx: 3, avg: 4, stdev: 6, variance: 5 },
    summary: `An array of the ${statistics.join(', ')} of a series; positions count from 0, and the variance is that of a sample.`,
    params: [seriesParam('series')],
    returns: 'array',
    lower: ([series]) => ofSeries(series, 'array', (numbers) => seriesJson(statisticsOf(numbers))),
    examples: [
      { apl: 'series_stats(dynamic([1, 2, 3, 4]))', gives: [1, 0, 4, 3, 2.5, 5 / 3, Math.sqrt(5 / 3)] },
      { apl: 'series_stats(dynamic([null, 3, 1]))', gives: [1, 2, 3, 1, 2, 2, Math.SQRT2] },
      { apl: 'series_stats(dynamic([7]))', gives: [7, 0, 7, 0, 7, null, null] },
      { apl: 'series_stats(dynamic([]))', gives: [null, null, null, null, null, null, null] },
    ],
    differs: { axiom: numbersOnly, kusto: 'One array, unless it has no name or several.' },
  }),
  defineFunction({
    name: 'series_stats_dynamic',
    summary: `An object of the ${statistics.join(', ')} of a series; positions count from 0, and the variance is that of a sample.`,
    params: [seriesParam('series')],
    returns: 'bag',
    lower: ([series]) => ofSeries(series, 'bag', statisticsBag),
    examples: [
      {
        apl: 'series_stats_dynamic(dynamic([5, -3, 5, 1]))',
        gives: { min: -3, min_idx: 1, max: 5, max_idx: 0, avg: 2, variance: 44 / 3, stdev: Math.sqrt(44 / 3) },
      },
      { apl: 'series_stats_dynamic(dynamic([])).avg', gives: null },
      { apl: 'series_stats_dynamic(dynamic([1e10, 3e10])).avg', gives: 2e10 },
      {
        apl: 'tostring(series_stats_dynamic(dynamic([7])))',
        gives: '{"min":7,"min_idx":0,"max":7,"max_idx":0,"avg":7,"variance":null,"stdev":null}',
      },
    ],
    differs: { axiom: numbersOnly, kusto: 'No sum and len. Nulls are left out.' },
  }),
];
