import type { AggregateCall } from '../aggregates/define.js';
import { inputsOf, withInputs } from './nodes.js';
import type { Computed, Plan } from './nodes.js';
import { rewrite } from './scalar.js';
import type { Scalar } from './scalar.js';

/** Rewrites every node, inputs first. */
export function rewritePlan(plan: Plan, change: (plan: Plan) => Plan): Plan {
  const inputs = inputsOf(plan);
  return change(
    inputs.length === 0
      ? plan
      : withInputs(
          plan,
          inputs.map((input) => rewritePlan(input, change)),
        ),
  );
}

/** Rewrites the expressions of one node, each from its leaves up. */
export const rewriteScalars = (plan: Plan, change: (scalar: Scalar) => Scalar): Plan =>
  mapScalars(plan, (scalar) => rewrite(scalar, change));

/** Replaces the expressions of one node. */
export function mapScalars(plan: Plan, one: (scalar: Scalar) => Scalar): Plan {
  const computed = (list: readonly Computed[]): readonly Computed[] =>
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
      return { ...plan, computed: computed(plan.computed) };
    case 'aggregate': {
      const call = (aggregate: AggregateCall): AggregateCall => ({
        ...aggregate,
        args: aggregate.args.map(one),
        ...(aggregate.condition === undefined ? {} : { condition: one(aggregate.condition) }),
      });
      return {
        ...plan,
        groups: computed(plan.groups),
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
      return { ...plan, arrays: computed(plan.arrays) };
  }
}

/** The pipelines inside the expressions of a node. */
export function innerPlansOf(plan: Plan): readonly Plan[] {
  const inner: Plan[] = [];
  rewriteInnerPlans(plan, (found) => {
    inner.push(found);
    return found;
  });
  return inner;
}

/** Applies `change` to the pipelines inside the expressions of a node. */
export const rewriteInnerPlans = (plan: Plan, change: (plan: Plan) => Plan): Plan =>
  rewriteScalars(plan, (scalar) =>
    scalar.kind === 'inPlan' || scalar.kind === 'scalarPlan' ? { ...scalar, plan: change(scalar.plan) } : scalar,
  );
