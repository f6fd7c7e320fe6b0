import type { Plan } from '../plan/nodes.js';
import { mapInnerPlans, mapInputs, scalarsOf } from '../plan/rewrite.js';
import { columnsIn } from '../plan/scalar.js';
import type { ColumnId } from '../plan/scalar.js';
import { idsOf } from '../plan/schema.js';

/** Drops unused columns of tables, computed columns, aggregates and columns of unions. */
export function prune(plan: Plan, needed: ReadonlySet<ColumnId>): Plan {
  const node = mapInnerPlans(plan, (inner) => prune(inner, new Set(idsOf({ fields: inner.schema.fields }))));
  switch (node.kind) {
    case 'scan':
      return { ...node, columns: new Map([...node.columns].filter(([id]) => needed.has(id))) };
    case 'project':
      return below(
        { ...node, computed: node.computed.filter(({ id }) => needed.has(id)) },
        new Set([...needed, ...(node.per ?? [])]),
      );
    case 'aggregate':
      return below({ ...node, aggregates: node.aggregates.filter(({ id }) => needed.has(id)) }, new Set());
    case 'limit':
      return below(node, new Set([...needed, ...(node.by ?? [])]));
    case 'union': {
      const { time, seq, row } = node.schema.rowId ?? {};
      const columns = node.columns.filter(({ id }) => needed.has(id) || [time, seq, row].includes(id));
      const read = (input: number) => columnsIn(columns.flatMap(({ from }) => from[input] ?? []));
      return { ...node, columns, inputs: node.inputs.map((input, i) => prune(input, read(i))) };
    }
    case 'rows':
    case 'external':
    case 'filter':
    case 'sort':
    case 'sample':
    case 'topSeries':
    case 'join':
    case 'expand':
      return below(node, needed);
  }
}

/** Prunes the inputs of a node to the columns that it reads itself or that are needed above it. */
function below(node: Plan, needed: ReadonlySet<ColumnId>): Plan {
  const read = new Set([...needed, ...columnsIn(scalarsOf(node))]);
  return mapInputs(node, (input) => prune(input, read));
}
