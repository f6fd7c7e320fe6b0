import { bucketGroup } from '../plan/bucket-group.js';
import type { Plan } from '../plan/nodes.js';
import { columnsIn } from '../plan/scalar.js';
import type { ColumnId } from '../plan/scalar.js';

/**
 * The `_totals` of a time series: the same aggregates over the whole range, without the time bin,
 * in the default order. Computed columns and limits above the aggregation are repeated, sorts are
 * not. With a column computed from the bin, or any other operator above, there are no totals.
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
      return {
        ...plan,
        groups: plan.groups.filter((group) => group.id !== bucket),
        schema: { fields: plan.schema.fields.filter((field) => field.readings[0]?.id !== bucket) },
      };
    case 'project': {
      const input = without(plan.input, bucket);
      const schema = {
        ...plan.schema,
        fields: plan.schema.fields.filter((field) => field.readings[0]?.id !== bucket),
      };
      const read = columnsIn(plan.computed.map(({ expr }) => expr));
      return input === undefined || read.has(bucket) ? undefined : { ...plan, input, schema };
    }
    case 'sort': {
      const input = without(plan.input, bucket);
      const keys = plan.keys.filter(({ expr }) => !columnsIn([expr]).has(bucket));
      // Without groups there is one row.
      if (input === undefined || plan.implicit !== true || keys.length === 0 || isUngrouped(input)) return input;
      return { ...plan, input, schema: input.schema, keys };
    }
    case 'limit': {
      const input = without(plan.input, bucket);
      return input === undefined ? undefined : { ...plan, input, schema: input.schema };
    }
    default:
      return undefined;
  }
}

const isUngrouped = (plan: Plan): boolean =>
  plan.kind === 'aggregate' ? plan.groups.length === 0 : plan.kind === 'project' && isUngrouped(plan.input);
