import type { Plan } from './nodes.js';

/**
 * No rows and no columns: the input of a pipeline that begins with an operator, and the result
 * after an error.
 */
export const emptyPlan: Plan = { kind: 'rows', schema: { fields: [] }, columns: [], rows: [] };

export const isEmptyPlan = (plan: Plan): boolean =>
  plan.kind === 'rows' && plan.rows.length === 0 && plan.columns.length === 0;
