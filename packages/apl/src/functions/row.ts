import { call, cast, column, integer, lambda, literal } from '@millrace/sql';
import type { Call, Expr, Window } from '@millrace/sql';
import { instant, nanoseconds, nullOf } from '../lower/values.js';
import { clickhouseType } from '../model/types.js';
import type { ScalarType } from '../model/types.js';
import { defineFunction, defineOverload, param, composedOf } from './define.js';
import type { FunctionRecord, LoweredArgument, LowerContext, Overload } from './define.js';
import { commonTypeOf, unifyTypes } from './unify.js';

/**
 * Functions of the rows before and after, in the current order: that of `sort`, or newest first for
 * events.
 */

/** An engine's function over the rows around this one. */
export const inWindow = (
  name: string,
  args: readonly Expr[],
  { order = [], partition = [] }: LowerContext,
  rows: Window['rows'],
  stretch?: LoweredArgument,
): Call => {
  const partitionBy = [...partition, ...(stretch === undefined ? [] : [stretch.sql])];
  return {
    kind: 'call',
    name,
    args,
    over: {
      ...(partitionBy.length === 0 ? {} : { partitionBy }),
      ...(order.length === 0 ? {} : { orderBy: order }),
      ...(rows === undefined ? {} : { rows }),
    },
  };
};

/** The number of a row's group; a new group begins wherever the argument is true. */
export const stretches = defineOverload({
  params: [param('restart', 'bool')],
  returns: 'long',
  looksAround: true,
  lower: ([restart], context) => inWindow('countIf', [call('ifNull', restart.sql, literal(false))], context, { to: 0 }),
});

const restart = param('restart', 'bool', { optional: true });

/** Made nullable, as a column that cannot be null would give 0 beyond the ends. */
const nullable = (sql: Expr, type: ScalarType): Expr => cast(sql, clickhouseType[type]);

const neighbor = (name: 'lagInFrame' | 'leadInFrame'): Overload =>
  defineOverload({
    params: [
      param('value', 'any'),
      param('offset', 'long', { optional: true, constant: true, within: { min: 0n } }),
      param('otherwise', 'any', { optional: true }),
    ],
    returns: ([value, , ...otherwise], [isNull = false, , ...otherwiseNull]) =>
      commonTypeOf([value ?? 'dynamic', ...otherwise], [isNull, ...otherwiseNull]),
    looksAround: true,
    lower: ([value, offset, otherwise], context, type) => {
      const distance = typeof offset?.constant === 'bigint' ? offset.constant : 1n;
      const values = unifyTypes(otherwise === undefined ? [value] : [value, otherwise], type);
      return inWindow(name, values.map((sql) => nullable(sql, type)).toSpliced(1, 0, literal(distance)), context, {});
    },
  });

const neighbourDiffers =
  'Not in Axiom; as in Kusto. The value beyond the ends may have another type: numbers become real, anything else dynamic.';

/** Whether a value differs from the one in the previous row, in APL; missing values are equal. */
const differs = (term: string): string =>
  `not(${term} == prev(${term}) or (isnull(${term}) and isnull(prev(${term}))))`;

export const functions: readonly FunctionRecord[] = [
  {
    name: 'prev',
    summary:
      'The value in an earlier row, by default the one before; before the first row null, or a value to use instead.',
    handlesNulls: true,
    overloads: [neighbor('lagInFrame')],
    examples: [
      { apl: 'toscalar(range x from 1 to 3 step 1 | serialize p = prev(x) | where x == 3 | project p)', gives: 2 },
      {
        apl: 'toscalar(range x from 1 to 3 step 1 | serialize p = prev(x, 1, 0) | where x == 1 | project p)',
        gives: 0,
      },
      { apl: 'toscalar(range x from 1 to 3 step 1 | serialize p = prev(x, 5) | project p)', gives: null },
      { apl: 'toscalar(datatable(x:real)[1.5] | serialize p = prev(x, 1, 0) | project p)', gives: 0 },
    ],
    differs: { axiom: neighbourDiffers },
  },
  {
    name: 'next',
    summary: 'The value in a later row, by default the one after; after the last row null, or a value to use instead.',
    handlesNulls: true,
    overloads: [neighbor('leadInFrame')],
    examples: [
      { apl: 'toscalar(range x from 1 to 3 step 1 | extend n = next(x) | where x == 1 | project n)', gives: 2 },
      {
        apl: 'toscalar(range x from 1 to 2 step 1 | extend n = next(x, 1, "none") | summarize make_list(n))',
        gives: [2, 'none'],
      },
    ],
    differs: { axiom: neighbourDiffers },
  },
  defineFunction({
    name: 'row_number',
    summary: 'The number of the row, from 1 or a given start; counting starts again wherever the condition is true.',
    handlesNulls: true,
    params: [param('start', 'long', { optional: true }), restart],
    returns: 'long',
    looksAround: true,
    restart: 1,
    lower: ([start, stretch], context) => {
      const number = call('toInt64', inWindow('row_number', [], context, undefined, stretch));
      return start === undefined ? number : call('plus', number, call('minus', start.sql, literal(1n)));
    },
    examples: [
      { apl: 'toscalar(range x from 5 to 7 step 1 | serialize n = row_number() | where x == 7 | project n)', gives: 3 },
      {
        apl: 'toscalar(range x from 5 to 7 step 1 | serialize n = row_number(0) | where x == 5 | project n)',
        gives: 0,
      },
      {
        apl: 'toscalar(range x from 1 to 5 step 1 | extend n = row_number(1, x % 3 == 0) | summarize make_list(n))',
        gives: [1, 2, 1, 2, 3],
      },
    ],
    differs: { axiom: 'Not in Axiom; as in Kusto.' },
  }),
  defineFunction({
    name: 'row_cumsum',
    summary: 'The sum of the values up to this row; it starts again wherever the condition is true.',
    handlesNulls: true,
    params: [param('value', 'number'), restart],
    returns: (types) => types[0] ?? 'real',
    looksAround: true,
    restart: 1,
    lower: ([value, stretch], context) => inWindow('sum', [value.sql], context, { to: 0 }, stretch),
    examples: [
      {
        apl: 'toscalar(range x from 1 to 4 step 1 | serialize s = row_cumsum(x) | where x == 4 | project s)',
        gives: 10,
      },
      {
        apl: 'toscalar(range x from 1 to 5 step 1 | extend s = row_cumsum(x, x == 4) | summarize make_list(s))',
        gives: [1, 3, 6, 4, 9],
      },
    ],
    differs: { axiom: 'Not in Axiom; as in Kusto.' },
  }),
  composedOf({
    name: 'row_rank_dense',
    summary:
      'The number of the run of equal values that the row is in, from 1; counting starts again wherever the condition is true.',
    params: [param('term', 'any'), restart],
    returns: 'long',
    written: `row_cumsum(toint(row_number() == 1 or coalesce(restart, false) or ${differs('term')}), restart)`,
    examples: [
      {
        apl: 'toscalar(datatable(x:long)[2, 3, 3, 3, 100] | extend r = row_rank_dense(x) | summarize make_list(r))',
        gives: [1, 2, 2, 2, 3],
      },
      {
        apl: 'toscalar(datatable(g:string, x:long)["s", 2, "s", 3, "s", 3, "a", 1, "a", 1] | extend r = row_rank_dense(x, g != prev(g)) | summarize make_list(r))',
        gives: [1, 2, 2, 1, 1],
      },
      { apl: 'toscalar(print x = long(null) | extend r = row_rank_dense(x) | project r)', gives: 1 },
    ],
    differs: { axiom: 'Not in Axiom; as in Kusto.' },
  }),
  composedOf({
    name: 'row_rank_min',
    summary:
      'The number of the first row of the run of equal values that the row is in, from 1; counting starts again wherever the condition is true.',
    params: [param('term', 'any'), restart],
    returns: 'long',
    written: `row_number(1, restart) - row_number(0, coalesce(restart, false) or ${differs('term')})`,
    examples: [
      {
        apl: 'toscalar(datatable(x:long)[2, 3, 3, 3, 100] | extend r = row_rank_min(x) | summarize make_list(r))',
        gives: [1, 2, 2, 2, 5],
      },
      {
        apl: 'toscalar(datatable(g:string, x:long)["s", 2, "s", 3, "s", 3, "a", 1, "a", 1] | extend r = row_rank_min(x, g != prev(g)) | summarize make_list(r))',
        gives: [1, 2, 2, 1, 1],
      },
    ],
    differs: { axiom: 'Not in Axiom; as in Kusto.' },
  }),
  composedOf({
    name: 'row_window_session',
    summary:
      'The first time of the session that the row is in. A new one begins that long after the first time, that long after the time before, and wherever the condition is true.',
    params: [
      param('time', 'datetime'),
      param('fromFirst', 'timespan'),
      param('between', 'timespan'),
      param('restart', 'bool', { optional: true }),
    ],
    returns: 'datetime',
    written:
      'row_session(time, fromFirst, coalesce(restart, false) or isnull(prev(time)) or coalesce(time - prev(time) >= between, false))',
    examples: [
      {
        apl: 'toscalar(datatable(id:string, t:datetime)["1", datetime(2024-04-11 10:00), "1", datetime(2024-04-11 11:00), "2", datetime(2024-04-11 10:16), "2", datetime(2024-04-11 10:18), "2", datetime(2024-04-11 13:30)] | extend s = row_window_session(t, 1h, 5m, id != prev(id)) | summarize make_list(format_datetime(s, "HH:mm")))',
        gives: ['10:00', '11:00', '10:16', '10:16', '13:30'],
      },
    ],
    differs: {
      axiom: 'Not in Axiom; as in Kusto.',
      kusto:
        'The time it takes grows with the square of the rows between two gaps: of ten thousand rows without a gap, some seconds.',
    },
  }),
  defineFunction({
    name: 'row_session',
    summary:
      'The first time of the session that the row is in. A new one begins wherever the condition is true, and where the time is that long after the first one.',
    handlesNulls: true,
    params: [param('time', 'datetime'), param('longest', 'timespan'), param('begins', 'bool')],
    returns: 'datetime',
    looksAround: true,
    restart: 2,
    lower: ([time, longest, stretch], context) => {
      const times = inWindow('groupArray', [nanoseconds(time.sql)], context, { to: 0 }, stretch);
      const isOver = call(
        'greaterOrEquals',
        call('minus', call('toInt128', column('at')), column('first')),
        call('ifNull', longest.sql, literal(2n ** 63n - 1n)),
      );
      const first = call(
        'arrayFold',
        lambda(['first', 'at'], call('if', isOver, column('at'), column('first'))),
        times,
        call('arrayElement', times, integer(1)),
      );
      return call('if', call('isNull', time.sql), nullOf('datetime'), instant(first));
    },
    examples: [
      {
        apl: 'toscalar(range t from datetime(2024-01-01 10:00) to datetime(2024-01-01 10:50) step 10m | extend s = row_session(t, 30m, false) | summarize make_list(format_datetime(s, "HH:mm")))',
        gives: ['10:00', '10:00', '10:00', '10:30', '10:30', '10:30'],
      },
    ],
    differs: { axiom: 'Not in Axiom.', kusto: 'Not in Kusto; `row_window_session` is written with it.' },
  }),
];
