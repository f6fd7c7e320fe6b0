import { nullScalar } from '../plan/scalar.js';
import type { Scalar } from '../plan/scalar.js';
import type { Tabular } from '../syntax/ast.js';
import type { Scope } from './context.js';

/** `toscalar(T | …)`: the first column of the first row. */
export function firstCell(pipeline: Tabular, scope: Scope): Scalar {
  const plan = scope.rules.pipeline(pipeline, scope);
  const reading = plan.schema.fields[0]?.readings[0];
  if (reading === undefined) return nullScalar;
  const schema = { fields: [{ name: plan.schema.fields[0]!.name, readings: [reading] }] };
  const first = {
    kind: 'limit',
    schema,
    count: 1,
    input: { kind: 'project', schema, input: plan, computed: [] },
  } as const;
  return { kind: 'scalarPlan', type: reading.type, plan: first };
}
