import type { BindOperator } from './define.js';
import { rowCount } from './grouping/row-count.js';
import { sortPlan } from './sort.js';

/** `top N by k`: the N rows with the greatest key, or the smallest with `asc`. */
export const bindTop: BindOperator<'top'> = (operator, input, context) => {
  const plan = sortPlan(input, [operator.key], context.scalarScope(input.schema));
  const count = rowCount(operator.count, 'top', context);
  return count === undefined ? plan : { kind: 'limit', schema: plan.schema, input: plan, count };
};
