import { and, call, column, integer, lambda, literal } from '@millrace/sql';
import type { Expr } from '@millrace/sql';
import { shareSubexpression } from '../../lower/shared-subexpressions.js';
import { defineFunction, param } from '../define.js';
import type { Example, FunctionRecord, LoweredArgument, Param } from '../define.js';
import { mapArray, zeroIfNotFinite, mediansOf, arrayIndexes } from './medians.js';
import { numbersOnly, ofSeries, seriesJson, seriesParam, withZeros } from './series.js';

/**
 * Series as the sum of a trend, a periodic part and a residual. The periodic part is the median of
 * the numbers at each position of the period; the trend is a mean or a line through the rest.
 */

/** How the parts of a series are found; all of it is written in the query. */
interface Course {
  /** Numbers a period has: 0 for none, -1 to find it. */
  readonly period: bigint;
  readonly trend: string;
  /** Number of elements at the end that are ignored. */
  readonly unseen: bigint;
  /** How much like itself a series must be after a period that is found. */
  readonly likeness: number;
}

const i = column('i');
const real = (value: Expr): Expr => call('toFloat64', value);
const pairs = (a: Expr, b: Expr, sign: 'plus' | 'minus'): Expr =>
  call('arrayMap', lambda(['a', 'b'], call(sign, column('a'), column('b'))), a, b);

/** The trend over `count` positions. */
function trendOf(seen: Expr, count: Expr, { trend }: Course): Expr {
  const flat = (value: Expr): Expr => call('arrayWithConstant', count, value);
  if (trend === 'none') return flat(real(literal(0)));
  if (trend === 'avg') return flat(zeroIfNotFinite(call('arrayReduce', literal('avg'), seen)));
  const line = call(
    'arrayReduce',
    literal('simpleLinearRegression'),
    mapArray(arrayIndexes(call('length', seen)), 'i', real(i)),
    seen,
  );
  return shareSubexpression(line, (fit) => {
    const part = (n: number): Expr => zeroIfNotFinite(call('tupleElement', fit, integer(n)));
    const [slope, start] = [part(1), part(2)];
    return mapArray(arrayIndexes(count), 'i', call('plus', call('multiply', slope, i), start));
  });
}

/** How much like itself a series must be after a period, unless the query says. */
export const likenessOfPeriods = 0.6;

/** The longest period that is detected. */
const LONGEST = 400;

/** The period with the highest autocorrelation peak, 0 if there is none. */
export function foundPeriod(numbers: Expr, { likeness }: Pick<Course, 'likeness'>): Expr {
  const size = call('length', numbers);
  const product = (lag: Expr): Expr =>
    call(
      'arraySum',
      lambda(['a', 'b'], call('multiply', column('a'), column('b'))),
      call('arraySlice', numbers, integer(1), call('minus', size, lag)),
      call('arraySlice', numbers, call('plus', lag, integer(1))),
    );
  const whole = call('arraySum', lambda(['a'], call('multiply', column('a'), column('a'))), numbers);
  const lags = call(
    'range',
    integer(1),
    call('toUInt64', call('least', call('intDiv', size, integer(2)), integer(LONGEST))),
  );
  // Longer lags have fewer pairs, for which their share makes up.
  const share = call('divide', real(size), call('minus', real(size), column('lag')));
  const alike = mapArray(
    lags,
    'lag',
    zeroIfNotFinite(call('multiply', call('divide', product(column('lag')), whole), share)),
  );
  return shareSubexpression(alike, (curve) => {
    const at = (offset: number): Expr => call('arrayElement', curve, call('plus', column('lag'), integer(offset)));
    const isPeak = and(
      call('greater', column('lag'), integer(1)),
      call('greater', at(0), literal(likeness)),
      call('greater', at(0), at(-1)),
      call('greaterOrEquals', at(0), at(1)),
    );
    const peaks = call('arrayFilter', lambda(['lag'], isPeak), lags);
    return shareSubexpression(peaks, (some) => {
      // Every multiple of a period is a period as well.
      const highest = call('arrayMax', lambda(['lag'], at(0)), some);
      const good = call('greaterOrEquals', at(0), call('multiply', highest, literal(0.95)));
      return call('if', call('empty', some), integer(0), call('arrayFirst', lambda(['lag'], good), some));
    });
  });
}

/** The periodic part, over `count` positions. Periods are found in what the trend leaves. */
function seasonalOf(seen: Expr, count: Expr, execution: Course): Expr {
  if (execution.period === 0n) return call('arrayWithConstant', count, real(literal(0)));
  if (execution.period > 0n) return mediansOf(seen, integer(execution.period), count);
  return shareSubexpression(trendOf(seen, call('length', seen), execution), (trend) =>
    shareSubexpression(foundPeriod(pairs(seen, trend, 'minus'), execution), (period) => mediansOf(seen, period, count)),
  );
}

/** The parts of a series. */
type Parts = readonly [baseline: Expr, seasonal: Expr, trend: Expr, residual: Expr];

const decompose = (numbers: Expr, execution: Course, body: (parts: Parts) => Expr): Expr =>
  shareSubexpression(withZeros(numbers), (all) => {
    const count = call('length', all);
    const seenCount = call('greatest', call('minus', count, integer(execution.unseen)), integer(0));
    const seen = execution.unseen === 0n ? all : call('arraySlice', all, integer(1), seenCount);
    return shareSubexpression(seasonalOf(seen, count, execution), (seasonal) =>
      shareSubexpression(pairs(seen, call('arrayResize', seasonal, call('length', seen)), 'minus'), (rest) =>
        shareSubexpression(trendOf(rest, count, execution), (trend) =>
          shareSubexpression(pairs(trend, seasonal, 'plus'), (baseline) =>
            body([baseline, seasonal, trend, pairs(all, baseline, 'minus')]),
          ),
        ),
      ),
    );
  });

/**
 * Scores by Tukey's test: 0 between two percentiles, beyond these the distance in ranges between
 * them.
 */
const scoresOf = (numbers: Expr, seen: Expr, low: number, high: number): Expr => {
  const percentile = (p: number): Expr =>
    zeroIfNotFinite(call('arrayReduce', literal(`quantileExactInclusive(${p / 100})`), seen));
  return shareSubexpression(percentile(low), (q1) =>
    shareSubexpression(percentile(high), (q3) => {
      // If nearly all numbers are equal, every other number is an outlier.
      const spread = zeroIfNotFinite(call('arrayReduce', literal('stddevPop'), seen));
      const range = call(
        'greatest',
        call('minus', q3, q1),
        call('plus', call('multiply', spread, literal(1e-6)), literal(1e-9)),
      );
      const x = column('x');
      const beyond = (edge: Expr): Expr => call('divide', call('minus', x, edge), range);
      const score = call(
        'multiIf',
        call('greater', x, q3),
        beyond(q3),
        call('less', x, q1),
        beyond(q1),
        real(literal(0)),
      );
      return mapArray(numbers, 'x', score);
    }),
  );
};

const PERCENTILES: Readonly<Record<string, readonly [number, number]>> = { tukey: [25, 75], ctukey: [10, 90] };
const TRENDS = ['avg', 'linefit', 'none'];

const choice = (name: string): Param => param(name, 'string', { optional: true, constant: true });
const count = (name: string, min: bigint, max = 100_000n): Param =>
  param(name, 'long', { optional: true, constant: true, within: { min, max } });
const amount = (name: string): Param => param(name, 'real', { optional: true, constant: true });

const textIn = (arg: LoweredArgument | undefined, otherwise: string): string =>
  typeof arg?.constant === 'string' ? arg.constant : otherwise;
const longIn = (arg: LoweredArgument | undefined, otherwise: bigint): bigint =>
  typeof arg?.constant === 'bigint' ? arg.constant : otherwise;
const realIn = (arg: LoweredArgument | undefined, otherwise: number): number =>
  typeof arg?.constant === 'number' ? arg.constant : otherwise;

/** A check that an argument is one of some words. */
const oneOf =
  (argument: number, words: readonly string[]) =>
  (args: readonly LoweredArgument[]): { readonly argument: number; readonly message: string } | undefined => {
    const given = args[argument]?.constant;
    return typeof given !== 'string' || words.includes(given)
      ? undefined
      : { argument, message: `there is no ${given} here; there are ${words.join(', ')}` };
  };

const differs = {
  axiom: `Not in Axiom. ${numbersOnly}`,
  kusto: 'Periods are found by autocorrelation, up to 400 numbers long. Nulls count as 0.',
} as const;

const season = [3, 1, 2];
const repeatSeason = (times: number): readonly number[] => Array.from({ length: times }, () => season).flat();
const json = (numbers: readonly number[]): string => `dynamic([${numbers.join(', ')}])`;
const spikedSeries = json(repeatSeason(6).with(9, 50));
const flagExamples: readonly Example[] = [
  {
    apl: `series_decompose_anomalies(${spikedSeries}, 1.5, 3)[0]`,
    gives: repeatSeason(6).map((_, at) => (at === 9 ? 1 : 0)),
  },
  { apl: `array_length(series_decompose_anomalies(${json(repeatSeason(3))}))`, gives: 3 },
  { apl: 'series_decompose_anomalies(dynamic([]))', gives: [[], [], []] },
];

const outlierArgs = (args: readonly LoweredArgument[]): readonly [number, number] =>
  PERCENTILES[textIn(args[0], 'ctukey')] ?? [10, 90];

/** Functions that take series apart. */
export const functions: readonly FunctionRecord[] = [
  defineFunction({
    name: 'series_decompose',
    values: { baseline: 0, seasonal: 1, trend: 2, residual: 3 },
    summary:
      'The parts of a series as four series: baseline (the sum of the next two), seasonal (what repeats), trend, residual. Seasonality is the length of a period, 0 for none, -1 to find it; the trend is avg, linefit or none.',
    params: [
      seriesParam('series'),
      count('seasonality', -1n),
      choice('trend'),
      count('testPoints', 0n),
      amount('threshold'),
    ],
    returns: 'array',
    check: oneOf(2, TRENDS),
    lower: ([series, period, trend, unseen, likeness]) =>
      ofSeries(series, 'array', (numbers) =>
        decompose(numbers, courseOf(period, trend, unseen, likeness, 'avg'), (parts) =>
          seriesJson(call('array', ...parts)),
        ),
      ),
    examples: [
      {
        apl: `series_decompose(${json(repeatSeason(3))}, 3)`,
        gives: [repeatSeason(3), repeatSeason(3), repeatSeason(3).map(() => 0), repeatSeason(3).map(() => 0)],
      },
      { apl: `series_decompose(${json(repeatSeason(5))})[1]`, gives: repeatSeason(5) },
      { apl: 'series_decompose(dynamic([1, 3, 1, 3, 1, 9]), 2)[3]', gives: [-1, -1, -1, -1, -1, 5] },
      { apl: 'series_decompose(dynamic([1, 2, 3, 4]), 0, "linefit")[2]', gives: [1, 2, 3, 4] },
      { apl: 'series_decompose(dynamic([]))', gives: [[], [], [], []] },
      { apl: 'series_decompose(dynamic({"a": 1}).a)', gives: null },
    ],
    differs,
  }),
  defineFunction({
    name: 'series_decompose_anomalies',
    values: { ad_flag: 0, ad_score: 1, baseline: 2 },
    summary:
      'Where a series is unusual, as three series: 1 or -1 where it is above or below the expected value, the score, the expected value. A score is how far the residual of series_decompose is beyond a range of percentiles, in such ranges.',
    params: [
      seriesParam('series'),
      amount('threshold'),
      count('seasonality', -1n),
      choice('trend'),
      count('testPoints', 0n),
      choice('method'),
      amount('seasonalityThreshold'),
    ],
    returns: 'array',
    check: (args) => oneOf(3, TRENDS)(args) ?? oneOf(5, Object.keys(PERCENTILES))(args),
    lower: ([series, threshold, period, trend, unseen, method, likeness]) =>
      ofSeries(series, 'array', (numbers) =>
        decompose(numbers, courseOf(period, trend, unseen, likeness, 'avg'), ([baseline, , , residual]) => {
          const min = literal(realIn(threshold, 1.5));
          const size = call(
            'greatest',
            call('minus', call('length', residual), integer(longIn(unseen, 0n))),
            integer(0),
          );
          const seen = call('arraySlice', residual, integer(1), size);
          const [low, high] = outlierArgs(method === undefined ? [] : [method]);
          return shareSubexpression(scoresOf(residual, seen, low, high), (scores) => {
            const s = column('s');
            const flag = call(
              'multiIf',
              call('greater', s, min),
              integer(1),
              call('less', s, call('negate', min)),
              integer(-1),
              integer(0),
            );
            return seriesJson(call('array', mapArray(scores, 's', real(flag)), scores, baseline));
          });
        }),
      ),
    examples: flagExamples,
    differs: { ...differs, kusto: `${differs.kusto} Scores have another scale.` },
  }),
  defineFunction({
    name: 'series_decompose_forecast',
    summary: 'The forecast of a series whose last points are unknown: trend and seasonality of the numbers before.',
    params: [
      seriesParam('series'),
      param('points', 'long', { constant: true, within: { min: 0n } }),
      count('seasonality', -1n),
      choice('trend'),
      amount('threshold'),
    ],
    returns: 'array',
    check: oneOf(3, TRENDS),
    lower: ([series, points, period, trend, likeness]) =>
      ofSeries(series, 'array', (numbers) =>
        decompose(numbers, courseOf(period, trend, points, likeness, 'linefit'), ([baseline]) => seriesJson(baseline)),
      ),
    examples: [
      { apl: 'series_decompose_forecast(dynamic([1, 2, 3, 0, 0]), 2, 0)', gives: [1, 2, 3, 4, 5] },
      { apl: `series_decompose_forecast(${json([...repeatSeason(4), 0, 0, 0])}, 3, 3, "avg")`, gives: repeatSeason(5) },
    ],
    differs,
  }),
  defineFunction({
    name: 'series_outliers',
    summary:
      'How unusual each number of a series is: 0 between two percentiles, beyond these the distance in ranges between them. The method is ctukey (the 10th and 90th, or others) or tukey (the 25th and 75th).',
    params: [seriesParam('series'), choice('method'), amount('ignored'), amount('low'), amount('high')],
    returns: 'array',
    check: oneOf(1, Object.keys(PERCENTILES)),
    lower: ([series, method, , low, high]) =>
      ofSeries(series, 'array', (numbers) => {
        const [from, to] = outlierArgs(method === undefined ? [] : [method]);
        return shareSubexpression(withZeros(numbers), (all) =>
          seriesJson(scoresOf(all, all, realIn(low, from), realIn(high, to))),
        );
      }),
    examples: [
      {
        apl: 'series_outliers(dynamic([1, 2, 3, 4, 5, 6, 7, 8, 9, 100, 11]), "tukey")',
        gives: [-0.5, -0.3, -0.1, 0, 0, 0, 0, 0, 0.1, 18.3, 0.5],
        tolerance: 1e-9,
      },
      { apl: 'series_outliers(dynamic([]))', gives: [] },
    ],
    differs: { axiom: `Not in Axiom. ${numbersOnly}`, kusto: 'Scores have another scale. Nulls count as 0.' },
  }),
  defineFunction({
    name: 'series_fit_line',
    values: { rsquare: 0, slope: 1, variance: 2, rvariance: 3, interception: 4, line_fit: 5 },
    summary:
      'The line through a series: an array of r-square, slope, variance of the numbers, residual variance, interception, and the line as a series.',
    params: [seriesParam('series')],
    returns: 'array',
    lower: ([series]) =>
      ofSeries(series, 'array', (numbers) =>
        decompose(numbers, { period: 0n, trend: 'linefit', unseen: 0n, likeness: 1 }, ([line, , , residual]) =>
          shareSubexpression(line, (fit) => {
            const all = pairs(fit, residual, 'plus');
            const variance = (of: Expr): Expr => zeroIfNotFinite(call('arrayReduce', literal('varPop'), of));
            const at = (n: number): Expr =>
              zeroIfNotFinite(call('ifNull', call('arrayElementOrNull', fit, integer(n)), literal(0)));
            const slope = call(
              'if',
              call('greater', call('length', fit), integer(1)),
              call('minus', at(2), at(1)),
              literal(0),
            );
            const rsquare = call(
              'if',
              call('equals', variance(all), literal(0)),
              literal(0),
              call('minus', literal(1), call('divide', variance(residual), variance(all))),
            );
            const numbersJson = [rsquare, slope, variance(all), variance(residual), at(1)].map((value) =>
              seriesJson(real(value)),
            );
            const parts = [...numbersJson, seriesJson(fit)].flatMap((part, at2) =>
              at2 === 0 ? [part] : [literal(','), part],
            );
            return call('concat', literal('['), ...parts, literal(']'));
          }),
        ),
      ),
    examples: [
      { apl: 'series_fit_line(dynamic([1, 3, 5, 7]))', gives: [1, 2, 5, 0, 1, [1, 3, 5, 7]], tolerance: 1e-9 },
      { apl: 'series_fit_line(dynamic([2, 2]))', gives: [0, 0, 0, 0, 2, [2, 2]] },
    ],
    differs: { axiom: `Not in Axiom. ${numbersOnly}`, kusto: 'One array, unless it has no name or several.' },
  }),
];

function courseOf(
  period: LoweredArgument | undefined,
  trend: LoweredArgument | undefined,
  unseen: LoweredArgument | undefined,
  likeness: LoweredArgument | undefined,
  otherwise: string,
): Course {
  return {
    period: longIn(period, -1n),
    trend: textIn(trend, otherwise),
    unseen: longIn(unseen, 0n),
    likeness: realIn(likeness, likenessOfPeriods),
  };
}
