import { call, column, integer, literal } from '@millrace/sql';
import type { Expr } from '@millrace/sql';
import { shareSubexpression } from '../../lower/shared-subexpressions.js';
import { defineFunction, param } from '../define.js';
import type { FunctionRecord } from '../define.js';
import { foundPeriod, likenessOfPeriods } from './decompose.js';
import { mapArray, zeroIfNotFinite, mediansOf } from './medians.js';
import { numbersOnly, ofSeries, seriesJson, seriesParam, withZeros } from './series.js';

/** The numbers minus their average, in which periods are found. */
const centerNumbers = (numbers: Expr): Expr =>
  shareSubexpression(zeroIfNotFinite(call('arrayReduce', literal('avg'), numbers)), (average) =>
    mapArray(numbers, 'x', call('minus', column('x'), average)),
  );

export const functions: readonly FunctionRecord[] = [
  defineFunction({
    name: 'series_seasonal',
    summary:
      'What repeats in a series: the median of the numbers at each place of the period; zeros if there is no period.',
    params: [
      seriesParam('series'),
      param('period', 'long', { optional: true, constant: true, within: { min: -1n, max: 100_000n } }),
    ],
    returns: 'array',
    lower: ([series, period]) =>
      ofSeries(series, 'array', (numbers) =>
        shareSubexpression(withZeros(numbers), (all) => {
          const given = typeof period?.constant === 'bigint' ? period.constant : -1n;
          const length =
            given < 0n
              ? foundPeriod(centerNumbers(all), { likeness: likenessOfPeriods })
              : call('toInt64', integer(given));
          return shareSubexpression(length, (found) => seriesJson(mediansOf(all, found, call('length', all))));
        }),
      ),
    examples: [
      {
        apl: 'series_seasonal(dynamic([1, 3, 5, 2, 4, 6, 1, 3, 5, 2, 4, 6]), 3)',
        gives: [1.5, 3.5, 5.5, 1.5, 3.5, 5.5, 1.5, 3.5, 5.5, 1.5, 3.5, 5.5],
      },
      {
        apl: 'series_seasonal(dynamic([3, 1, 2, 3, 1, 2, 3, 1, 2, 3, 1, 2, 3, 1, 2]))',
        gives: [3, 1, 2, 3, 1, 2, 3, 1, 2, 3, 1, 2, 3, 1, 2],
      },
      { apl: 'series_seasonal(dynamic([1, 2, 3, 4]), 0)', gives: [0, 0, 0, 0] },
      { apl: 'series_seasonal(dynamic([]))', gives: [] },
    ],
    differs: {
      axiom: `Not in Axiom. ${numbersOnly}`,
      kusto: 'Periods are found by autocorrelation, up to 400 numbers long. Nulls count as 0.',
    },
  }),
];
