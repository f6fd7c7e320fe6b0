import { bucketGroup } from '../plan/bucket-group.js';
import type { AggregatePlan, Plan } from '../plan/nodes.js';
import { columnOf, columnsIn } from '../plan/scalar.js';
import type { ColumnId } from '../plan/scalar.js';
import { ascending, descending } from '../plan/sort-key.js';

/**
 * The `_totals` of a time series: the same aggregates over the whole range, without the time bin. Computed columns and limits
 * above the aggregation are repeated, sorts are not. With a column computed from the bin, or any other operator above, there are no totals.
 */
export function totalsOf(plan: Plan): Plan | undefined {
  const bucket = bucketBelow(plan);
  return bucket === undefined ? undefined : without(plan, bucket);
}

function bucketBelow(plan: Plan): ColumnId | undefined {
  if (plan.kind === 'aggregate') return bucketGroup(plan);
  return plan.kind === 'project' || plan.kind === 'sort' || plan.kind === 'limit' ? bucketBelow(plan.input) : undefined;
}

function without(plan: Plan, bucket: ColumnId): Plan | undefined {
  switch (plan.kind) {
    case 'aggregate':
      return sorted({
        ...plan,
        groups: plan.groups.filter((group) => group.id !== bucket),
        schema: { fields: plan.schema.fields.filter((field) => field.readings[0]?.id !== bucket) },
      });
    case 'project': {
      const input = without(plan.input, bucket);
      const fields = plan.schema.fields.filter((field) => field.readings[0]?.id !== bucket);
      const read = columnsIn(plan.computed.map(({ expr }) => expr));
      return input === undefined || read.has(bucket) ? undefined : { ...plan, input, schema: { fields } };
    }
    case 'sort':
      return without(plan.input, bucket);
    case 'limit': {
      const input = without(plan.input, bucket);
      return input === undefined ? undefined : { ...plan, input, schema: input.schema };
    }
    default:
      return undefined;
  }
}

/** Greatest first; the groups settle ties, so that the same data gives the same totals. Without groups there is one row. */
function sorted(plan: AggregatePlan): Plan {
  if (plan.groups.length === 0) return plan;
  const [first] = plan.aggregates;
  const keys = [
    ...(first === undefined ? [] : [descending(columnOf({ type: first.call.type, id: first.id }))]),
    ...plan.groups.map(({ id, expr }) => ascending(columnOf({ type: expr.type, id }))),
  ];
  return { kind: 'sort', schema: plan.schema, input: plan, keys };
}
