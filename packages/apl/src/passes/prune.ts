import type { Plan } from '../plan/nodes.js';
import { rewriteInnerPlans } from '../plan/rewrite.js';
import { collectColumns } from '../plan/scalar.js';
import type { ColumnId, Scalar } from '../plan/scalar.js';
import { idsOf } from '../plan/schema.js';

/** Drops what nothing reads: columns of tables, computed columns, aggregates, columns of unions. */
export function prune(plan: Plan, needed: ReadonlySet<ColumnId>): Plan {
  const node = rewriteInnerPlans(plan, (inner) => prune(inner, new Set(idsOf({ fields: inner.schema.fields }))));
  switch (node.kind) {
    case 'scan':
      return { ...node, columns: new Map([...node.columns].filter(([id]) => needed.has(id))) };
    case 'rows':
    case 'external':
      return node;
    case 'filter':
      return { ...node, input: prune(node.input, plus(needed, [node.predicate])) };
    case 'project': {
      const computed = node.computed.filter((c) => needed.has(c.id));
      return {
        ...node,
        computed,
        input: prune(
          node.input,
          plus(
            needed,
            computed.map((c) => c.expr),
          ),
        ),
      };
    }
    case 'aggregate': {
      const aggregates = node.aggregates.filter((a) => needed.has(a.id));
      const read = aggregates.flatMap(({ call }) => [
        ...call.args,
        ...(call.condition === undefined ? [] : [call.condition]),
      ]);
      return {
        ...node,
        aggregates,
        input: prune(node.input, plus(new Set(), [...node.groups.map((g) => g.expr), ...read])),
      };
    }
    case 'sort':
      return {
        ...node,
        input: prune(
          node.input,
          plus(
            needed,
            node.keys.map((key) => key.expr),
          ),
        ),
      };
    case 'limit':
      return { ...node, input: prune(node.input, new Set([...needed, ...(node.by ?? [])])) };
    case 'sample':
    case 'topSeries':
      return { ...node, input: prune(node.input, needed) };
    case 'union': {
      const order = node.schema.rowId;
      const columns = node.columns.filter(
        (c) => needed.has(c.id) || c.id === order?.time || c.id === order?.seq || c.id === order?.row,
      );
      const read = (input: number): readonly Scalar[] => columns.flatMap((c) => c.from[input] ?? []);
      return { ...node, columns, inputs: node.inputs.map((input, i) => prune(input, plus(new Set(), read(i)))) };
    }
    case 'join': {
      const left = plus(
        needed,
        node.on.map((pair) => pair.left),
      );
      const right = plus(
        needed,
        node.on.map((pair) => pair.right),
      );
      return { ...node, left: prune(node.left, left), right: prune(node.right, right) };
    }
    case 'expand':
      return {
        ...node,
        input: prune(
          node.input,
          plus(
            needed,
            node.arrays.map((a) => a.expr),
          ),
        ),
      };
  }
}

function plus(needed: ReadonlySet<ColumnId>, scalars: readonly Scalar[]): ReadonlySet<ColumnId> {
  const all = new Set(needed);
  for (const scalar of scalars) collectColumns(scalar, all);
  return all;
}
