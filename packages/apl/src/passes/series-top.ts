import { nullSafeKey } from '../lower/null-safe-key.js';
import { bucketGroup } from '../plan/bucket-group.js';
import type { AggregatePlan, Plan, SortPlan } from '../plan/nodes.js';
import { inputsOf, rewritePlan } from '../plan/rewrite.js';
import { columnOf } from '../plan/scalar.js';
import type { Scalar } from '../plan/scalar.js';
import { ascending, descending } from '../plan/sort-key.js';

/**
 * `summarize A by bin(_time, …), g | limit N`: all buckets of the N series with the greatest A over the whole range. The rows
 * are aggregated without the time bin first; only rows of the series found are then aggregated with it. Null is a series too.
 */
export const limitSeries = (plan: Plan): Plan =>
  rewritePlan(plan, (node) => (node.kind === 'topSeries' ? limited(node.input, node.count) : node));

/** Whether only the greatest series are wanted: rows of the others match as well, but are not aggregated. */
export const limitsSeries = (plan: Plan): boolean => plan.kind === 'topSeries' || inputsOf(plan).some(limitsSeries);

function limited(input: Plan, count: number): Plan {
  if (input.kind === 'sort' || input.kind === 'project') return { ...input, input: limited(input.input, count) };
  if (input.kind !== 'aggregate') return input;
  const series = input.groups.filter((group) => group.id !== bucketGroup(input));
  const [rank] = input.aggregates;
  if (series.length === 0 || rank === undefined) return input;
  const columns = series.map(({ id, expr }) => columnOf({ type: expr.type, id }));
  const ranked: AggregatePlan = { ...input, groups: series, aggregates: [rank], schema: { fields: [] } };
  const order: SortPlan = {
    kind: 'sort',
    schema: ranked.schema,
    input: ranked,
    keys: [descending(columnOf({ type: rank.call.type, id: rank.id })), ...columns.map(ascending)],
  };
  const id = `series@${rank.id}`;
  const schema = { fields: [{ name: 'series', readings: [{ type: 'array' as const, id }] }] };
  const key = nullSafeKey(columns);
  const best: Plan = {
    kind: 'project',
    schema,
    input: { kind: 'limit', schema: ranked.schema, input: order, count },
    computed: [{ id, expr: key }],
  };
  const predicate: Scalar = {
    kind: 'inPlan',
    type: 'bool',
    needle: nullSafeKey(series.map((group) => group.expr)),
    plan: best,
  };
  return { ...input, input: { kind: 'filter', schema: input.input.schema, input: input.input, predicate } };
}
