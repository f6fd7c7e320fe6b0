import { call, column, integer, lambda, literal, parametric } from '@millrace/sql';
import type { Expr } from '@millrace/sql';
import { param } from '../functions/define.js';
import type { LoweredArgument } from '../functions/define.js';
import { equalBits } from '../lower/equality.js';
import { asJson } from '../lower/values.js';
import { holdsArray } from '../functions/json-text.js';
import { sameText } from '../lower/json/json-parts.js';
import { arrayJson, elementsOf, jsonOrNullText } from '../lower/json/members.js';
import { shareSubexpression } from '../lower/shared-subexpressions.js';
import { isDynamic } from '../model/types.js';
import type { ScalarType } from '../model/types.js';
import { defineAggregateOverload, type AggregateOverload, type AggregateRecord, nullWithoutRows } from './define.js';

/** Maximum elements of a list: Kusto's limit, and few enough to send in a response. */
export const MAX_LIST = 1_048_576n;

const size = (given: LoweredArgument | undefined, otherwise: bigint): Expr =>
  integer(typeof given?.constant === 'bigint' ? given.constant : otherwise);

const elements = { constant: true, within: { min: 1n, max: MAX_LIST } } as const;

/**
 * Types whose values are equal exactly if their JSON is, and that always have JSON. For these, only
 * the collected values are converted to JSON.
 */
const WRITTEN_LATE: ReadonlySet<ScalarType> = new Set(['string', 'long', 'timespan']);

function collectValues(aggregate: 'groupArray' | 'groupUniqArray', maximum: Expr, value: LoweredArgument): Expr {
  if (!WRITTEN_LATE.has(value.type)) {
    const sql = aggregate === 'groupUniqArray' ? equalBits(value) : value.sql;
    return parametric(aggregate, [maximum], asJson({ type: value.type, sql }));
  }
  const item = asJson({ type: value.type, sql: column('item') });
  return call('arrayMap', lambda(['item'], item), parametric(aggregate, [maximum], value.sql));
}

const params = [param('value', 'any'), param('maximum', 'long', { optional: true, ...elements })] as const;

const list = defineAggregateOverload({
  params,
  returns: 'array',
  lower: ([value, maximum]) => arrayJson(collectValues('groupArray', size(maximum, MAX_LIST), value)),
  keepsOrder: true,
});

/** Of arrays the set has the elements, as in Kusto. */
const set = (otherwise: bigint): AggregateOverload =>
  defineAggregateOverload({
    params,
    returns: 'array',
    lower: ([value, maximum]) => {
      const max = size(maximum, otherwise);
      return arrayJson(
        isDynamic(value.type) && value.type !== 'bag'
          ? parametric('groupUniqArrayArray', [max], members(value.sql))
          : collectValues('groupUniqArray', max, value),
      );
    },
  });

/** The elements of an array, without nulls; any other value is the only one, and null none. */
const members = (value: Expr): Expr =>
  shareSubexpression(value, (json) =>
    call(
      'multiIf',
      call('isNull', json),
      call('emptyArrayString'),
      holdsArray(json),
      call(
        'arrayFilter',
        lambda(['element'], call('notEquals', column('element'), literal('null'))),
        call('arrayMap', lambda(['element'], sameText(column('element'))), elementsOf(json)),
      ),
      call('array', call('ifNull', sameText(json), literal(''))),
    ),
  );

/**
 * Candidates in addition to the requested ones, to order values with equal counts; they also keep
 * counts exact for longer.
 */
const SPARE_CANDIDATES = 100n;

const top = defineAggregateOverload({
  params: [param('value', 'any'), param('k', 'long', elements)],
  returns: 'array',
  lower: ([value, k]) => {
    const item = (n: number): Expr => call('tupleElement', column('t'), integer(n));
    const entry = call(
      'concat',
      literal('{"key":'),
      asJson({ type: value.type, sql: item(1) }),
      literal(',"count":'),
      call('toString', item(2)),
      literal(',"error":'),
      call('toString', item(3)),
      literal('}'),
    );
    const wanted = typeof k?.constant === 'bigint' ? k.constant : 10n;
    const candidates = parametric('approx_top_k', [integer(wanted + SPARE_CANDIDATES)], equalBits(value));
    // The engine does not define the order of equal counts, but readers expect the same result each
    // time.
    const order = lambda(['t'], call('tuple', call('negate', item(2)), item(1)));
    const winners = call('arraySlice', call('arraySort', order, candidates), integer(1), integer(wanted));
    return arrayJson(call('arrayMap', lambda(['t'], entry), winners));
  },
});

/**
 * Whole counts of the bins: the engine splits values between bins, but people count events. The
 * running sums up to each bin are rounded, so their differences are whole numbers and add up to all
 * values.
 */
const wholeCounts = (counts: Expr): Expr => {
  const sums = call(
    'arrayMap',
    lambda(['c'], call('toInt64', call('round', column('c')))),
    call('arrayCumSum', counts),
  );
  return call('arrayPopFront', call('arrayDifference', call('arrayPushFront', sums, call('toInt64', integer(0)))));
};

/** The engine does not keep more bins. */
const MAX_HISTOGRAM = 250n;

const histogram = (type: 'number' | 'timespan'): AggregateOverload =>
  defineAggregateOverload({
    params: [param('value', type), param('bins', 'long', { constant: true, within: { min: 1n, max: MAX_HISTOGRAM } })],
    returns: 'array',
    lower: ([value, bins]) => {
      const item = (n: number): Expr => call('tupleElement', column('t'), integer(n));
      const entry = call(
        'concat',
        literal('{"from":'),
        jsonOrNullText({ type: 'real', sql: item(1) }),
        literal(',"to":'),
        jsonOrNullText({ type: 'real', sql: item(2) }),
        literal(',"count":'),
        call('toString', column('n')),
        literal('}'),
      );
      const finite = call('if', call('isFinite', call('toFloat64', value.sql)), value.sql, literal(null));
      const found = parametric('histogram', [size(bins, 10n)], finite);
      return arrayJson(
        call(
          'arrayMap',
          lambda(['t', 'n'], entry),
          found,
          wholeCounts(call('arrayMap', lambda(['t'], item(3)), found)),
        ),
      );
    },
  });

const first = (types: readonly ScalarType[]): ScalarType => types[0] ?? 'dynamic';

export const aggregates: readonly AggregateRecord[] = [
  {
    name: 'make_list',
    api: 'makelist',
    summary:
      'All values as an array, in the order of the rows if these are sorted, else in no particular order; nulls are left out.',
    overloads: [list],
    twin: {
      name: 'make_list_if',
      api: 'makelistif',
      summary: 'The values of rows where a condition is true, as an array.',
      predicate: 1,
    },
    examples: [
      { apl: 'datatable(a:long)[1, 1, long(null)] | summarize make_list(a)', gives: [[1, 1]] },
      { apl: 'datatable(a:string)["é\\"", "b"] | summarize make_list_if(a, a != "b")', gives: [['é"']] },
      { apl: 'datatable(a:long)[5] | summarize x = make_list(a)[0]', gives: [5] },
      {
        apl: 'datatable(a:long)[1, 3, 2] | sort by a desc | summarize make_list(a), make_list(a, 2)',
        gives: [
          [3, 2, 1],
          [3, 2],
        ],
      },
      { apl: 'datatable(a:long)[1] | where a > 1 | summarize make_list(a)', gives: [[]] },
    ],
  },
  {
    name: 'make_list_with_nulls',
    api: 'makelistwithnulls',
    summary: 'All values as an array, with nulls where there is none.',
    overloads: [
      defineAggregateOverload({
        params: [param('value', 'any')],
        returns: 'array',
        lower: ([value]) => arrayJson(parametric('groupArray', [integer(MAX_LIST)], jsonOrNullText(value))),
        keepsOrder: true,
      }),
    ],
    examples: [
      {
        apl: 'datatable(a:long)[1, long(null), 2] | sort by a asc | summarize make_list_with_nulls(a)',
        gives: [[1, 2, null]],
      },
      {
        apl: 'datatable(a:dynamic)[dynamic(null), dynamic(["x"])] | summarize array_length(make_list_with_nulls(a))',
        gives: [2],
      },
    ],
    differs: { axiom: 'Not in Axiom; as in Kusto.' },
  },
  {
    name: 'make_set',
    api: 'makeset',
    summary:
      'The distinct values as an array, at most 128 unless maximum says otherwise; nulls are left out, and of arrays the elements count.',
    overloads: [set(128n)],
    twin: {
      name: 'make_set_if',
      api: 'makesetif',
      summary: 'The distinct values of rows where a condition is true, as an array.',
      predicate: 1,
      overloads: [set(MAX_LIST)],
    },
    examples: [
      { apl: 'datatable(a:long)[1, 1, long(null)] | summarize make_set(a)', gives: [[1]] },
      { apl: 'datatable(a:long)[1, 2, 3] | summarize s = make_set(a, 2) | project array_length(s)', gives: [2] },
      { apl: 'datatable(a:long)[1, 2, 2] | summarize make_set_if(a, a > 1)', gives: [[2]] },
      { apl: 'datatable(a:real)[0.0, -0.0] | summarize array_length(make_set(a))', gives: [1] },
      {
        apl: 'datatable(a:dynamic)[dynamic(["x", null]), dynamic([]), dynamic(["x"]), dynamic("x")] | summarize make_set(a)',
        gives: [['x']],
      },
    ],
    differs: { kusto: 'At most 128 values by default.' },
  },
  {
    name: 'topk',
    api: 'topk',
    summary: 'The k most frequent values with their counts, estimated: an array of {key, count, error}.',
    overloads: [top],
    twin: { name: 'topkif', api: 'topkif', summary: 'The most frequent values of rows where a condition is true.' },
    examples: [
      {
        apl: 'datatable(a:string)["x", "y", "x"] | summarize topk(a, 1)',
        gives: [[{ key: 'x', count: 2, error: 0 }]],
      },
      {
        apl: 'datatable(a:real)[0.0, -0.0] | summarize topk(a, 2)',
        gives: [[{ key: 0, count: 2, error: 0 }]],
      },
      {
        apl: 'datatable(a:string)["z", "y", "x", "z", "y", "x"] | summarize topk(a, 2)',
        gives: [
          [
            { key: 'x', count: 2, error: 0 },
            { key: 'y', count: 2, error: 0 },
          ],
        ],
      },
      { apl: 'datatable(a:long)[7, 8, 8] | summarize topkif(a, 2, a < 8)', gives: [[{ key: 7, count: 1, error: 0 }]] },
      { apl: 'datatable(a:long)[1] | where a > 1 | summarize topk(a, 2)', gives: [[]] },
    ],
  },
  {
    name: 'histogram',
    api: 'histogram',
    summary: 'How the values are distributed over a number of bins: an array of {from, to, count}, estimated.',
    overloads: [histogram('number'), histogram('timespan')],
    twin: {
      name: 'histogramif',
      api: 'histogramif',
      summary: 'A histogram of the values of rows where a condition is true.',
    },
    examples: [
      { apl: 'datatable(a:long)[1, 1, 1] | summarize h = histogram(a, 2) | project array_length(h)', gives: [1] },
      { apl: 'datatable(a:long)[1] | where a > 1 | summarize histogram(a, 2)', gives: [[]] },
      {
        apl: 'range x from 1 to 9 step 1 | summarize h = histogramif(x, 3, x < 9) | project array_length(h)',
        gives: [3],
      },
      {
        apl: 'range x from 1 to 50 step 1 | summarize h = histogram(x * x % 97, 7) | mv-expand h | extend n = tostring(h["count"]) | summarize sum(toint(n)), countif(n contains ".")',
        gives: [50, 0],
      },
      { apl: 'datatable(a:real)[1e20, 1e20] | summarize histogram(a, 2)[0]["count"]', gives: [2] },
      {
        apl: 'datatable(a:timespan)[1s, 3s] | summarize histogram(a, 2)',
        gives: [
          [
            { from: 1e9, to: 2e9, count: 1 },
            { from: 2e9, to: 3e9, count: 1 },
          ],
        ],
      },
    ],
    differs: { axiom: 'Bins adapt to the data instead of being equally wide.' },
  },
  {
    name: 'take_any',
    api: 'computed',
    summary: 'Any one value that is not null.',
    overloads: [
      defineAggregateOverload({
        params: [param('value', 'any')],
        returns: first,
        lower: ([value], context) => call(nullWithoutRows('any', context), value.sql),
      }),
    ],
    twin: { name: 'take_anyif', api: 'computed', summary: 'Any one value of a row where a condition is true.' },
    examples: [
      { apl: 'datatable(a:string)[string(null), "x"] | summarize take_any(a)', gives: ['x'] },
      { apl: 'datatable(a:long)[1, 2] | summarize take_anyif(a, a > 1)', gives: [2] },
    ],
    differs: {
      axiom: 'Not in Axiom.',
      kusto: 'Of several fields or `*`, each value may be of another row; null only if all are.',
    },
  },
];
