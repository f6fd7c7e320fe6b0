import { and, call, integer, literal, parametric, printExpr } from '@millrace/sql';
import type { Expr } from '@millrace/sql';
import { truncatedReal } from '../functions/conversion/numbers.js';
import { param } from '../functions/define.js';
import type { AboutArgument, LoweredArgument } from '../functions/define.js';
import { packArray } from '../lower/json/members.js';
import type { ScalarType } from '../model/types.js';
import type { AggregateContext, AggregateOverload, AggregateRecord } from './define.js';
import { defineAggregateOverload } from './define.js';

/** Up to this many values the result is exact: one of the values. */
const EXACT = integer(1000);

/**
 * Maximum number of percentiles; charts have fewer points. The SQL grows with the square of their
 * number, because each one looks up its value in the list of all.
 */
const MAX_PERCENTILES = 100;

/** A constant as a number; null, which is not a percentage, as NaN. */
const numberOf = ({ constant }: LoweredArgument): number => Number(constant ?? Number.NaN);

/**
 * Checks the percentages. The error points to the first invalid one, or to the array that contains
 * it.
 */
function outside(values: readonly number[], isArray: boolean): AboutArgument | undefined {
  if (values.length > MAX_PERCENTILES)
    return { argument: 1, message: `there are at most ${MAX_PERCENTILES} percentiles; ${values.length} are given` };
  const wrong = values.findIndex((p) => !(p >= 0 && p <= 100));
  return wrong < 0
    ? undefined
    : { argument: isArray ? 1 : wrong + 1, message: 'a percentile is a number from 0 to 100, such as 95' };
}

/** Fractions, as other languages have them: 0.95 is next to the least value. */
function fractions(values: readonly number[], isArray: boolean): AboutArgument | undefined {
  const at = values.findIndex((p) => p > 0 && p < 1);
  const fraction = values[at];
  if (fraction === undefined) return undefined;
  const percent = Number((fraction * 100).toPrecision(12));
  const message = `percentiles go from 0 to 100, so that ${fraction} is close to the least value; write ${percent}`;
  return { argument: isArray ? 1 : at + 1, message };
}

/**
 * An aggregate over the values that are not null. If rows are grouped, the engine tests for nulls
 * row by row; as a condition of the aggregate it tests all at once, a seventh faster. With a single
 * group it would be a tenth slower.
 */
const ofValues = (name: string, parameters: readonly Expr[], value: Expr, { grouped }: AggregateContext): Expr =>
  grouped
    ? parametric(`${name}If`, parameters, call('assumeNotNull', value), call('isNotNull', value))
    : parametric(name, parameters, value);

/**
 * One of the percentiles of a value; `together` are all of them, which share one state. Beyond
 * `EXACT` values, values are truncated to eight significant binary digits: the result is less than
 * 0.8% closer to zero, regardless of the order and number of values. This takes a third of the time
 * of estimators with a bounded rank error, has no bad cases, and needs memory for at most 65,536
 * different values.
 */
function quantileOf(
  { sql: value, type }: LoweredArgument,
  percent: number,
  together: readonly number[],
  context: AggregateContext,
): Expr {
  const count = call('count', value);
  const place = call('ceil', call('divide', call('multiply', literal(percent), count), integer(100)));
  const first = call('arraySort', ofValues('groupArray', [EXACT], value, context));
  // Percentile 0 is the first value; without values there is none.
  const exact = call('arrayElementOrNull', first, call('toUInt32', percent > 0 ? place : integer(1)));
  const levels = [...new Set(together)].toSorted((a, b) => a - b);
  const fractions = levels.map((p) => literal(Math.min(1, Math.max(0, p / 100))));
  const estimates = ofValues('quantilesBFloat16', fractions, value, context);
  const estimate = call('arrayElement', estimates, integer(levels.indexOf(percent) + 1));
  const isFew = call('lessOrEquals', count, EXACT);
  // A timespan stays a whole number: as a real it would lose nanoseconds beyond a hundred days.
  if (type === 'timespan') return call('if', isFew, exact, truncatedReal(estimate));
  const real = (sql: Expr): Expr => (type === 'real' ? sql : call('toFloat64', sql));
  return call('if', isFew, real(exact), real(estimate));
}

const resultOf = (type: 'number' | 'timespan'): ScalarType => (type === 'number' ? 'real' : type);

const percentile = (type: 'number' | 'timespan'): AggregateOverload =>
  defineAggregateOverload({
    params: [param('value', type), param('percentile', 'real', { constant: true })],
    returns: resultOf(type),
    lower: ([value, percent], context) => {
      const { sql } = value;
      const text = printExpr(sql);
      const levels = (context.together ?? []).flatMap(([other, level]) =>
        other !== undefined && level !== undefined && printExpr(other.sql) === text ? [numberOf(level)] : [],
      );
      const wanted = numberOf(percent);
      return quantileOf(value, wanted, [wanted, ...levels], context);
    },
    check: ([, percent]) => outside([numberOf(percent)], false),
    doubt: ([, percent]) => fractions([numberOf(percent)], false),
  });

/** The percentages, passed as separate arguments or in a single array. */
function levels(args: readonly LoweredArgument[]): readonly number[] {
  const [first] = args;
  if (args.length !== 1 || typeof first?.constant !== 'string') return args.map(numberOf);
  const list: unknown = JSON.parse(first.constant);
  return Array.isArray(list) ? list.map((level) => (typeof level === 'number' ? level : Number.NaN)) : [Number.NaN];
}

const several = (type: 'number' | 'timespan', given: 'separately' | 'as array'): AggregateOverload =>
  defineAggregateOverload({
    params: [
      param('value', type),
      ...(given === 'as array' ? [param('percentiles', 'array', { constant: true })] : []),
    ],
    ...(given === 'separately' ? { rest: param('percentile', 'real', { constant: true }) } : {}),
    returns: 'array',
    lower: ([value, ...percents], context) => {
      const wanted = levels(percents);
      return packArray(
        wanted.map((percent) => ({ type: resultOf(type), sql: quantileOf(value, percent, wanted, context) })),
      );
    },
    check: ([, ...percents]) =>
      percents.length === 0
        ? { argument: 0, message: 'percentiles_array needs at least one percentile' }
        : outside(levels(percents), given === 'as array'),
    doubt: ([, ...percents]) => fractions(levels(percents), given === 'as array'),
  });

export const aggregates: readonly AggregateRecord[] = [
  {
    name: 'percentile',
    fitsIfMissing: true,
    api: 'percentiles',
    summary: 'The value at or below which a percentage of the values lies; null if there are none.',
    differs: {
      axiom:
        'Exact for up to 1000 values; with more, the result may be up to 0.8 % nearer to zero, and null beyond 3.4e38.',
    },
    overloads: [percentile('number'), percentile('timespan')],
    twin: {
      name: 'percentileif',
      api: 'percentilesif',
      summary: 'A percentile of the values where a condition is true.',
    },
    examples: [
      { apl: 'range x from 1 to 100 step 1 | summarize percentile(x, 95)', gives: [95] },
      {
        apl: 'range x from 1 to 5000 step 1 | summarize p = percentile(x, 99), q = percentile(x, 50) | project p > 4910 and p <= 4950, q > 2480 and q <= 2500',
        gives: [true, true],
      },
      { apl: 'range x from 1 to 100 step 1 | summarize percentileif(x, 50, x > 50)', gives: [75] },
      { apl: 'datatable(a:long)[1] | where a > 1 | summarize percentile(a, 50)', gives: [null] },
      { apl: 'datatable(a:timespan)[1m, 2m, 3m] | summarize p = percentile(a, 50) | project p == 2m', gives: [true] },
      {
        apl: 'datatable(a:timespan)[totimespan(9007199254740993)] | summarize p = percentile(a, 50) | project toint(p)',
        gives: [9007199254740993n],
      },
    ],
  },
  {
    name: 'percentiles_array',
    api: 'percentiles',
    summary: 'Several percentiles in an array, in the given order.',
    overloads: (['number', 'timespan'] as const).flatMap((type) => [
      several(type, 'as array'),
      several(type, 'separately'),
    ]),
    twin: {
      name: 'percentiles_arrayif',
      api: 'percentilesif',
      summary: 'Several percentiles of the values where a condition is true, in an array.',
    },
    examples: [
      { apl: 'range x from 1 to 100 step 1 | summarize percentiles_array(x, 25, 50, 95)', gives: [[25, 50, 95]] },
      {
        apl: 'range x from 1 to 100 step 1 | summarize percentiles_arrayif(x, dynamic([50, 90]), x <= 10)',
        gives: [[5, 9]],
      },
      { apl: 'datatable(a:long)[1] | where a > 1 | summarize percentiles_array(a, 50, 95)', gives: [[null, null]] },
      {
        apl: 'datatable(a:timespan)[1s, 3s] | summarize percentiles_array(a, dynamic([50, 100]))',
        gives: [[1_000_000_000, 3_000_000_000]],
      },
      { apl: 'datatable(a:real)[0.0, 1.0, -1.0] | summarize percentiles_array(1 / a, 50, 100)', gives: [[1, null]] },
      { apl: 'datatable(a:real)[1e20, 5.0] | summarize percentiles_array(a, 50, 100)[0]', gives: [5] },
      {
        apl: 'datatable(a:timespan)[1s, 3s] | summarize percentiles_array(a, 50, 100)',
        gives: [[1_000_000_000, 3_000_000_000]],
      },
    ],
  },
  {
    name: 'percentilew',
    fitsIfMissing: true,
    api: 'percentilesw',
    summary: 'The value at or below which a percentage of the values lies, if each occurs as often as its weight says.',
    overloads: [
      defineAggregateOverload({
        params: [param('value', 'number'), param('weight', 'long'), param('percentile', 'real', { constant: true })],
        returns: 'real',
        lower: ([value, weight, percent]) => {
          const isThere = and(call('isNotNull', value.sql), call('greater', weight.sql, integer(0)));
          const weighted = parametric(
            'quantileExactWeightedOrNullIf',
            [literal(numberOf(percent) / 100)],
            call('toFloat64', call('assumeNotNull', value.sql)),
            call('toUInt64', call('greatest', call('ifNull', weight.sql, integer(0)), integer(0))),
            call('ifNull', isThere, literal(false)),
          );
          return weighted;
        },
        check: ([, , percent]) =>
          outside([numberOf(percent)], false) && {
            argument: 2,
            message: 'a percentile is a number from 0 to 100, such as 95',
          },
      }),
    ],
    examples: [
      {
        apl: 'datatable(a:long, w:long)[1, 9, 2, 1] | summarize percentilew(a, w, 50), percentilew(a, w, 95)',
        gives: [1, 2],
      },
      {
        apl: 'datatable(a:real, w:long)[1.5, 1, real(null), 9, 7.0, 0] | summarize percentilew(a, w, 99)',
        gives: [1.5],
      },
      { apl: 'datatable(a:long, w:long)[1, 1] | where a > 1 | summarize percentilew(a, w, 50)', gives: [null] },
    ],
    differs: { axiom: 'Not in Axiom; as in Kusto.' },
  },
];
