import { call, literal, or } from '@millrace/sql';
import type { Scope } from '../bind/context.js';
import { single } from '../bind/values/coerce.js';
import { defineOverload, param } from '../functions/define.js';
import { shareSubexpression } from '../lower/shared-subexpressions.js';
import { nanoseconds, nullOf } from '../lower/values.js';
import { callOf, columnOf } from '../plan/scalar.js';
import type { Bound, Scalar } from '../plan/scalar.js';
import type { Expr } from '@millrace/sql';
import type { LoweredArgument } from '../functions/define.js';
import { fieldOf } from './columns.js';
import type { BoundColumn } from './columns.js';

/**
 * The value if it is meaningful, otherwise null: texts, arrays and objects that are not empty,
 * finite numbers other than 0, times other than the first of 1970, `true`.
 */
export function validOrNull(column: BoundColumn, name: string, scope: Scope): BoundColumn {
  const exprOf = new Map(column.computed.map((c) => [c.id, c.expr]));
  const value = column.field.readings.map((reading): Scalar => exprOf.get(reading.id) ?? columnOf(reading));
  const [first, ...rest] = value;
  if (first === undefined) return column;
  const scalar = single([first, ...rest] satisfies Bound);
  return fieldOf(name, [callOf('valid', valid, [scalar])], scope);
}

const valid = defineOverload({
  params: [param('value', 'any')],
  returns: (types) => types[0] ?? 'dynamic',
  lower: ([value]) =>
    shareSubexpression(value.sql, (sql) => call('if', test({ sql, type: value.type }), sql, nullOf(value.type))),
});

function test({ sql, type }: LoweredArgument): Expr {
  switch (type) {
    case 'string':
      return call('notEmpty', sql);
    case 'long':
    case 'timespan':
      return call('notEquals', sql, literal(0n));
    case 'real':
      return call('isFinite', call('nullIf', sql, literal(0)));
    case 'bool':
      return sql;
    case 'datetime':
      return call('notEquals', nanoseconds(sql), literal(0n));
    case 'array':
    case 'bag':
    case 'dynamic':
      return call('not', or(...['[]', '{}', '""', '0', 'false'].map((empty) => call('equals', sql, literal(empty)))));
  }
}
