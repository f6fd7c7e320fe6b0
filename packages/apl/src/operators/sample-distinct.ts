import { distinctOf } from './grouping/distinct.js';
import type { BindOperator } from './define.js';
import { rowCount } from './grouping/row-count.js';
import { sortPlan } from './sort.js';

/**
 * `sample-distinct 5 of a`: five of the distinct values, chosen at random, because the first ones
 * of an order would all be similar.
 */
export const bindSampleDistinct: BindOperator<'sample-distinct'> = (
  { count: written, columns, span },
  input,
  context,
) => {
  const all = [{ value: { kind: 'star', span }, span }] as const;
  const values = distinctOf(columns ?? all, input, context);
  const count = rowCount(written, 'sample-distinct', context);
  if (count === undefined) return values;
  const random = { kind: 'call', callee: { text: 'rand', quoted: false, span }, args: [], span } as const;
  const shuffled = sortPlan(values, [{ value: random }], context.scalarScope(values.schema));
  return { kind: 'limit', schema: values.schema, input: shuffled, count };
};
