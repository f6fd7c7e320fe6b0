import { column, item, literal, select } from '@millrace/sql';
import type { ExternalPlan } from '../../plan/nodes.js';
import { emptyRelation } from './relation.js';
import type { Relation } from './relation.js';

/**
 * The rows of a file. They are one text in the statement: as literals, each cell would be a node of
 * its own.
 */
export function external({ columns, text }: ExternalPlan): Relation {
  const structure = columns.map((_, i) => `c${i} Nullable(String)`).join(', ');
  const query = select({
    // Not under their own names: a `_time` would be taken for that of a dataset.
    columns: columns.map(({ id }, i) => item(column(`c${i}`), id)),
    from: { kind: 'function', name: 'format', args: [literal('TSV'), literal(structure), literal(text)] },
  });
  return {
    ...emptyRelation,
    from: { kind: 'subquery', query },
    columns: new Map(columns.map(({ id }) => [id, column(id)])),
  };
}
