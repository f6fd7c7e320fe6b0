import { call, column, lambda } from '@millrace/sql';
import type { Expr } from '@millrace/sql';
import { shareSubexpression } from '../../lower/shared-subexpressions.js';
import { arrayJson } from '../../lower/json/members.js';
import { defineFunction, param } from '../define.js';
import type { Example, FunctionRecord } from '../define.js';
import { elementText, mapElements, nullText, ofArray } from '../array/elements.js';
import { noNumber, numbersOnly, ofSeries, seriesJson, seriesParam } from './series.js';

const knownValue = (name: string): Expr => lambda([name], call('isNotNull', column(name)));

/** Nulls become the previous or next element; other elements of any type stay unchanged. */
const neighbor = (name: string, summary: string, engine: string, examples: readonly Example[]): FunctionRecord =>
  defineFunction({
    name,
    summary,
    params: [seriesParam('series')],
    returns: 'array',
    lower: ([series]) =>
      ofArray(series, 'array', (elements) =>
        arrayJson(call(engine, lambda(['x'], call('notEquals', column('x'), nullText)), elements)),
      ),
    examples,
  });

/**
 * Linear interpolation between the known neighbors; beyond the first and last known number it is
 * constant.
 */
function interpolateNulls(numbers: Expr): Expr {
  const places = call(
    'arrayMap',
    lambda(['x', 'place'], call('if', call('isNull', column('x')), noNumber, call('toFloat64', column('place')))),
    numbers,
    call('arrayEnumerate', numbers),
  );
  const [x, place, x0, x1, at0, at1] = [
    column('x'),
    column('place'),
    column('x0'),
    column('x1'),
    column('at0'),
    column('at1'),
  ];
  const slope = call('divide', call('minus', x1, x0), call('minus', at1, at0));
  const value = call(
    'multiIf',
    call('isNotNull', x),
    x,
    call('isNull', x0),
    x1,
    call('isNull', x1),
    x0,
    call('plus', x0, call('multiply', slope, call('minus', place, at0))),
  );
  return shareSubexpression(places, (at) =>
    call(
      'arrayMap',
      lambda(['x', 'place', 'x0', 'x1', 'at0', 'at1'], value),
      numbers,
      call('arrayEnumerate', numbers),
      call('arrayFill', knownValue('x'), numbers),
      call('arrayReverseFill', knownValue('x'), numbers),
      call('arrayFill', knownValue('x'), at),
      call('arrayReverseFill', knownValue('x'), at),
    ),
  );
}

/** Functions that replace nulls. */
export const functions: readonly FunctionRecord[] = [
  neighbor(
    'series_fill_forward',
    'The series with every null replaced by the last element before it that is not null; nulls at the beginning stay.',
    'arrayFill',
    [
      { apl: 'series_fill_forward(dynamic([null, 150, null, null, 2.5]))', gives: [null, 150, 150, 150, 2.5] },
      { apl: 'series_fill_forward(dynamic(["é", null]))', gives: ['é', 'é'] },
      { apl: 'series_fill_forward(dynamic([]))', gives: [] },
    ],
  ),
  neighbor(
    'series_fill_backward',
    'The series with every null replaced by the next element that is not null; nulls at the end stay.',
    'arrayReverseFill',
    [
      {
        apl: 'series_fill_backward(dynamic([null, 100, null, null, 400, null]))',
        gives: [100, 100, 400, 400, 400, null],
      },
    ],
  ),
  defineFunction({
    name: 'series_fill_const',
    summary: 'The series with every null replaced by a value.',
    handlesNulls: true,
    params: [seriesParam('series'), param('value', 'any')],
    returns: 'array',
    onceEach: true,
    lower: ([series, value]) =>
      ofArray(series, 'array', (elements) =>
        arrayJson(mapElements(elements, 'x', (x) => call('if', call('equals', x, nullText), elementText(value), x))),
      ),
    examples: [
      { apl: 'series_fill_const(dynamic([null, 150, null, 2.5]), 0)', gives: [0, 150, 0, 2.5] },
      { apl: 'series_fill_const(dynamic([null, "a"]), "é")', gives: ['é', 'a'] },
      { apl: 'series_fill_const(dynamic([null]), real(null))', gives: [null] },
      { apl: 'series_fill_const(dynamic({"a": 1}).a, 0)', gives: null },
    ],
  }),
  defineFunction({
    name: 'series_fill_linear',
    summary:
      'The series with every null replaced by linear interpolation between the nearest numbers, at the ends by the nearest number.',
    params: [seriesParam('series')],
    returns: 'array',
    lower: ([series]) => ofSeries(series, 'array', (numbers) => seriesJson(interpolateNulls(numbers))),
    examples: [
      { apl: 'series_fill_linear(dynamic([100, null, null, 400, 1]))', gives: [100, 200, 300, 400, 1] },
      { apl: 'series_fill_linear(dynamic([null, 5, null, -5, null]))', gives: [5, 5, 0, -5, -5] },
      { apl: 'series_fill_linear(dynamic([null, null]))', gives: [null, null] },
      { apl: 'series_fill_linear(dynamic([]))', gives: [] },
    ],
    differs: {
      axiom: numbersOnly,
      kusto:
        'Only nulls are filled, always up to the ends; a series without numbers stays as it is, and whole numbers are not rounded.',
    },
  }),
];
