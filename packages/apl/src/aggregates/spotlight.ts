import { call, cast, column, integer, lambda, literal, nullLiteral, parametric } from '@millrace/sql';
import type { Expr } from '@millrace/sql';
import { param } from '../functions/define.js';
import type { LoweredArgument } from '../functions/define.js';
import type { AggregateRecord } from './define.js';
import { categorical, categoricalScores, scoreBag } from './spotlight-values.js';
import { defineAggregateOverload } from './define.js';

const RANK_ACCURACY = integer(1_000);

interface NamedField {
  readonly name: string;
  readonly field: LoweredArgument;
}

/**
 * How fields of one kind are compared: a tuple of measurements per field, and its scores as JSON
 * text.
 */
interface Comparison {
  readonly found: (selection: Expr, field: LoweredArgument) => Expr;
  readonly scores: (found: Expr) => Expr;
}

/**
 * The fields with their scores, as JSON text. Only the aggregates are printed per field; one
 * function of an array computes the scores of all fields of a kind. Printed for each of hundreds of
 * fields, they would take seconds to plan, even for few rows.
 */
function comparisons(selection: Expr, all: readonly NamedField[]): Expr {
  // If a name occurs twice, the last one counts, as in events.
  const last = new Map(all.map(({ name }, i) => [name, i]));
  const fields = all.filter(({ name }, i) => last.get(name) === i);
  const kinds = [values, numbers]
    .map((kind) => ({ ...kind, ofKind: fields.filter(({ field }) => (isNumber(field) ? numbers : values) === kind) }))
    .filter(({ ofKind }) => ofKind.length > 0);
  const members = kinds.map(({ found, scores, ofKind }) =>
    call(
      'arrayMap',
      lambda(['name', 'f'], call('concat', column('name'), scores(column('f')))),
      call('array', ...ofKind.map(({ name }) => literal(`${JSON.stringify(name)}:`))),
      call('array', ...ofKind.map(({ field }) => found(selection, field))),
    ),
  );
  const places = kinds.flatMap(({ ofKind }) => ofKind.map((labeled) => integer(fields.indexOf(labeled))));
  const inOrder = call(
    'arraySort',
    lambda(['member', 'place'], column('place')),
    call('arrayConcat', ...members),
    call('array', ...places),
  );
  return call('concat', literal('{'), call('arrayStringConcat', inOrder, literal(',')), literal('}'));
}

const isNumber = ({ type }: LoweredArgument): boolean => type === 'long' || type === 'real' || type === 'timespan';

const values: Comparison = { found: categorical, scores: categoricalScores };
const numbers: Comparison = { found: numeric, scores: numericScores };

const real = (sql: Expr): LoweredArgument => ({ type: 'real', sql: cast(sql, 'Nullable(Float64)') });

/**
 * Mean, variance and median of a field among the selected rows and the others, and the p value of
 * their test.
 */
function numeric(selection: Expr, { sql, type }: LoweredArgument): Expr {
  const value = type === 'real' ? call('if', call('isFinite', sql), sql, nullLiteral) : call('toFloat64', sql);
  const of = (selected: boolean, name: string, params: readonly Expr[] = []): Expr => {
    const condition = selected ? selection : call('not', selection);
    const kept = call('if', condition, value, nullLiteral);
    return params.length === 0 ? call(name, kept) : parametric(name, params, kept);
  };
  const side = (selected: boolean): readonly Expr[] => [
    of(selected, 'avgOrNull'),
    // Of one value the engine gives infinity, and without `Stable` large numbers lose their digits.
    call('nullIf', of(selected, 'varSampStableOrNull'), literal(Number.POSITIVE_INFINITY)),
    of(selected, 'quantileGKOrNull', [RANK_ACCURACY, literal(0.5)]),
  ];
  const test = call('welchTTest', value, call('toUInt8', selection));
  const p = call(
    'tupleElement',
    call('ifNull', test, call('tuple', literal(Number.NaN), literal(Number.NaN))),
    integer(2),
  );
  return call('tuple', p, ...side(true), ...side(false));
}

function numericScores(found: Expr): Expr {
  const of = (n: number): Expr => call('tupleElement', found, integer(n));
  const [p, mean, variance, median, otherMean, otherVariance, otherMedian] = [1, 2, 3, 4, 5, 6, 7].map(of) as [
    Expr,
    Expr,
    Expr,
    Expr,
    Expr,
    Expr,
    Expr,
  ];
  const pooled = call('sqrt', call('divide', call('plus', variance, otherVariance), literal(2)));
  const effect = call('divide', call('minus', mean, otherMean), call('nullIf', pooled, literal(0)));
  return scoreBag({
    p_value: real(p),
    effect_size: real(effect),
    delta_score: real(call('abs', effect)),
    median_relative_change: real(
      call('divide', call('minus', median, otherMedian), call('nullIf', call('abs', otherMedian), literal(0))),
    ),
    differences: { type: 'array', sql: literal('[]') },
  });
}

export const aggregates: readonly AggregateRecord[] = [
  {
    name: 'spotlight',
    api: 'spotlight',
    // The binder puts the name of each field before it. Numbers are compared by their distributions
    // (standardised mean difference, Welch's test), anything else by the shares of the most
    // frequent values (total variation distance, chi-squared test).
    summary:
      'How the rows for which a condition is true differ from the others, as scores for each field; * stands for all fields.',
    labeled: true,
    overloads: [
      defineAggregateOverload({
        params: [param('selection', 'bool')],
        rest: param('field', 'any'),
        returns: 'bag',
        lower: ([selection, ...fields]) => {
          const chosen = call('ifNull', selection.sql, literal(false));
          const labeled = fields.flatMap((name, i) => {
            const field = fields[i + 1];
            return i % 2 === 0 && field !== undefined ? [{ name: String(name.constant), field }] : [];
          });
          return comparisons(chosen, labeled);
        },
        check: (args) =>
          args.length < 3 ? { argument: 0, message: 'spotlight needs fields to compare, or *' } : undefined,
      }),
    ],
    examples: [
      {
        apl: 'range x from 1 to 100 step 1 | extend y = 1700000000000 + x | summarize s = spotlight(x > 50, x, y) | project s.x.effect_size == s.y.effect_size',
        gives: [true],
      },
      {
        apl: 'range x from 1 to 3 step 1 | summarize s = spotlight(x > 2, x) | project s.x.effect_size',
        gives: [null],
      },
      {
        apl: 'range x from 1 to 100 step 1 | extend m = iff(x > 50, "a", "b") | summarize s = spotlight(x > 50, m, x) | project s.m.effect_size, s.m.differences[0].value, s.m.p_value < 0.001, s.x.median_relative_change > 1',
        gives: [1, 'a', true, true],
      },
      {
        apl: 'range x from 1 to 100 step 1 | extend m = "same" | summarize s = spotlight(x % 2 == 0, m) | project s.m.effect_size',
        gives: [0],
      },
      {
        apl: 'range x from 1 to 20000 step 1 | extend m = tostring(x) | summarize s = spotlight(x % 2 == 0, m) | project s.m.effect_size, s.m.p_value, s.m.differences',
        gives: [0, 1, []],
      },
      {
        apl: 'range x from 1 to 20000 step 1 | extend m = iff(x % 20 == 0, "often", tostring(x)) | summarize s = spotlight(x % 2 == 0, m) | project s.m.differences[0].value, round(s.m.effect_size, 2), s.m.p_value < 0.001, array_length(s.m.differences)',
        gives: ['often', 0.1, true, 1],
      },
      {
        apl: 'range x from 1 to 6000 step 1 | extend m = iff(x == 6, "0", tostring(x % 300)) | summarize s = spotlight(x % 2 == 0, m) | project s.m.effect_size, s.m.p_value < 0.001, array_length(s.m.differences)',
        gives: [1, true, 10],
      },
      {
        apl: 'range x from 1 to 100 step 1 | extend m = iff(x % 4 < 2, "", "b") | summarize s = spotlight(x % 2 == 0, m) | project s.m.effect_size, array_length(s.m.differences), s.m.differences[1].baseline_count',
        gives: [0, 2, 25],
      },
      {
        apl: 'range x from 1 to 400 step 1 | extend m = tostring(x) | summarize s = spotlight(x % 2 == 0, m) | project s.m.effect_size, s.m.p_value, array_length(s.m.differences)',
        gives: [0, 1, 10],
      },
    ],
    differs: {
      axiom:
        'The tests behind the scores are not documented. Here texts are compared by total variation distance and a chi-squared test, numbers by standardised mean difference and Welch’s test.',
    },
  },
];
