import { apply } from '../../bind/calls/calls.js';
import { bindSingle } from '../../bind/context.js';
import { call, literal } from '@millrace/sql';
import { toType } from '../../bind/values/to-type.js';
import { defineOverload, param } from '../../functions/define.js';
import type { Overload } from '../../functions/define.js';
import { inWindow } from '../../functions/row.js';
import { columnOf } from '../../plan/scalar.js';
import { project } from '../columns.js';
import { rowCount } from '../grouping/row-count.js';
import type { BindPlugin } from './define.js';

/**
 * `rows_near(condition, before [, after])`: the rows for which the condition is true, and that many
 * rows around each.
 */
export const bindRowsNear: BindPlugin = ([test, around, after, ...others], input, context) => {
  const { query, span } = context;
  if (test === undefined || around === undefined || others.length > 0) {
    const message =
      'rows_near takes a condition and how many rows around are meant, as in rows_near(level == "error", 5)';
    query.report.error('argument_count', span, message);
    return input;
  }
  const condition = toType(bindSingle(test.value, context.scalarScope(input.schema)), 'bool', test.value.span, query);
  const before = rowCount(around.value, 'rows_near', context);
  const behind = after === undefined ? before : rowCount(after.value, 'rows_near', context);
  if (before === undefined || behind === undefined) return input;
  const id = query.fresh('near');
  // Rows after the one that fits are those for which it is before them.
  const near = apply('rows_near', nearby(behind, before), [condition], query);
  const rows = project(input, input.schema.fields, [{ id, expr: near }]);
  return { kind: 'filter', schema: input.schema, input: rows, predicate: columnOf({ type: 'bool', id }) };
};

const nearby = (before: number, after: number): Overload =>
  defineOverload({
    params: [param('condition', 'bool')],
    returns: 'bool',
    looksAround: true,
    lower: ([condition], context) => {
      const rows = { from: -before, to: after };
      return call('toBool', inWindow('max', [call('ifNull', condition.sql, literal(false))], context, rows));
    },
  });
