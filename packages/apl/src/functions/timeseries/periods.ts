import { and, call, column, integer, lambda, literal } from '@millrace/sql';
import type { Expr } from '@millrace/sql';
import { shareSubexpression } from '../../lower/shared-subexpressions.js';
import { whereAll } from '../../lower/equality.js';
import { defineFunction, param } from '../define.js';
import type { FunctionRecord } from '../define.js';
import { numbersOnly, ofSeries, seriesJson, seriesParam, withZeros } from './series.js';

/**
 * How much a series is like itself some numbers later: the correlation of all but its end with all
 * but its beginning, 0 if that is negative.
 */

const MIN = 4;

/** Maximum analyzed length of a series: the time grows with the square. */
const LONGEST = 10_000;

const zero = call('toFloat64', literal(0));

/**
 * The correlation after `lag` numbers; 0 unless the period has four numbers and the series two
 * periods.
 */
function likeness(numbers: Expr, lag: Expr): Expr {
  const size = call('length', numbers);
  const fits = and(
    call('greaterOrEquals', lag, integer(MIN)),
    // Twice a very large number would be a small one.
    call('lessOrEquals', lag, call('intDiv', size, integer(2))),
  );
  const distance = call('toInt64', call('if', fits, lag, integer(0)));
  const correlation = call(
    'arrayReduce',
    literal('corr'),
    call('arraySlice', numbers, integer(1), call('minus', call('toInt64', size), distance)),
    call('arraySlice', numbers, call('plus', distance, integer(1))),
  );
  // A lower correlation happens by chance with a probability of 5%.
  const chance = call('divide', literal(1.96), call('sqrt', size));
  return call(
    'if',
    fits,
    shareSubexpression(call('ifNotFinite', correlation, zero), (r) => call('if', call('greater', r, chance), r, zero)),
    zero,
  );
}

const two = (periods: Expr, scores: Expr): Expr => seriesJson(call('array', periods, scores));
const reals = (array: Expr): Expr => call('arrayMap', lambda(['x'], call('toFloat64', column('x'))), array);

/** Periods at which the likeness has a peak, the most alike first, and their scores. */
function detectPeriods(numbers: Expr, min: Expr, max: Expr, count: Expr): Expr {
  const whole = (value: Expr): Expr =>
    call(
      'toInt64',
      call('least', call('greatest', value, call('toFloat64', integer(MIN))), call('toFloat64', integer(LONGEST))),
    );
  const from = whole(call('ceil', min));
  const half = call('toInt64', call('intDiv', call('length', numbers), integer(2)));
  const to = call('least', whole(call('floor', max)), half);
  const lags = call('range', from, call('greatest', call('plus', to, integer(1)), from));
  const scored = call(
    'arrayMap',
    lambda(['lag'], call('tuple', column('lag'), likeness(numbers, column('lag')))),
    lags,
  );
  return shareSubexpression(scored, (curve) => {
    const score = (at: Expr): Expr => call('tupleElement', at, integer(2));
    const here = score(column('point'));
    // Beyond the ends the neighbor is the default of a tuple, whose score is 0.
    const neighbor = (offset: number): Expr =>
      score(call('arrayElement', curve, call('plus', column('place'), integer(offset))));
    const before = call('if', call('equals', column('place'), integer(1)), zero, neighbor(-1));
    const isPeak = and(
      call('greater', here, literal(0)),
      call('greater', here, before),
      call('greaterOrEquals', here, neighbor(1)),
    );
    const peaks = call('arrayFilter', lambda(['point', 'place'], isPeak), curve, call('arrayEnumerate', curve));
    const period = (point: string): Expr => call('tupleElement', column(point), integer(1));
    // Every multiple of a period is a period as well.
    const past = call('modulo', call('plus', period('point'), integer(1)), period('other'));
    const isMultiple = and(
      call('less', period('other'), period('point')),
      call('lessOrEquals', past, integer(2)),
      call('greater', score(column('other')), call('multiply', score(column('point')), literal(0.8))),
    );
    const ranked = shareSubexpression(peaks, (all) =>
      call(
        'arraySort',
        lambda(['point'], call('tuple', call('negate', score(column('point'))), period('point'))),
        call(
          'arrayFilter',
          lambda(['point'], call('not', call('arrayExists', lambda(['other'], isMultiple), all))),
          all,
        ),
      ),
    );
    return shareSubexpression(
      call('arrayResize', ranked, count, call('tuple', call('toInt64', integer(0)), zero)),
      (best) =>
        two(
          call(
            'arrayMap',
            lambda(['point'], call('toFloat64', call('tupleElement', column('point'), integer(1)))),
            best,
          ),
          call('arrayMap', lambda(['point'], score(column('point'))), best),
        ),
    );
  });
}

const firstNumbers = (numbers: Expr): Expr => call('arraySlice', withZeros(numbers), integer(1), integer(LONGEST));

const traffic =
  'dynamic([80, 139, 87, 110, 68, 54, 50, 51, 53, 133, 86, 141, 97, 156, 94, 149, 95, 140, 77, 61, 50, 54, 47, 133, 72, 152, 94, 148, 105, 162, 101, 160, 87, 63, 53, 55, 54, 151, 103, 189, 108, 183, 113, 175, 113, 178, 90, 71, 62, 62, 65, 165, 109, 181, 115, 182, 121, 178, 114, 170])';

const differs = {
  axiom: `Not in Axiom. ${numbersOnly}`,
  kusto: `Scores are correlations, so they differ somewhat. Nulls count as 0; of a series of more than ${LONGEST} numbers the first ones count. One array, unless it has no name or several.`,
};

/** Functions that detect periods. */
export const functions: readonly FunctionRecord[] = [
  defineFunction({
    name: 'series_periods_detect',
    values: { periods: 0, scores: 1 },
    summary:
      'The periods with which a series repeats, of that length at least and at most, the clearest first: an array of as many periods, and one of their scores between 0 and 1; 0 where there are no more.',
    params: [
      seriesParam('series'),
      param('least', 'real'),
      param('most', 'real'),
      param('count', 'long', { constant: true, within: { min: 1n, max: 1000n } }),
    ],
    returns: 'array',
    lower: ([series, min, max, count]) =>
      ofSeries(series, 'array', (numbers) =>
        whereAll(
          [min.sql, max.sql],
          shareSubexpression(firstNumbers(numbers), (all) => detectPeriods(all, min.sql, max.sql, count.sql)),
        ),
      ),
    examples: [
      { apl: `series_periods_detect(${traffic}, 0.0, 50.0, 1)[0]`, gives: [14] },
      {
        apl: 'series_periods_detect(dynamic([1, 2, 3, 4, 1, 2, 3, 4, 1, 2, 3, 4]), 2, 6, 2)',
        gives: [
          [4, 0],
          [1, 0],
        ],
        tolerance: 1e-9,
      },
      { apl: 'series_periods_detect(dynamic([1, 1, 1, 1, 1, 1, 1, 1]), 1, 10, 1)', gives: [[0], [0]] },
      { apl: 'series_periods_detect(dynamic([]), 1, 10, 1)', gives: [[0], [0]] },
    ],
    differs,
  }),
  defineFunction({
    name: 'series_periods_validate',
    values: { periods: 0, scores: 1 },
    summary:
      'Whether a series repeats with given periods: an array of the periods, and one of their scores between 0 and 1; 0 for periods of less than 4 numbers and of more than half of the series.',
    params: [seriesParam('series'), param('period', 'real')],
    rest: param('period', 'real'),
    returns: 'array',
    lower: ([series, ...periods]) =>
      ofSeries(series, 'array', (numbers) =>
        whereAll(
          periods.map(({ sql }) => sql),
          shareSubexpression(firstNumbers(numbers), (all) =>
            shareSubexpression(call('array', ...periods.map(({ sql }) => call('toFloat64', sql))), (given) => {
              const near = (offset: number): Expr =>
                likeness(all, call('plus', call('toInt64', call('round', column('x'))), integer(offset)));
              // A value that is not a peak repeats with a different period.
              const isPeak = and(call('greaterOrEquals', near(0), near(-1)), call('greaterOrEquals', near(0), near(1)));
              return two(reals(given), call('arrayMap', lambda(['x'], call('if', isPeak, near(0), zero)), given));
            }),
          ),
        ),
      ),
    examples: [
      { apl: `series_periods_validate(${traffic}, 14.0, 10.0)[0]`, gives: [14, 10] },
      { apl: `series_periods_validate(${traffic}, 14.0, 10.0)[1][0] > 0.8`, gives: true },
      { apl: `series_periods_validate(${traffic}, 14.0, 10.0)[1][1]`, gives: 0 },
      {
        apl: 'series_periods_validate(dynamic([1, 2, 3, 4, 1, 2, 3, 4]), 4, 2, 5)[1]',
        gives: [1, 0, 0],
        tolerance: 1e-9,
      },
    ],
    differs,
  }),
];
