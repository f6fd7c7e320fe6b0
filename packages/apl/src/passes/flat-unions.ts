import type { Plan, UnionPlan } from '../plan/nodes.js';
import { mapInnerPlans, mapInputs } from '../plan/rewrite.js';
import type { Scalar } from '../plan/scalar.js';

/** Flattens nested unions: they cost the engine several times as much. */
export function flatUnions(plan: Plan): Plan {
  const node = plan.kind === 'union' ? flat(plan) : plan;
  return mapInnerPlans(mapInputs(node, flatUnions), flatUnions);
}

function flat(union: UnionPlan): UnionPlan {
  if (!union.inputs.some(({ kind }) => kind === 'union')) return union;
  const parts: { readonly input: Plan; readonly values: readonly (Scalar | undefined)[] }[] = [];
  // From the outermost union inwards, so that each is visited once.
  const collect = ({ inputs, columns }: UnionPlan, wanted: readonly (Scalar | undefined)[]): void => {
    const sources = new Map(columns.map(({ id, from }) => [id, from]));
    for (const [i, input] of inputs.entries()) {
      const values = wanted.map((scalar) => (scalar?.kind === 'column' ? sources.get(scalar.id)?.[i] : scalar));
      if (input.kind === 'union') collect(input, values);
      else parts.push({ input, values });
    }
  };
  collect(
    union,
    union.columns.map(({ id, type }) => ({ kind: 'column', id, type })),
  );
  return {
    ...union,
    inputs: parts.map(({ input }) => input),
    columns: union.columns.map((column, i) => ({ ...column, from: parts.map(({ values }) => values[i]) })),
  };
}
