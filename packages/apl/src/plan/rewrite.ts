import type { AggregateCall } from '../aggregates/define.js';
import { consume } from '../model/compile-budget.js';
import type { ComputedColumn, Plan } from './nodes.js';
import { rewrite } from './scalar.js';
import type { Scalar } from './scalar.js';

/**
 * The only place that knows the inputs of a node, its expressions and the pipelines inside these.
 */

/** Rewrites every node, after its inputs and the pipelines inside its expressions. */
export const rewritePlan = (plan: Plan, change: (plan: Plan) => Plan): Plan => {
  const deeper = (part: Plan): Plan => rewritePlan(part, change);
  return change(mapInnerPlans(mapInputs(plan, deeper), deeper));
};

/** Replaces the pipelines a node reads. */
export function mapInputs(plan: Plan, one: (input: Plan) => Plan): Plan {
  switch (plan.kind) {
    case 'scan':
    case 'rows':
    case 'external':
      return plan;
    case 'union':
      return { ...plan, inputs: plan.inputs.map(one) };
    case 'join':
      return { ...plan, left: one(plan.left), right: one(plan.right) };
    case 'filter':
    case 'project':
    case 'aggregate':
    case 'sort':
    case 'limit':
    case 'topSeries':
    case 'sample':
    case 'expand':
      return { ...plan, input: one(plan.input) };
  }
}

/** Rewrites the expressions of one node, each from its leaves up. */
export const rewriteScalars = (plan: Plan, change: (scalar: Scalar) => Scalar): Plan =>
  mapScalars(plan, (scalar) => rewrite(scalar, change));

/** Replaces the expressions of one node. */
export function mapScalars(plan: Plan, one: (scalar: Scalar) => Scalar): Plan {
  consume(plan.schema.fields.length / 200);
  const mapComputed = (list: readonly ComputedColumn[]): readonly ComputedColumn[] =>
    list.map(({ id, expr }) => ({ id, expr: one(expr) }));
  switch (plan.kind) {
    case 'scan':
    case 'external':
    case 'limit':
    case 'sample':
    case 'topSeries':
      return plan;
    case 'rows':
      return { ...plan, rows: plan.rows.map((row) => row.map(one)) };
    case 'filter':
      return { ...plan, predicate: one(plan.predicate) };
    case 'project':
      return { ...plan, computed: mapComputed(plan.computed) };
    case 'aggregate': {
      const call = (aggregate: AggregateCall): AggregateCall => ({
        ...aggregate,
        args: aggregate.args.map(one),
        ...(aggregate.condition === undefined ? {} : { condition: one(aggregate.condition) }),
      });
      return {
        ...plan,
        groups: mapComputed(plan.groups),
        aggregates: plan.aggregates.map((a) => ({ ...a, call: call(a.call) })),
      };
    }
    case 'sort':
      return { ...plan, keys: plan.keys.map((key) => ({ ...key, expr: one(key.expr) })) };
    case 'union':
      return {
        ...plan,
        columns: plan.columns.map((c) => ({
          ...c,
          from: c.from.map((scalar) => (scalar === undefined ? undefined : one(scalar))),
        })),
      };
    case 'join':
      return { ...plan, on: plan.on.map(({ left, right }) => ({ left: one(left), right: one(right) })) };
    case 'expand':
      return { ...plan, arrays: mapComputed(plan.arrays) };
  }
}

/** Replaces the pipelines inside the expressions of a node. */
export const mapInnerPlans = (plan: Plan, one: (plan: Plan) => Plan): Plan =>
  rewriteScalars(plan, (scalar) =>
    scalar.kind === 'inPlan' || scalar.kind === 'scalarPlan' ? { ...scalar, plan: one(scalar.plan) } : scalar,
  );

/** The pipelines a node reads. */
export const inputsOf = (plan: Plan): readonly Plan[] => visitMembers<Plan>((one) => mapInputs(plan, one));

/** The pipelines inside the expressions of a node. */
export const innerPlansOf = (plan: Plan): readonly Plan[] => visitMembers<Plan>((one) => mapInnerPlans(plan, one));

/** The expressions of a node. */
export const scalarsOf = (plan: Plan): readonly Scalar[] => visitMembers<Scalar>((one) => mapScalars(plan, one));

/** How many nodes a pipeline has, with those of the pipelines inside its expressions. */
export const nodesOf = (plan: Plan): number =>
  [...inputsOf(plan), ...innerPlansOf(plan)].reduce((nodes, part) => nodes + nodesOf(part), 1);

/** Maximum depth of nodes in a pipeline; cached per node. */
export function depthOf(plan: Plan): number {
  const known = depths.get(plan);
  if (known !== undefined) return known;
  const depth = 1 + [...inputsOf(plan), ...innerPlansOf(plan)].reduce((max, part) => Math.max(max, depthOf(part)), 0);
  depths.set(plan, depth);
  return depth;
}

const depths = new WeakMap<Plan, number>();

/**
 * The pipelines inside the expressions of a pipeline, each counted twice for every one that it is
 * inside of, itself included.
 */
export function weightOfInner(plan: Plan): number {
  const known = weights.get(plan);
  if (known !== undefined) return known;
  const outer = inputsOf(plan).reduce((sum, input) => sum + weightOfInner(input), 0);
  const weight = innerPlansOf(plan).reduce((sum, inner) => sum + 2 * (1 + weightOfInner(inner)), outer);
  weights.set(plan, weight);
  return weight;
}

const weights = new WeakMap<Plan, number>();

/** Collects the parts that a mapping function visits. */
function visitMembers<T>(map: (one: (part: T) => T) => unknown): readonly T[] {
  const found: T[] = [];
  map((part) => {
    found.push(part);
    return part;
  });
  return found;
}
