import { call, cast, column, integer, lambda, literal, or } from '@millrace/sql';
import type { Expr } from '@millrace/sql';
import { nullOf } from '../../lower/values.js';
import { defineFunction, param } from '../define.js';
import type { FunctionRecord, LoweredArgument } from '../define.js';
import { numbersOnly, ofTwoSeries, seriesJson, seriesParam, withZeros } from './series.js';
import { holdsArray } from '../json-text.js';
import { numbersOf } from '../array/elements.js';
import { bindValue } from '../bound-argument.js';

const first = (array: Expr): Expr => call('arrayElement', array, integer(1));

/**
 * Every number becomes a sum of itself and the ones before it, each times a coefficient; zeros
 * precede the first. The series is shifted once per coefficient, so that it takes the memory of a
 * few series. `ahead`: how many places the sums look ahead.
 */
function convolve(numbers: Expr, coefficients: Expr, ahead: Expr): Expr {
  const tap = column('tap');
  const by = call('minus', call('toInt64', call('tupleElement', tap, integer(2))), ahead);
  const shifted = call('arrayShiftRight', numbers, by, literal(0));
  const term = call('multiply', call('tupleElement', tap, integer(1)), column('x'));
  const added = lambda(['sum', 'x'], call('plus', column('sum'), term));
  return call(
    'arrayFold',
    lambda(['sums', 'tap'], call('arrayMap', added, column('sums'), shifted)),
    call('arrayZip', coefficients, call('range', call('length', coefficients))),
    call('arrayMap', lambda(['x'], literal(0)), numbers),
  );
}

/**
 * Coefficients divided by their sum. With a negative one this happens only on request; with a sum
 * of zero never.
 */
function normalizeCoefficients(coefficients: Expr, normalize: LoweredArgument | undefined): Expr {
  if (normalize?.constant === false) return coefficients;
  const unfit = or(
    call('equals', call('arraySum', coefficients), literal(0)),
    ...(normalize?.constant === true
      ? []
      : [call('arrayExists', lambda(['x'], call('less', column('x'), literal(0))), coefficients)]),
  );
  const divisor = call('if', unfit, literal(1), call('arraySum', coefficients));
  return call(
    'arrayMap',
    lambda(['x', 'divisor'], call('divide', column('x'), column('divisor'))),
    coefficients,
    call('arrayWithConstant', call('length', coefficients), divisor),
  );
}

/** Every number minus the results before it, each times a coefficient. */
function recurse(numbers: Expr, coefficients: Expr): Expr {
  const order = call('length', coefficients);
  // Newest first, in the order of the coefficients.
  const latest = call('arrayResize', call('arraySlice', column('past'), integer(1), order), order, literal(0));
  const next = call('minus', column('x'), call('arrayDotProduct', coefficients, latest));
  const all = call(
    'arrayFold',
    lambda(['past', 'x'], call('arrayPushFront', column('past'), next)),
    numbers,
    cast(call('array'), 'Array(Float64)'),
  );
  return call('arrayReverse', all);
}

/** Coefficients divided by a number. */
const scaleCoefficients = (coefficients: Expr, divisor: Expr): Expr =>
  call('arrayMap', lambda(['x'], call('divide', column('x'), divisor)), coefficients);

const coefficientsOf = (json: Expr): Expr => withZeros(numbersOf(json));

/** Digital filters. */
export const functions: readonly FunctionRecord[] = [
  defineFunction({
    name: 'series_fir',
    summary:
      'The series filtered: every number becomes the sum of itself and those before it, each times a coefficient. The coefficients are divided by their sum unless normalize is false; by default not if one is negative. With center the sums look as far ahead as back. Null counts as 0.',
    params: [
      seriesParam('series'),
      seriesParam('coefficients'),
      param('normalize', 'bool', { optional: true, constant: true }),
      param('center', 'bool', { optional: true, constant: true }),
    ],
    returns: 'array',
    lower: ([series, coefficients, normalize, center]) =>
      ofTwoSeries([series, coefficients], 'array', (numbers, taps) =>
        bindValue('numbers', withZeros(numbers), (x) =>
          bindValue('taps', withZeros(taps), (given) => {
            const size = call('toInt64', call('length', given));
            const ahead = center?.constant === true ? call('intDiv', size, integer(2)) : integer(0);
            return seriesJson(convolve(x, normalizeCoefficients(given, normalize), ahead));
          }),
        ),
      ),
    examples: [
      { apl: 'series_fir(dynamic([1, 2, 3, 4]), dynamic([1, 1]))', gives: [0.5, 1.5, 2.5, 3.5] },
      { apl: 'series_fir(dynamic([1, 2, 3, 4]), dynamic([1, 1]), false)', gives: [1, 3, 5, 7] },
      { apl: 'series_fir(dynamic([1, 2, 4, 8]), dynamic([1, -1]))', gives: [1, 1, 2, 4] },
      { apl: 'series_fir(dynamic([0, 3, 0, null]), dynamic([1, 1, 1]), true, true)', gives: [1, 1, 1, 0] },
      { apl: 'series_fir(dynamic([1, 2]), dynamic([]))', gives: [0, 0] },
    ],
    differs: { axiom: `The numbers in the documentation do not fit any filter; works as in Kusto. ${numbersOnly}` },
  }),
  defineFunction({
    name: 'series_iir',
    summary:
      'The series filtered recursively: each result is the sum of the numbers up to it times the numerators, minus the earlier results times the other denominators, all divided by the first denominator. Null counts as 0.',
    params: [seriesParam('series'), seriesParam('numerators'), seriesParam('denominators')],
    returns: 'array',
    onceEach: true,
    lower: ([series, numerators, denominators]) =>
      call(
        'if',
        call(
          'and',
          holdsArray(denominators.sql),
          call('notEquals', first(coefficientsOf(denominators.sql)), literal(0)),
        ),
        ofTwoSeries([series, numerators], 'array', (numbers, above) =>
          bindValue('numbers', withZeros(numbers), (x) =>
            bindValue('below', coefficientsOf(denominators.sql), (below) =>
              bindValue(
                'forward',
                scaleCoefficients(convolve(x, withZeros(above), integer(0)), first(below)),
                (forward) =>
                  bindValue('back', scaleCoefficients(call('arrayPopFront', below), first(below)), (back) =>
                    seriesJson(recurse(forward, back)),
                  ),
              ),
            ),
          ),
        ),
        nullOf('array'),
      ),
    examples: [
      { apl: 'series_iir(dynamic([1, 1, 1, 1]), dynamic([1]), dynamic([1, -1]))', gives: [1, 2, 3, 4] },
      { apl: 'series_iir(dynamic([8, 0, 0, null]), dynamic([1]), dynamic([2, -1]))', gives: [4, 2, 1, 0.5] },
      { apl: 'series_iir(dynamic([1, 2, 3]), dynamic([0.5, 0.5]), dynamic([1]))', gives: [0.5, 1.5, 2.5] },
      { apl: 'series_iir(dynamic([1, 2]), dynamic([1]), dynamic([0, 1]))', gives: null },
      { apl: 'series_iir(dynamic([]), dynamic([1]), dynamic([1]))', gives: [] },
    ],
    differs: { axiom: `The numbers in the documentation do not fit any filter; works as in Kusto. ${numbersOnly}` },
  }),
];
