import type { AggregatePlan } from './nodes.js';
import type { ColumnId } from './scalar.js';

/** The column that holds the time bin, if the rows are grouped by one. */
export const bucketGroup = (plan: AggregatePlan): ColumnId | undefined =>
  plan.schema.fields.find((field) => field.role?.kind === 'bucket')?.readings[0]?.id;

/** That column and the size of its bins in nanoseconds. */
export function bucketOf(plan: AggregatePlan): { readonly id: ColumnId; readonly size: bigint } | undefined {
  const group = plan.groups.find((g) => g.id === bucketGroup(plan));
  if (group?.expr.kind !== 'call') return undefined;
  const size = group.expr.args[1];
  return size?.kind === 'constant' && typeof size.value === 'bigint' ? { id: group.id, size: size.value } : undefined;
}
