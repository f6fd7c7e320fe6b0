import type { Plan, SortKey } from './nodes.js';
import type { Scalar } from './scalar.js';

/** Keys with nulls at the end. */
export const ascendingKey = (expr: Scalar): SortKey => ({ expr, descending: false, nullsFirst: false });
export const descendingKey = (expr: Scalar): SortKey => ({ expr, descending: true, nullsFirst: false });

/** Rows in a default order. */
export const inDefaultOrder = (plan: Plan, keys: readonly SortKey[]): Plan =>
  keys.length === 0 ? plan : { kind: 'sort', schema: plan.schema, input: plan, keys, implicit: true };
