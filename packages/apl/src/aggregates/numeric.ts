import { call, literal, nullLiteral } from '@millrace/sql';
import type { Expr } from '@millrace/sql';
import { truncatedReal } from '../functions/conversion/numbers.js';
import { param } from '../functions/define.js';
import { instant, nanoseconds } from '../lower/values.js';
import type { ScalarType } from '../model/types.js';
import {
  defineAggregateOverload,
  type AggregateContext,
  type AggregateOverload,
  type AggregateRecord,
  nullWithoutRows,
} from './define.js';

/** The type of the only argument. */
const same = (types: readonly ScalarType[]): ScalarType => types[0] ?? 'real';

const over = (
  type: ScalarType | 'number',
  returns: AggregateOverload['returns'],
  lower: (value: Expr, context: AggregateContext) => Expr,
): AggregateOverload =>
  defineAggregateOverload({
    params: [param('value', type)],
    returns,
    lower: ([value], context) => lower(value.sql, context),
  });

/** The engine's sum of no values is null; in the language it is 0. */
const sum = (value: Expr): Expr => call('ifNull', call('sum', value), literal(0n));
const orNull =
  (name: string) =>
  (value: Expr, context: AggregateContext): Expr =>
    call(nullWithoutRows(name, context), value);

/**
 * The engine adds integers up as integers, and the sum of a few instants in nanoseconds exceeds 64
 * bits.
 */
const mean = (value: Expr, context: AggregateContext): Expr => orNull('avg')(call('toFloat64', value), context);

/**
 * The mean of timespans near the ends of 64 bits is a real beyond them: null, as every timespan
 * that does not fit.
 */
const meanSpan = (value: Expr, context: AggregateContext): Expr => truncatedReal(mean(value, context));

type Spread = 'stddevSamp' | 'varSamp' | 'stddevPop' | 'varPop';

/**
 * Without `Stable` the engine subtracts two sums of squares: numbers that are large and close
 * together, such as times, lose all their digits, and infinity counts as null. For a sample of
 * one value it gives infinity, which is not null.
 */
const spreadOf =
  (name: Spread) =>
  (value: Expr, context: AggregateContext): Expr => {
    const stable = orNull(`${name}Stable`)(value, context);
    return name.endsWith('Samp')
      ? call('if', call('greater', call('count', value), literal(1n)), stable, nullLiteral)
      : stable;
  };

const spread = (name: Spread): readonly AggregateOverload[] => [
  over('number', 'real', spreadOf(name)),
  over('timespan', 'real', spreadOf(name)),
];

/**
 * In groups as integers: once the engine has compiled `min` and `max`, which it never does with
 * `OrNull`, instants before 1970 count as the latest.
 */
const extremeInstant =
  (name: 'min' | 'max') =>
  (value: Expr, context: AggregateContext): Expr =>
    context.grouped ? instant(call(name, nanoseconds(value))) : orNull(name)(value, context);

const extreme = (name: 'min' | 'max'): readonly AggregateOverload[] => [
  ...(['number', 'timespan', 'string', 'bool'] as const).map((type) => over(type, same, orNull(name))),
  over('datetime', same, extremeInstant(name)),
];

/**
 * The type of a column does not depend on the data, and charts and orders need numbers: so no text
 * stands in for a number that is not there.
 */
const onlyNumbers = (name: 'min' | 'max'): string =>
  `Of dynamic values only numbers count; ${name}(tostring(a)) compares texts.`;

function bitwise(name: string, summary: string, engine: string, gives: number): AggregateRecord {
  return {
    name,
    api: name,
    summary: `${summary} Null if there are none.`,
    overloads: [over('long', 'long', orNull(engine))],
    examples: [
      { apl: `datatable(a:long)[12, 10, long(null)] | summarize ${name}(a)`, gives: [gives] },
      { apl: `datatable(a:long)[1] | where a > 1 | summarize ${name}(a)`, gives: [null] },
    ],
    differs: { axiom: 'Not in Axiom; as in Kusto.' },
  };
}

export const aggregates: readonly AggregateRecord[] = [
  {
    name: 'sum',
    fitsIfMissing: true,
    api: 'sum',
    summary: 'The sum of the values; 0 if there are none.',
    overloads: [over('number', same, sum), over('timespan', 'timespan', sum)],
    ofNumbers: 'sum',
    twin: { name: 'sumif', api: 'sumif', summary: 'The sum of the values where a condition is true.' },
    examples: [
      { apl: 'datatable(a:long)[1, 2, long(null)] | summarize sum(a)', gives: [3] },
      { apl: 'datatable(a:real)[0.5, 2] | summarize sum(a)', gives: [2.5] },
      { apl: 'datatable(a:timespan)[1h, 30m] | summarize s = sum(a) | project s == 90m', gives: [true] },
      { apl: 'datatable(a:long)[1, 2, 3] | summarize sumif(a, a != 2)', gives: [4] },
      { apl: 'datatable(a:long)[1] | summarize sumif(a, a > 1)', gives: [0] },
    ],
  },
  {
    name: 'avg',
    fitsIfMissing: true,
    api: 'avg',
    summary: 'The arithmetic mean of the values; null if there are none.',
    overloads: [over('number', 'real', mean), over('timespan', 'timespan', meanSpan)],
    twin: { name: 'avgif', api: 'avgif', summary: 'The mean of the values where a condition is true.' },
    examples: [
      { apl: 'datatable(a:long)[1, 2, long(null)] | summarize avg(a)', gives: [1.5] },
      { apl: 'datatable(a:timespan)[1h, 30m] | summarize s = avg(a) | project s == 45m', gives: [true] },
      { apl: 'datatable(a:long)[1, 2, 3] | summarize avgif(a, a != 2)', gives: [2] },
      { apl: 'datatable(a:long)[1] | where a > 1 | summarize avg(a)', gives: [null] },
      {
        apl: 'datatable(a:long)[9223372036854775807, 9223372036854775807] | summarize avg(a)',
        gives: [2 ** 63],
      },
      { apl: 'datatable(a:timespan)[totimespan(9223372036854775807)] | summarize avg(a)', gives: [null] },
    ],
  },
  {
    name: 'min',
    fitsIfMissing: true,
    api: 'min',
    summary: `The smallest or earliest value, or the first text in byte order; null if there are none. ${onlyNumbers('min')}`,
    overloads: extreme('min'),
    ofNumbers: 'extreme',
    twin: { name: 'minif', api: 'minif', summary: 'The smallest value where a condition is true.' },
    examples: [
      { apl: 'datatable(a:long)[3, 2, long(null)] | summarize min(a)', gives: [2] },
      { apl: 'datatable(a:string)["b", "a"] | summarize min(a)', gives: ['a'] },
      {
        apl: 'datatable(a:datetime)[datetime(2024-01-02), datetime(2024-01-01)] | summarize min(a)',
        gives: ['2024-01-01T00:00:00Z'],
      },
      { apl: 'datatable(a:timespan)[1m, 59s] | summarize m = min(a) | project m == 59s', gives: [true] },
      { apl: 'datatable(a:bool)[true, false] | summarize min(a)', gives: [false] },
      { apl: 'datatable(a:long)[1, 2] | summarize minif(a, a > 1)', gives: [2] },
      { apl: 'datatable(a:long)[1] | where a > 1 | summarize min(a)', gives: [null] },
      {
        apl: 'datatable(k:long, a:long)[1, long(null), 2, 5] | summarize min(a), avg(a), stdevp(a), take_any(a) by k | order by k asc',
        gives: [1, null, null, null, null],
      },
      {
        apl: 'datatable(k:long, t:datetime)[1, datetime(1960-01-01), 1, datetime(2024-01-01)] | summarize min(t), max(t) by k',
        gives: [1, '1960-01-01T00:00:00Z', '2024-01-01T00:00:00Z'],
      },
      {
        apl: 'datatable(k:long, t:datetime)[1, datetime(2024-01-01)] | summarize min(t), minif(t, k > 1) by k',
        gives: [1, '2024-01-01T00:00:00Z', null],
      },
    ],
  },
  {
    name: 'max',
    fitsIfMissing: true,
    api: 'max',
    summary: `The greatest or latest value, or the last text in byte order; null if there are none. ${onlyNumbers('max')}`,
    overloads: extreme('max'),
    ofNumbers: 'extreme',
    twin: { name: 'maxif', api: 'maxif', summary: 'The greatest value where a condition is true.' },
    examples: [
      { apl: 'datatable(a:long)[3, 2, long(null)] | summarize max(a)', gives: [3] },
      {
        apl: 'datatable(a:datetime)[datetime(2024-01-01), datetime(2024-01-02)] | summarize max(a)',
        gives: ['2024-01-02T00:00:00Z'],
      },
      { apl: 'datatable(a:bool)[true, false] | summarize max(a)', gives: [true] },
      { apl: 'datatable(a:timespan)[1m, 59s] | summarize m = max(a) | project m == 1m', gives: [true] },
      { apl: 'datatable(a:long)[1, 2] | summarize maxif(a, a < 2)', gives: [1] },
      { apl: 'datatable(a:string)["b", "ä", ""] | summarize max(a)', gives: ['ä'] },
      {
        apl: 'datatable(a:dynamic)[dynamic(9), dynamic(10), dynamic("z")] | summarize max(a), max(tostring(a))',
        gives: [10, 'z'],
      },
    ],
  },
  {
    name: 'stdev',
    fitsIfMissing: true,
    api: 'stdev',
    summary: 'The standard deviation of the values as a sample; null for fewer than two values.',
    overloads: spread('stddevSamp'),
    twin: {
      name: 'stdevif',
      api: 'stdevif',
      summary: 'The standard deviation of the values where a condition is true.',
    },
    examples: [
      { apl: 'datatable(a:long)[2, 4, 4, 4, 5, 5, 7, 9] | summarize stdev(a)', gives: [2.138089935299395] },
      { apl: 'datatable(a:long)[1] | summarize stdev(a)', gives: [null] },
      { apl: 'datatable(a:long)[1, 2, 3, 100] | summarize stdevif(a, a < 10)', gives: [1] },
      { apl: 'datatable(a:timespan)[1s, 3s] | summarize stdev(a)', gives: [1414213562.373095] },
      { apl: 'datatable(a:long)[1700000000000, 1700000000001, 1700000000002] | summarize stdev(a)', gives: [1] },
      { apl: 'datatable(a:real)[1, 2, 0] | summarize stdev(1 / a)', gives: [null] },
    ],
    differs: { kusto: 'Null instead of 0 for one value.' },
  },
  {
    name: 'variance',
    fitsIfMissing: true,
    api: 'variance',
    summary: 'The variance of the values as a sample; null for fewer than two values.',
    overloads: spread('varSamp'),
    twin: { name: 'varianceif', api: 'varianceif', summary: 'The variance of the values where a condition is true.' },
    examples: [
      { apl: 'datatable(a:long)[1, 2, 3] | summarize variance(a)', gives: [1] },
      { apl: 'datatable(a:long)[1, 3, 100] | summarize varianceif(a, a < 10)', gives: [2] },
      { apl: 'datatable(a:long)[1] | where a > 1 | summarize variance(a)', gives: [null] },
      { apl: 'datatable(a:timespan)[1s, 3s] | summarize variance(a)', gives: [2e18] },
      { apl: 'datatable(k:long, a:real)[1, 1e9, 1, 1000000001] | summarize variance(a) by k', gives: [1, 0.5] },
    ],
    differs: { kusto: 'Null instead of 0 for one value.' },
  },
  bitwise('binary_all_and', 'The bits that are set in all values.', 'groupBitAnd', 8),
  bitwise('binary_all_or', 'The bits that are set in at least one value.', 'groupBitOr', 14),
  bitwise('binary_all_xor', 'The bits that are set in an odd number of values.', 'groupBitXor', 6),
  {
    name: 'stdevp',
    fitsIfMissing: true,
    api: 'stdev',
    summary: 'The standard deviation of the values as a whole population.',
    overloads: spread('stddevPop'),
    twin: {
      name: 'stdevpif',
      api: 'stdevif',
      summary: 'The standard deviation, as a whole population, of the values where a condition is true.',
    },
    examples: [
      { apl: 'datatable(a:long)[2, 4, 4, 4, 5, 5, 7, 9] | summarize stdevp(a)', gives: [2] },
      { apl: 'datatable(a:timespan)[1s, 3s] | summarize stdevp(a)', gives: [1000000000] },
      { apl: 'datatable(a:long)[1700000000001, 1700000000003] | summarize stdevp(a)', gives: [1] },
      { apl: 'datatable(a:long)[1700000000001] | summarize stdevp(a)', gives: [0] },
      { apl: 'datatable(a:long)[1, 3, 9] | summarize stdevpif(a, a < 9)', gives: [1] },
    ],
    differs: { axiom: 'Not in Axiom; as in Kusto.' },
  },
  {
    name: 'variancep',
    fitsIfMissing: true,
    api: 'variance',
    summary: 'The variance of the values as a whole population.',
    overloads: spread('varPop'),
    twin: {
      name: 'variancepif',
      api: 'varianceif',
      summary: 'The variance, as a whole population, of the values where a condition is true.',
    },
    examples: [
      { apl: 'datatable(a:long)[1, 3] | summarize variancep(a)', gives: [1] },
      { apl: 'datatable(a:timespan)[1s, 3s] | summarize variancep(a)', gives: [1e18] },
      { apl: 'datatable(a:long)[1700000000001, 1700000000003] | summarize variancep(a)', gives: [1] },
      { apl: 'datatable(a:long)[1, 3, 9] | summarize variancepif(a, a < 9)', gives: [1] },
    ],
    differs: { axiom: 'Not in Axiom; as in Kusto.' },
  },
  ...(['covariance', 'covariancep'] as const).map((name): AggregateRecord => {
    const isSample = name === 'covariance';
    const which = isSample ? 'of a sample' : 'of a whole population';
    return {
      name,
      api: name,
      summary: `How two values vary together: their covariance, ${which}.`,
      overloads: [
        {
          params: [param('first', 'real'), param('second', 'real')],
          returns: 'real',
          lower: ([a, b], context) =>
            call(nullWithoutRows(isSample ? 'covarSampStable' : 'covarPopStable', context), a!.sql, b!.sql),
        },
      ],
      twin: { name: `${name}if`, api: `${name}if`, summary: `As ${name}, of the rows where a condition is true.` },
      examples: [
        {
          apl: `datatable(x:real, y:real)[1, 2, 2, 4, 3, 6] | summarize ${name}(x, y)`,
          gives: [isSample ? 2 : 4 / 3],
          tolerance: 1e-9,
        },
        {
          apl: `datatable(x:real, y:real)[1, 2, 2, 4, 3, 6, 9, 0] | summarize ${name}if(x, y, x < 9)`,
          gives: [isSample ? 2 : 4 / 3],
          tolerance: 1e-9,
        },
        { apl: `datatable(x:real, y:real)[] | summarize ${name}(x, y)`, gives: [null] },
      ],
      differs: { axiom: 'Not in Axiom; as in Kusto.' },
    };
  }),
];
