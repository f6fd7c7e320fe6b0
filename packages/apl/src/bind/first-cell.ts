import { columnOf, nullScalar } from '../plan/scalar.js';
import type { Scalar } from '../plan/scalar.js';
import type { Tabular } from '../syntax/ast.js';
import { single } from './values/coerce.js';
import type { Scope } from './context.js';

/** `toscalar(T | …)`: the first column of the first row. */
export function firstCell(pipeline: Tabular, scope: Scope): Scalar {
  const plan = scope.rules.pipeline(pipeline, scope);
  const field = plan.schema.fields[0];
  const [first, ...others] = (field?.readings ?? []).map(columnOf);
  if (field === undefined || first === undefined) return nullScalar;
  const { name } = field;
  // A field with several type variants has the value of the variant that is set in the row.
  const cell = single([first, ...others]);
  const id = cell.kind === 'column' ? cell.id : scope.query.fresh(name);
  const computed = cell.kind === 'column' ? [] : [{ id, expr: cell }];
  const schema = { fields: [{ name, readings: [{ type: cell.type, id }] }] };
  const input = { kind: 'project', schema, input: plan, computed } as const;
  return { kind: 'scalarPlan', type: cell.type, plan: { kind: 'limit', schema, count: 1, input } };
}
