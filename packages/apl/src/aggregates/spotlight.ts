import { call, cast, column, integer, lambda, literal, nothing, parametric } from '@millrace/sql';
import type { Expr } from '@millrace/sql';
import { param } from '../functions/define.js';
import type { Lowered } from '../functions/define.js';
import { asString, arrayJson, packBag } from '../lower/values.js';
import type { AggregateRecord } from './define.js';

/** Values of a field that are compared: the most frequent ones of either side. */
const VALUES = 20;
const RANK_ACCURACY = integer(1_000);

/**
 * `spotlight(selection, field, …)` compares the rows for which the selection is true with the others, field by field. The binder puts the
 * name of each field before it. For texts the shares of the most frequent values are compared (total variation distance, chi-squared
 * test), for numbers the distributions (standardised mean difference, Welch's test).
 */
function comparison(selection: Expr, field: Lowered): Expr {
  const parts =
    field.type === 'long' || field.type === 'real' || field.type === 'timespan'
      ? numeric(selection, field)
      : categorical(selection, field);
  return packBag(parts.map(([key, value]) => ({ key: { type: 'string', constant: key, sql: literal(key) }, value })));
}

type Parts = readonly (readonly [string, Lowered])[];
const real = (sql: Expr): Lowered => ({ type: 'real', sql: cast(sql, 'Nullable(Float64)') });
const none: Lowered = { type: 'real', constant: null, sql: nothing };

function numeric(selection: Expr, { sql, type }: Lowered): Parts {
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
  return [
    [
      'p_value',
      real(
        call('tupleElement', call('ifNull', test, call('tuple', literal(Number.NaN), literal(Number.NaN))), integer(2)),
      ),
    ],
    ['effect_size', real(effect)],
    ['delta_score', real(call('abs', effect))],
    [
      'median_relative_change',
      real(
        call(
          'divide',
          call('minus', median(true), median(false)),
          call('nullIf', call('abs', median(false)), literal(0)),
        ),
      ),
    ],
    ['differences', { type: 'array', sql: literal('[]') }],
  ];
}

function categorical(selection: Expr, field: Lowered): Parts {
  const text = call('ifNull', asString(field), literal('null'));
  const top = (condition: Expr): Expr => parametric('approx_top_kIf', [integer(VALUES)], text, condition);
  const selected = top(selection);
  const others = top(call('not', selection));
  const total = (condition: Expr): Expr => call('countIf', condition);
  const item = (n: number): Expr => call('tupleElement', column('t'), integer(n));
  const keys = (list: Expr): Expr => call('arrayMap', lambda(['t'], item(1)), list);
  const values = call('arrayDistinct', call('arrayConcat', keys(selected), keys(others)));
  const counted = (list: Expr): Expr =>
    call(
      'arraySum',
      call('arrayMap', lambda(['t'], call('multiply', item(2), call('equals', item(1), column('v')))), list),
    );
  const share = (list: Expr, condition: Expr): Expr =>
    call('divide', counted(list), call('greatest', total(condition), integer(1)));
  const p = share(selected, selection);
  const q = share(others, call('not', selection));
  // For each value: how often among the selected, among the others, and their counts.
  const rows = call(
    'arrayMap',
    lambda(['v'], call('tuple', column('v'), p, q, counted(selected), counted(others))),
    values,
  );
  const over = (body: Expr, list: Expr): Expr => call('arraySum', call('arrayMap', lambda(['r'], body), list));
  const part = (n: number): Expr => call('tupleElement', column('r'), integer(n));
  const distance = call('divide', over(call('abs', call('minus', part(2), part(3))), rows), literal(2));
  const ranked = call(
    'arraySlice',
    call('arrayReverseSort', lambda(['r'], call('abs', call('minus', part(2), part(3)))), rows),
    integer(1),
    integer(10),
  );
  const ratio = call(
    'if',
    call('greater', part(3), literal(0)),
    call('toString', call('divide', part(2), part(3))),
    literal('null'),
  );
  const entry = call(
    'concat',
    literal('{"value":'),
    call('toJSONString', part(1)),
    literal(',"frequency_ratio":'),
    ratio,
    literal(',"comparison_count":'),
    call('toString', part(4)),
    literal(',"baseline_count":'),
    call('toString', part(5)),
    literal('}'),
  );
  // Against the shares both sides have together.
  const expected = (condition: Expr): Expr =>
    call(
      'divide',
      call('multiply', call('plus', part(4), part(5)), total(condition)),
      call('greatest', call('count'), integer(1)),
    );
  const deviation = (n: 4 | 5, condition: Expr): Expr => {
    const e = expected(condition);
    return call(
      'if',
      call('greater', e, literal(0)),
      call('divide', call('pow', call('minus', part(n), e), literal(2)), e),
      literal(0),
    );
  };
  const chi = over(call('plus', deviation(4, selection), deviation(5, call('not', selection))), rows);
  const freedom = call('greatest', call('minus', call('length', values), integer(1)), integer(1));
  return [
    ['p_value', real(tail(chi, freedom))],
    ['effect_size', real(distance)],
    ['delta_score', real(distance)],
    ['median_relative_change', none],
    ['differences', { type: 'array', sql: arrayJson(call('arrayMap', lambda(['r'], entry), ranked)) }],
  ];
}

/** Probability of a greater chi-squared value, by the approximation of Wilson and Hilferty. */
function tail(chi: Expr, freedom: Expr): Expr {
  const ninth = call('divide', literal(2), call('multiply', literal(9), freedom));
  const z = call(
    'divide',
    call('minus', call('cbrt', call('divide', chi, freedom)), call('minus', literal(1), ninth)),
    call('sqrt', ninth),
  );
  return call('divide', call('erfc', call('divide', z, call('sqrt', literal(2)))), literal(2));
}

export const aggregates: readonly AggregateRecord[] = [
  {
    name: 'spotlight',
    api: 'spotlight',
    summary:
      'How rows for which a condition is true differ from the others: scores for each field; * stands for all fields.',
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
    ],
    differs: { axiom: 'The tests behind the scores are not documented; ours are named in the reference.' },
  },
];
