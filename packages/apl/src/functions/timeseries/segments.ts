import { call, column, integer, lambda, literal } from '@millrace/sql';
import type { Expr } from '@millrace/sql';
import { shareSubexpression } from '../../lower/shared-subexpressions.js';
import { defineFunction, composedOf } from '../define.js';
import type { FunctionRecord } from '../define.js';
import { part } from '../json-text.js';
import { numbersOnly, ofSeries, seriesJson, seriesParam, withZeros } from './series.js';

/** The two lines that fit a series best: one up to a number of it, another one from there on. */

const finite = (value: Expr): Expr => call('ifNotFinite', value, call('toFloat64', literal(0)));
const variance = (numbers: Expr): Expr => finite(call('arrayReduce', literal('varPop'), numbers));
const numberPoints = (numbers: Expr): Expr =>
  call('arrayMap', lambda(['i'], call('toFloat64', column('i'))), call('range', call('length', numbers)));

/** Slope, start and the line itself, over the numbers of one part. */
function lineOf(numbers: Expr): Expr {
  const fit = call('arrayReduce', literal('simpleLinearRegression'), numberPoints(numbers), numbers);
  return shareSubexpression(fit, (found) => {
    const [slope, start] = [finite(part(found, 1)), finite(part(found, 2))];
    const at = call('plus', call('multiply', slope, column('i')), start);
    // One number alone, or equal ones, have no slope; the line is their mean.
    const flat = call(
      'arrayWithConstant',
      call('length', numbers),
      finite(call('arrayReduce', literal('avg'), numbers)),
    );
    const line = call('arrayMap', lambda(['i'], at), numberPoints(numbers));
    return call('tuple', slope, start, call('if', call('isFinite', part(found, 1)), line, flat));
  });
}

const rest = (numbers: Expr, line: Expr): Expr =>
  call('arrayMap', lambda(['a', 'b'], call('minus', column('a'), column('b'))), numbers, line);

/** The sum of squared residuals of a line through the numbers. */
const squares = (numbers: Expr): Expr =>
  call('arraySum', lambda(['d'], call('multiply', column('d'), column('d'))), rest(numbers, part(lineOf(numbers), 3)));

const square = (all: Expr, left: Expr): Expr =>
  call(
    'if',
    call('equals', all, literal(0)),
    call('toFloat64', literal(0)),
    call('minus', literal(1), call('divide', left, all)),
  );

/** R-square, slope, interception, variance, variance of the residuals. */
const lineStatistics = (numbers: Expr, line: Expr, from: Expr): readonly Expr[] => {
  const [whole, left] = [variance(numbers), variance(rest(numbers, part(line, 3)))];
  const interception = call('minus', part(line, 2), call('multiply', part(line, 1), from));
  return [square(whole, left), part(line, 1), interception, whole, left];
};

const json = (values: readonly Expr[]): Expr =>
  call(
    'concat',
    literal('['),
    ...values.flatMap((value, i) => (i === 0 ? [value] : [literal(','), value])),
    literal(']'),
  );

function twoLines(numbers: Expr, written: (values: readonly Expr[]) => Expr): Expr {
  const size = call('length', numbers);
  const before = (place: Expr): Expr => call('arraySlice', numbers, integer(1), place);
  const behind = (place: Expr): Expr => call('arraySlice', numbers, call('plus', place, integer(1)));
  // Each part has two numbers at least, if there are four.
  const margin = call('if', call('less', size, integer(4)), integer(1), integer(2));
  const places = call(
    'range',
    margin,
    call('greatest', call('minus', call('plus', call('toInt64', size), integer(1)), margin), margin),
  );
  const cost = call('plus', squares(before(column('at'))), squares(behind(column('at'))));
  const ranked = call('arraySort', lambda(['at'], cost), places);
  return shareSubexpression(call('toUInt64', call('arrayElement', ranked, integer(1))), (place) =>
    shareSubexpression(before(place), (left) =>
      shareSubexpression(behind(place), (right) =>
        shareSubexpression(lineOf(left), (first) =>
          shareSubexpression(lineOf(right), (second) => {
            const line = call('arrayConcat', part(first, 3), part(second, 3));
            const [whole, remaining] = [variance(numbers), variance(rest(numbers, line))];
            const [rightParts, leftParts] = [
              lineStatistics(right, second, call('toFloat64', place)),
              lineStatistics(left, first, integer(0)),
            ];
            const values = [
              square(whole, remaining),
              call('toFloat64', place),
              whole,
              remaining,
              line,
              ...rightParts,
              ...leftParts,
            ];
            return written(values.map((value) => seriesJson(value)));
          }),
        ),
      ),
    ),
  );
}

const values = {
  rsquare: 0,
  split_idx: 1,
  variance: 2,
  rvariance: 3,
  line_fit: 4,
  right_rsquare: 5,
  right_slope: 6,
  right_interception: 7,
  right_variance: 8,
  right_rvariance: 9,
  left_rsquare: 10,
  left_slope: 11,
  left_interception: 12,
  left_variance: 13,
  left_rvariance: 14,
} as const;

const members = (found: readonly Expr[], keys: readonly string[], prefix = ''): readonly Expr[] =>
  keys.flatMap((key, i) => [
    literal(`${i === 0 ? '' : ','}"${key}":`),
    found[values[`${prefix}${key}` as keyof typeof values]]!,
  ]);
const inPart = ['rsquare', 'slope', 'variance', 'rvariance', 'interception'];

/** The properties as an object. */
const object = (found: readonly Expr[]): Expr =>
  call(
    'concat',
    literal('{'),
    ...members(found, ['rsquare', 'split_idx', 'variance', 'rvariance', 'line_fit']),
    literal(',"right":{'),
    ...members(found, inPart, 'right_'),
    literal('},"left":{'),
    ...members(found, inPart, 'left_'),
    literal('}}'),
  );

const differs = {
  axiom: `Not in Axiom. ${numbersOnly}`,
  kusto: 'Places count from the beginning of the series in both lines.',
};
const bent = 'dynamic([1, 2, 3, 4, 10, 8, 6, 4])';

/** Functions that fit lines to parts of a series, or return the properties of a line by name. */
export const functions: readonly FunctionRecord[] = [
  defineFunction({
    name: 'series_fit_2lines',
    values,
    summary:
      'The two lines that fit a series best, one behind the other: an array of r-square, the place where the second begins, variance, residual variance, the lines as a series, and r-square, slope, interception and both variances of the second and of the first.',
    params: [seriesParam('series')],
    returns: 'array',
    lower: ([series]) =>
      ofSeries(series, 'array', (numbers) => shareSubexpression(withZeros(numbers), (all) => twoLines(all, json))),
    examples: [
      {
        apl: `series_fit_2lines(${bent})`,
        gives: [1, 4, 8.1875, 0, [1, 2, 3, 4, 10, 8, 6, 4], 1, -2, 18, 5, 0, 1, 1, 1, 1.25, 0],
        tolerance: 1e-9,
      },
      { apl: 'series_fit_2lines(dynamic([1, 2.2, 2.5, 4.7, 5.0, 12, 10.3, 10.3, 9, 8.3, 6.2]))[1]', gives: 5 },
      { apl: 'series_fit_2lines(dynamic([3, 3]))[4]', gives: [3, 3] },
    ],
    differs: { ...differs, kusto: `${differs.kusto} One array, unless it has no name or several.` },
  }),
  defineFunction({
    name: 'series_fit_2lines_dynamic',
    summary: 'The result of series_fit_2lines as an object; the two lines are in the properties left and right.',
    params: [seriesParam('series')],
    returns: 'bag',
    lower: ([series]) =>
      ofSeries(series, 'bag', (numbers) => shareSubexpression(withZeros(numbers), (all) => twoLines(all, object))),
    examples: [
      { apl: `series_fit_2lines_dynamic(${bent}).right.slope`, gives: -2, tolerance: 1e-9 },
      { apl: `series_fit_2lines_dynamic(${bent}).split_idx`, gives: 4 },
    ],
    differs,
  }),
  composedOf({
    name: 'series_fit_line_dynamic',
    summary: 'What series_fit_line finds, as an object.',
    params: [seriesParam('series')],
    returns: 'bag',
    written: `bag_pack(${['rsquare', 'slope', 'variance', 'rvariance', 'interception', 'line_fit'].map((key, i) => `"${key}", series_fit_line(series)[${i}]`).join(', ')})`,
    examples: [{ apl: 'series_fit_line_dynamic(dynamic([1, 3, 5, 7])).slope', gives: 2, tolerance: 1e-9 }],
    differs: { axiom: differs.axiom },
  }),
];
