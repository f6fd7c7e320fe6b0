import type { Plan, SortPlan, UnionPlan } from '../plan/nodes.js';
import { rewritePlan } from '../plan/rewrite.js';
import { columnOf, constant, looksAround, rewrite } from '../plan/scalar.js';
import type { ColumnScalar, Scalar } from '../plan/scalar.js';
import { descendingKey } from '../plan/sort-key.js';

/**
 * Moves filters into the parts of a union, and limits too where rows are in time order: each part
 * then returns at most the final number of rows, and not all rows have to be sorted together.
 */
export const intoUnions = (plan: Plan): Plan =>
  rewritePlan(plan, (node) => {
    if (node.kind === 'filter' && node.input.kind === 'union') return filterUnion(node.input, node.predicate);
    return node.kind === 'limit' && node.by === undefined
      ? { ...node, input: limitMembers(node.input, node.count) }
      : node;
  });

function filterUnion(union: UnionPlan, predicate: Scalar): UnionPlan {
  const inputs = union.inputs.map((input, i): Plan => {
    const own = rewrite(predicate, (scalar) => (scalar.kind === 'column' ? inPart(union, i, scalar) : scalar));
    return { kind: 'filter', schema: input.schema, input, predicate: own };
  });
  return { ...union, inputs };
}

/** The value of a union's column in one of its parts. */
function inPart(union: UnionPlan, part: number, scalar: ColumnScalar): Scalar {
  const column = union.columns.find((c) => c.id === scalar.id);
  return column?.from[part] ?? constant(scalar.type, null);
}

/** Moves the limit down through nodes that preserve the number and order of rows. */
function limitMembers(plan: Plan, count: number): Plan {
  if (plan.kind === 'project' && !plan.computed.some((c) => looksAround(c.expr)))
    return { ...plan, input: limitMembers(plan.input, count) };
  if (plan.kind !== 'union') return plan;
  const inputs = plan.inputs.map((input): Plan => {
    const { rowId } = input.schema;
    if (rowId === undefined) return input;
    const sorted: SortPlan = {
      kind: 'sort',
      schema: input.schema,
      input,
      keys: [
        descendingKey(columnOf({ type: 'datetime', id: rowId.time })),
        descendingKey(columnOf({ type: 'long', id: rowId.seq })),
        descendingKey(columnOf({ type: 'long', id: rowId.row })),
      ],
    };
    return { kind: 'limit', schema: input.schema, input: sorted, count };
  });
  // Rows that are not events have no order of time to merge by.
  return plan.schema.rowId === undefined ? plan : { ...plan, inputs };
}
