import { call, column, integer, lambda, literal, parametric } from '@millrace/sql';
import type { Expr } from '@millrace/sql';
import { param } from '../functions/define.js';
import type { Lowered } from '../functions/define.js';
import { arrayJson } from '../lower/values.js';
import type { AggregateOverload, AggregateRecord } from './define.js';

/**
 * Rank error is at most one in this many, and up to about as many values the result is exact, an element of the data. Memory
 * is bounded, unlike that of exact quantiles.
 */
const ACCURACY = integer(10_000);

const level = (percent: number): Expr => literal(Math.min(1, Math.max(0, percent / 100)));

const numberOf = ({ constant }: Lowered): number =>
  typeof constant === 'bigint' ? Number(constant) : Number(constant ?? 0);

function outside(values: readonly number[], argument: number): { argument: number; message: string } | undefined {
  return values.every((p) => p >= 0 && p <= 100)
    ? undefined
    : { argument, message: 'a percentile is a number from 0 to 100' };
}

const percentile = (type: 'number' | 'timespan'): AggregateOverload => ({
  params: [param('value', type), param('percentile', 'real', { constant: true })],
  returns: type === 'number' ? 'real' : type,
  lower: ([value, percent]) => parametric('quantileGKOrNull', [ACCURACY, level(numberOf(percent!))], value!.sql),
  check: ([, percent]) => outside([numberOf(percent!)], 1),
});

/** The levels, given one by one or as one array. */
function levels(args: readonly Lowered[]): readonly number[] {
  const [first] = args;
  if (args.length !== 1 || typeof first?.constant !== 'string') return args.map(numberOf);
  const list: unknown = JSON.parse(first.constant);
  return Array.isArray(list) ? list.map(Number) : [Number.NaN];
}

const several = (type: 'number' | 'timespan', given: 'separately' | 'as array'): AggregateOverload => ({
  params: [param('value', type), ...(given === 'as array' ? [param('percentiles', 'array', { constant: true })] : [])],
  ...(given === 'separately' ? { rest: param('percentile', 'real', { constant: true }) } : {}),
  returns: 'array',
  lower: ([value, ...percents]) => {
    const wanted = levels(percents);
    const found = parametric('quantilesGK', [ACCURACY, ...wanted.map(level)], call('toFloat64', value!.sql));
    const texts = call('arrayMap', lambda(['q'], call('toString', column('q'))), found);
    const none = literal(`[${wanted.map(() => 'null').join(',')}]`);
    return call('if', call('equals', call('count', value!.sql), integer(0)), none, arrayJson(texts));
  },
  check: ([, ...percents]) =>
    percents.length === 0
      ? { argument: 0, message: 'percentiles_array needs at least one percentile' }
      : outside(levels(percents), 1),
});

export const aggregates: readonly AggregateRecord[] = [
  {
    name: 'percentile',
    api: 'percentiles',
    summary: 'The value below which a percentage of the values lies; null if there are none.',
    overloads: [percentile('number'), percentile('timespan')],
    twin: { name: 'percentileif', api: 'percentilesif', summary: 'A percentile where a condition is true.' },
    examples: [
      { apl: 'range x from 1 to 100 step 1 | summarize percentile(x, 95)', gives: [95] },
      { apl: 'range x from 1 to 100 step 1 | summarize percentileif(x, 50, x > 50)', gives: [75] },
      { apl: 'datatable(a:long)[1] | where a > 1 | summarize percentile(a, 50)', gives: [null] },
      { apl: 'datatable(a:timespan)[1m, 2m, 3m] | summarize p = percentile(a, 50) | project p == 2m', gives: [true] },
    ],
  },
  {
    name: 'percentiles_array',
    api: 'percentiles',
    summary: 'Several percentiles as one array, in the order asked for.',
    overloads: (['number', 'timespan'] as const).flatMap((type) => [
      several(type, 'as array'),
      several(type, 'separately'),
    ]),
    twin: {
      name: 'percentiles_arrayif',
      api: 'percentilesif',
      summary: 'Several percentiles where a condition is true.',
    },
    examples: [
      { apl: 'range x from 1 to 100 step 1 | summarize percentiles_array(x, 25, 50, 95)', gives: [[25, 50, 95]] },
      {
        apl: 'range x from 1 to 100 step 1 | summarize percentiles_arrayif(x, dynamic([50, 90]), x <= 10)',
        gives: [[5, 9]],
      },
      { apl: 'datatable(a:long)[1] | where a > 1 | summarize percentiles_array(a, 50, 95)', gives: [[null, null]] },
    ],
  },
];
