import type { Presentation } from '../compiled-query.js';
import { bucketOf } from '../plan/bucket-group.js';
import type { AggregatePlan, Plan, SortKey, TimeRange } from '../plan/nodes.js';
import type { Field, Schema } from '../plan/schema.js';
import { floorTo } from '../model/floor.js';

/** How to display the rows of a plan. */
export function presentationOf(plan: Plan, range: TimeRange): Presentation {
  const aggregate = lastAggregate(plan);
  const time = plan.schema.fields.find((field) => field.role?.kind === 'bucket');
  // Another column that holds the bin as well is no other group.
  const groups = plan.schema.fields.filter((field) => field.role?.kind === 'group' || field === time);
  const shared = { order: orderOf(plan), groups: groups.map((field) => field.name) };
  if (aggregate === undefined) return { kind: 'events', ...shared, range };
  const bucket = bucketOf(aggregate);
  if (bucket === undefined || time === undefined) return { kind: 'aggregation', ...shared, range };
  return {
    kind: 'timeseries',
    ...shared,
    bucket: { field: time.name, size: bucket.size },
    range: snapRange(range, bucket.size),
  };
}

/**
 * The aggregation that made the rows, if the operators above it only keep rows or leave some out.
 */
export function lastAggregate(plan: Plan): AggregatePlan | undefined {
  switch (plan.kind) {
    case 'aggregate':
      return plan;
    case 'filter':
    case 'project':
    case 'sort':
    case 'limit':
    case 'topSeries':
    case 'sample':
      return lastAggregate(plan.input);
    case 'scan':
    case 'rows':
    case 'external':
    case 'union':
    case 'join':
    case 'expand':
      return undefined;
  }
}

/** Sort keys that are still visible, most significant first. */
function orderOf(plan: Plan): Presentation['order'] {
  const { fields, rowId } = plan.schema;
  const nameOf = (id: string): string | undefined =>
    fields.find((field: Field) => field.readings.some((reading) => reading.id === id))?.name;
  for (let node: Plan = plan; ;) {
    switch (node.kind) {
      case 'sort':
        return (node.implicit === true ? essential(node.keys, plan.schema) : node.keys).flatMap(
          ({ expr, descending }) => {
            const name = expr.kind === 'column' ? nameOf(expr.id) : undefined;
            return name === undefined ? [] : [{ field: name, desc: descending }];
          },
        );
      case 'filter':
      case 'project':
      case 'limit':
      case 'topSeries':
      case 'sample':
      case 'expand':
        node = node.input;
        continue;
      case 'join':
        node = node.left;
        continue;
      case 'scan':
      case 'union':
        return rowId === undefined && node.schema.rowId === undefined ? [] : [{ field: '_time', desc: true }];
      case 'rows':
      case 'external':
      case 'aggregate':
        return [];
    }
  }
}

/** In the default order the groups at the end only settle ties, so they are left out. */
function essential(keys: readonly SortKey[], { fields, rest }: Schema): readonly SortKey[] {
  const groups = new Set([
    ...fields.flatMap(({ role, readings }) => (role?.kind === 'group' ? (readings[0]?.id ?? []) : [])),
    ...(rest === undefined ? [] : [rest.bag]),
  ]);
  const isGroup = ({ expr }: SortKey): boolean => expr.kind === 'column' && groups.has(expr.id);
  return keys.every(isGroup) ? keys : keys.filter((key) => !isGroup(key));
}

/**
 * Extends a range outward to multiples of the size. The end becomes exclusive, so one that is
 * already a multiple stays.
 */
function snapRange({ start, end }: TimeRange, size: bigint): TimeRange {
  return { start: floorTo(start, size), end: floorTo(end + size - 1n, size) };
}
