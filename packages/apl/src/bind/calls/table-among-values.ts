import { readsRow } from '../../plan/scalar.js';
import { fieldNamed } from '../../plan/schema.js';
import type { Expr, Tabular } from '../../syntax/ast.js';
import { asTable } from '../as-table.js';
import { bindScalar } from '../context.js';
import type { Scope } from '../context.js';
import { callUserFunction } from './user-function.js';

/**
 * A table where values are expected: a pipeline, the name of one bound by `let`, or a call of a
 * function that returns one. A column of that name takes precedence. A dataset does not count,
 * because its relevant column is unclear.
 */
export function tableAmongValues(expr: Expr, scope: Scope): Tabular | undefined {
  const { schema, lets } = scope;
  if (expr.kind === 'name' && fieldNamed(schema, expr.name.text) !== undefined) return undefined;
  const table = asTable(expr, lets, () => false);
  if (table !== undefined && expr.kind === 'call') rejectRowArguments(expr, scope);
  return table;
}

/** Reports a function that reads a table with columns of the row: no table differs by row. */
function rejectRowArguments(expr: Extract<Expr, { kind: 'call' }>, scope: Scope): void {
  const own = scope.lets.get(expr.callee.text);
  if (own?.kind !== 'function') return;
  const isOfRow = expr.args.some(
    ({ value }, i) => own.params[i]?.tabular !== true && bindScalar(value, scope).some(readsRow),
  );
  if (isOfRow) callUserFunction(own, expr, scope);
}
