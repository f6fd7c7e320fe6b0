import { nullSafeKey } from '../lower/null-safe-key.js';
import { asSameJson } from '../lower/json/same-json.js';
import { bucketGroup } from '../plan/bucket-group.js';
import type { AggregatePlan, Plan, ProjectPlan, SortPlan } from '../plan/nodes.js';
import { inputsOf, rewritePlan } from '../plan/rewrite.js';
import { columnOf, columnsIn, looksAround } from '../plan/scalar.js';
import type { Scalar } from '../plan/scalar.js';
import { ascendingKey, descendingKey } from '../plan/sort-key.js';

/**
 * `summarize A by bin(_time, …), g | limit N`: all buckets of the N series with the greatest A over
 * the whole range, where A may be computed from aggregates. The rows are aggregated without the
 * time bin first; only rows of the series found are then aggregated with it. Null is a series too.
 */
export const limitSeries = (plan: Plan): Plan =>
  rewritePlan(plan, (node) => (node.kind === 'topSeries' ? limitTopSeries(node.input, node.count) : node));

/**
 * Whether only the greatest series are wanted: rows of the others match as well, but are not
 * aggregated.
 */
export const limitsSeries = (plan: Plan): boolean => plan.kind === 'topSeries' || inputsOf(plan).some(limitsSeries);

function limitTopSeries(input: Plan, count: number, shown?: ProjectPlan): Plan {
  if (input.kind === 'sort') return { ...input, input: limitTopSeries(input.input, count, shown) };
  if (input.kind === 'project') return { ...input, input: limitTopSeries(input.input, count, shown ?? input) };
  if (input.kind !== 'aggregate') return input;
  const series = input.groups.filter((group) => group.id !== bucketGroup(input));
  const [first] = input.aggregates;
  if (series.length === 0 || first === undefined) return input;
  const columns = series.map(({ id, expr }) => columnOf({ type: expr.type, id }));
  const ranked: AggregatePlan = { ...input, groups: series, schema: { fields: [] } };
  const known = new Set([...ranked.groups, ...ranked.aggregates].map(({ id }) => id));
  const rank = rankOf(shown, known) ?? columnOf({ type: first.call.type, id: first.id });
  const order: SortPlan = {
    kind: 'sort',
    schema: ranked.schema,
    input: ranked,
    keys: [descendingKey(rank), ...columns.map(ascendingKey)],
  };
  const id = `series@${first.id}`;
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
    needle: nullSafeKey(series.map((group) => asSameJson(group.expr))),
    plan: best,
  };
  return { ...input, input: { kind: 'filter', schema: input.input.schema, input: input.input, predicate } };
}

/**
 * The first of the columns that are aggregates or computed from them; undefined if it reads
 * anything else, such as the time bin.
 */
function rankOf(shown: ProjectPlan | undefined, known: ReadonlySet<string>): Scalar | undefined {
  const reading = shown?.schema.fields.find(({ role }) => role?.kind === 'aggregate')?.readings[0];
  const rank = reading && (shown?.computed.find(({ id }) => id === reading.id)?.expr ?? columnOf(reading));
  if (rank === undefined || looksAround(rank)) return undefined;
  return [...columnsIn([rank])].every((id) => known.has(id)) ? rank : undefined;
}
