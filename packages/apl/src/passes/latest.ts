import { call } from '@millrace/sql';
import type { AggregateOverload } from '../aggregates/define.js';
import { argMax, argMin } from '../aggregates/extremes.js';
import { param } from '../functions/define.js';
import { nullSafeKey } from '../lower/null-safe-key.js';
import { asSameJson } from '../lower/json/same-json.js';
import type { AggregatePlan, Plan } from '../plan/nodes.js';
import { inputsOf, rewritePlan, scalarsOf } from '../plan/rewrite.js';
import { type ColumnId, columnOf, isRepeatable, type Scalar } from '../plan/scalar.js';
import { isFiltered, scanBelow } from './counts.js';

/**
 * `summarize arg_max(_time, a, b, …) by g`: finds the latest time of each group first, which reads
 * two columns; then the fields are read only from the rows with that time. Otherwise all fields of
 * all rows are read and nearly all of them discarded.
 */
export const latestFirst = (plan: Plan): Plan =>
  rewritePlan(plan, (node) => (node.kind === 'aggregate' ? limitPlan(node) : node));

/**
 * With a filter, which is computed twice, reading fewer fields than this from all rows is faster.
 */
const minOfFiltered = 3;

function limitPlan(plan: AggregatePlan): Plan {
  const [first, ...others] = plan.aggregates.map(({ call }) => call);
  const extreme = first === undefined ? undefined : extremes.get(first.overload);
  const time = scanBelow(plan.input)?.schema.rowId?.time;
  const isSame = others.every(({ overload }) => overload === first?.overload);
  if (extreme === undefined || time === undefined || !isSame || others.length === 0) return plan;
  if (!plan.aggregates.every(({ call }) => call.condition === undefined && isColumn(call.args[0], time))) return plan;
  if (others.length < minOfFiltered && isFiltered(plan.input)) return plan;
  // Rows and groups are computed twice and must be equal both times.
  if (!isRepeated(plan.input) || !plan.groups.every(({ expr }) => isRepeatable(expr))) return plan;
  const id = `extreme@${plan.aggregates[0]!.id}`;
  const found: AggregatePlan = {
    ...plan,
    schema: { fields: [] },
    aggregates: [{ id, call: { name: 'extreme', type: 'datetime', overload: extreme, args: [timeIn(time)] } }],
  };
  const key = `key@${id}`;
  const schema = { fields: [{ name: 'key', readings: [{ type: 'array' as const, id: key }] }] };
  const groups = plan.groups.map((group) => columnOf({ type: group.expr.type, id: group.id }));
  const predicate: Scalar = {
    kind: 'inPlan',
    type: 'bool',
    needle: nullSafeKey([...plan.groups.map((group) => asSameJson(group.expr)), timeIn(time)]),
    plan: {
      kind: 'project',
      schema,
      input: found,
      computed: [{ id: key, expr: nullSafeKey([...groups, timeIn(id)]) }],
    },
  };
  return { ...plan, input: { kind: 'filter', schema: plan.input.schema, input: plan.input, predicate } };
}

const isRepeated = (plan: Plan): boolean => scalarsOf(plan).every(isRepeatable) && inputsOf(plan).every(isRepeated);

const extreme = (name: 'max' | 'min'): AggregateOverload => ({
  params: [param('time', 'datetime')],
  returns: 'datetime',
  lower: ([time]) => call(name, time!.sql),
});

const extremes: ReadonlyMap<AggregateOverload, AggregateOverload> = new Map([
  [argMax, extreme('max')],
  [argMin, extreme('min')],
]);

const timeIn = (id: ColumnId): Scalar => columnOf({ type: 'datetime', id });

const isColumn = (scalar: Scalar | undefined, id: ColumnId): boolean => scalar?.kind === 'column' && scalar.id === id;
