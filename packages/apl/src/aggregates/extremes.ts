import { call, integer } from '@millrace/sql';
import { extremeKey } from '../functions/array/order.js';
import { param } from '../functions/define.js';
import { isDynamic } from '../model/types.js';
import type { ScalarType } from '../model/types.js';
import type { AggregateOverload, AggregateRecord } from './define.js';
import { defineAggregateOverload } from './define.js';

/**
 * `arg_max(expression, a, b, …)` gives a column for each argument; the first column is the extreme.
 * The binder turns each argument into a call `arg_max(expression, field)`, which this overload
 * describes.
 */
const at = (name: 'argMin' | 'argMax'): AggregateOverload =>
  defineAggregateOverload({
    params: [param('expression', 'any', { isRanked: true }), param('field', 'any')],
    returns: (types): ScalarType => types[1] ?? 'dynamic',
    lower: ([expression, field]) => {
      const { sql, type } = expression;
      // Inside a tuple the value may be null without the engine skipping its row.
      const value = call('tuple', field.sql);
      const row = isDynamic(type)
        ? call(
            `${name}OrNullIf`,
            value,
            extremeKey(sql, name === 'argMax' ? 'largest' : 'smallest'),
            call('isNotNull', sql),
          )
        : call(`${name}OrNull`, value, sql);
      return call('tupleElement', row, integer(1));
    },
  });

export const argMax = at('argMax');
export const argMin = at('argMin');

export const aggregates: readonly AggregateRecord[] = [
  {
    name: 'arg_max',
    api: 'argmax',
    differs: { kusto: 'If the expression is null throughout, so are the fields.' },
    summary:
      'The greatest value of an expression, and fields of the row that has it, each as a column; * stands for all fields.',
    overloads: [argMax],
    examples: [
      { apl: 'datatable(a:long, b:string)[1, "x", 3, "y", 2, "z"] | summarize arg_max(a, b)', gives: [3, 'y'] },
      {
        apl: 'datatable(a:long, b:string)[1, "x", 3, string(null)] | summarize arg_max(best = a, who = b)',
        gives: [3, null],
      },
      { apl: 'datatable(a:long, b:string)[1, "x", 3, "y"] | summarize arg_max(a, *)', gives: [3, 'y'] },
      {
        apl: 'datatable(a:dynamic, b:string)[dynamic(9), "x", dynamic(10), "y", dynamic("z"), "z", dynamic(null), ""] | summarize arg_max(a, b)',
        gives: [10, 'y'],
      },
      {
        apl: 'datatable(a:dynamic, b:long)[dynamic("u"), 1, dynamic("v"), 2] | summarize arg_max(a, b)',
        gives: ['v', 2],
      },
      { apl: 'datatable(a:dynamic, b:long)[dynamic(null), 1] | summarize arg_max(a, b)', gives: [null, null] },
    ],
  },
  {
    name: 'arg_min',
    api: 'argmin',
    differs: { kusto: 'If the expression is null throughout, so are the fields.' },
    summary:
      'The smallest value of an expression, and fields of the row that has it, each as a column; * stands for all fields.',
    overloads: [argMin],
    examples: [
      { apl: 'datatable(a:long, b:string)[1, "x", 3, "y"] | summarize arg_min(a, b)', gives: [1, 'x'] },
      { apl: 'datatable(a:long, b:string)[1, "x"] | where a > 1 | summarize arg_min(a, b)', gives: [null, null] },
      {
        apl: 'datatable(a:dynamic, b:string)[dynamic(10), "x", dynamic(9), "y", dynamic("-"), "z"] | summarize arg_min(a, b)',
        gives: [9, 'y'],
      },
      {
        apl: 'union (print a = 10, b = "x"), (print a = 9, b = "y"), (print a = "-", b = "z") | summarize arg_max(a, b)',
        gives: [10, 'x'],
      },
    ],
  },
];
