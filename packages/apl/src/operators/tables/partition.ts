import { bindSingle } from '../../bind/context.js';
import type { Plan } from '../../plan/nodes.js';
import { project } from '../columns.js';
import type { BindOperator } from '../define.js';
import { misfitIn } from '../mv-apply.js';
import { overRows } from './over-rows.js';
import { perRecord } from '../parse/per-record.js';

/**
 * `partition by a (top 3 by b)`: the body runs over the rows of each value separately. Limits and
 * aggregations in it are per value.
 */
export const bindPartition: BindOperator<'partition'> = ({ by, body, span }, input, context): Plan => {
  const { query } = context;
  const part = query.fresh('part');
  const expr = bindSingle(by, context.scalarScope(input.schema));
  const parts: Plan = {
    ...project(input, input.schema.fields, [{ id: part, expr }]),
    schema: {
      ...input.schema,
      fields: [...input.schema.fields, { name: part, readings: [{ type: expr.type, id: part }] }],
    },
  };
  const visible = project(parts, input.schema.fields, []);
  const bound = overRows(body, () => visible, span, context);
  const result = perRecord(bound, visible, { record: part, type: expr.type, kept: [], context });
  if (result !== undefined) return project(result.plan, bound.schema.fields, []);
  const { at, reason } = misfitIn(body, span, 'partition');
  query.report.error(
    'unsupported',
    at,
    `the body of partition may filter, compute, sort, limit and summarize, ${reason}`,
  );
  return input;
};
