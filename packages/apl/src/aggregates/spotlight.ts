import { call, cast, integer, literal, nothing, parametric } from '@millrace/sql';
import type { Expr } from '@millrace/sql';
import { param } from '../functions/define.js';
import type { Lowered } from '../functions/define.js';
import { packBag } from '../lower/values.js';
import type { AggregateRecord } from './define.js';
import { categorical, scoreBag } from './spotlight-values.js';

const RANK_ACCURACY = integer(1_000);

/**
 * `spotlight(selection, field, …)` compares the rows for which the selection is true with the others, field by field. The binder puts the
 * name of each field before it. For numbers it compares the distributions (standardised mean difference, Welch's test), for anything else
 * the shares of the most frequent values (total variation distance, chi-squared test).
 */
const comparison = (selection: Expr, field: Lowered): Expr =>
  field.type === 'long' || field.type === 'real' || field.type === 'timespan'
    ? numeric(selection, field)
    : categorical(selection, field);

const real = (sql: Expr): Lowered => ({ type: 'real', sql: cast(sql, 'Nullable(Float64)') });

function numeric(selection: Expr, { sql, type }: Lowered): Expr {
  const value = type === 'real' ? call('if', call('isFinite', sql), sql, nothing) : call('toFloat64', sql);
  const of = (selected: boolean, name: string, params: readonly Expr[] = []): Expr => {
    const condition = selected ? selection : call('not', selection);
    const kept = call('if', condition, value, nothing);
    return params.length === 0 ? call(name, kept) : parametric(name, params, kept);
  };
  const median = (selected: boolean): Expr => of(selected, 'quantileGKOrNull', [RANK_ACCURACY, literal(0.5)]);
  const pooled = call(
    'sqrt',
    call('divide', call('plus', of(true, 'varSampOrNull'), of(false, 'varSampOrNull')), literal(2)),
  );
  const test = call('welchTTest', value, call('toUInt8', selection));
  const effect = call(
    'divide',
    call('minus', of(true, 'avgOrNull'), of(false, 'avgOrNull')),
    call('nullIf', pooled, literal(0)),
  );
  const [first, second] = [median(true), median(false)];
  return scoreBag({
    p_value: real(
      call('tupleElement', call('ifNull', test, call('tuple', literal(Number.NaN), literal(Number.NaN))), integer(2)),
    ),
    effect_size: real(effect),
    delta_score: real(call('abs', effect)),
    median_relative_change: real(
      call('divide', call('minus', first, second), call('nullIf', call('abs', second), literal(0))),
    ),
    differences: { type: 'array', sql: literal('[]') },
  });
}

export const aggregates: readonly AggregateRecord[] = [
  {
    name: 'spotlight',
    api: 'spotlight',
    summary:
      'How the rows for which a condition is true differ from the others, as scores for each field; * stands for all fields.',
    labelled: true,
    overloads: [
      {
        params: [param('selection', 'bool')],
        rest: param('field', 'any'),
        returns: 'bag',
        lower: ([selection, ...fields]) => {
          const chosen = call('ifNull', selection!.sql, literal(false));
          const pairs = fields.flatMap((name, i) => {
            const field = fields[i + 1];
            return i % 2 === 0 && field !== undefined
              ? [{ key: name, value: { type: 'bag' as const, sql: comparison(chosen, field) } }]
              : [];
          });
          return packBag(pairs);
        },
        check: (args) =>
          args.length < 3 ? { argument: 0, message: 'spotlight needs fields to compare, or *' } : undefined,
      },
    ],
    examples: [
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
