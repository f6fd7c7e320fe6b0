import { stretches } from '../functions/row.js';
import type { ColumnId, Scalar } from '../plan/scalar.js';
import type { ComputedColumn, Plan } from '../plan/nodes.js';
import { inputsOf, mapInputs, mapScalars, rewritePlan } from '../plan/rewrite.js';
import { callOf, columnOf, isWindow, mapParts } from '../plan/scalar.js';
import type { Schema } from '../plan/schema.js';

/**
 * Moves functions of other rows (`prev`, `row_number`) to separate columns that are computed first:
 * they must not occur in conditions, sort keys, aggregates or one another.
 */
export const hoistWindows = (plan: Plan, fresh: (name: string) => ColumnId): Plan =>
  rewritePlan(plan, (node) => hoist(node, fresh));

/** Moves the functions of other rows in one node to separate nodes below it. */
export function hoist(node: Plan, fresh: (name: string) => ColumnId): Plan {
  const [input, ...others] = inputsOf(node);
  if (input === undefined || others.length > 0) return node;
  const hoisted: ComputedColumn[] = [];
  const change = (scalar: Scalar): Scalar => {
    const id = fresh('window');
    hoisted.push({ id, expr: scalar });
    return columnOf({ type: scalar.type, id });
  };
  if (node.kind === 'project') {
    const computed = node.computed.map(({ id, expr }) => ({ id, expr: withoutInner(expr, change) }));
    if (hoisted.length === 0) return node;
    return { ...node, computed, input: hoist(extendPlan(input, hoisted), fresh) };
  }
  const changed = mapScalars(node, (scalar) => withoutAny(scalar, change));
  return hoisted.length === 0 ? node : mapInputs(changed, () => hoist(extendPlan(input, hoisted), fresh));
}

/**
 * Hoists functions of other rows out of the arguments of such functions; the outermost may stay in
 * a project.
 */
function withoutInner(scalar: Scalar, change: (scalar: Scalar) => Scalar): Scalar {
  if (scalar.kind !== 'call' || !isWindow(scalar)) return mapParts(scalar, (part) => withoutInner(part, change));
  const args = scalar.args.map((arg, i) =>
    // Where groups have already been counted, their number replaces the condition.
    i === scalar.overload.restart && arg.type === 'bool'
      ? change(callOf('stretches', stretches, [arg]))
      : withoutAny(arg, change),
  );
  return { ...scalar, args };
}

/** Hoists every outermost function of other rows. */
const withoutAny = (scalar: Scalar, change: (scalar: Scalar) => Scalar): Scalar =>
  isWindow(scalar) ? change(scalar) : mapParts(scalar, (part) => withoutAny(part, change));

/** The input with more columns, which only the node above names. */
function extendPlan(input: Plan, computed: readonly ComputedColumn[]): Plan {
  const schema: Schema = {
    ...input.schema,
    fields: [
      ...input.schema.fields,
      ...computed.map(({ id, expr }) => ({ name: id, readings: [{ type: expr.type, id }] })),
    ],
  };
  return { kind: 'project', schema, input, computed };
}
