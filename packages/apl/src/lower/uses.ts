import type { ColumnId, Scalar } from '../plan/scalar.js';
import { partsOf } from '../plan/scalar.js';
import { size } from './shared-subexpressions.js';
import type { Relation } from './relations/relation.js';

/**
 * Repeated expressions with more nodes than this in total are worth a subquery that computes them
 * once.
 */
const MAX_REPEATED_NODES = 150;

/**
 * Whether the expressions would repeat too much SQL in place of the columns they read; a function
 * may also write each of its arguments several times.
 */
export function repeatsMuch(relation: Relation, exprs: readonly Scalar[]): boolean {
  const uses = new Map<ColumnId, number>();
  for (const expr of exprs) countUses(expr, uses);
  let nodes = 0;
  for (const [id, count] of uses) {
    const expr = relation.columns.get(id);
    if (expr !== undefined && expr.kind === 'call') nodes += count * size(expr, MAX_REPEATED_NODES);
  }
  return nodes > MAX_REPEATED_NODES;
}

function countUses(scalar: Scalar, uses: Map<ColumnId, number>): void {
  if (scalar.kind === 'column') uses.set(scalar.id, (uses.get(scalar.id) ?? 0) + 1);
  for (const part of partsOf(scalar)) countUses(part, uses);
}

/** Whether window functions would have to repeat an order with long expressions. */
export const hasLongOrder = ({ order }: Relation): boolean =>
  order.some((key) => key.expr.kind === 'call' && size(key.expr, MAX_ORDER_NODES) > MAX_ORDER_NODES);

const MAX_ORDER_NODES = 12;
