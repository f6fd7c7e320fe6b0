import type { Expr } from '@millrace/sql';
import type { Relation } from './relation.js';

/**
 * Whether expressions over a relation use its group keys and aggregates only as a whole. The lowering of a function may take its arguments apart (the
 * path of a member, the parts of a condition, the number in a time), but after grouping the parts of a key are out of reach.
 */
export function readsGroupsWhole({ groupBy, columns }: Relation, exprs: readonly Expr[]): boolean {
  if (groupBy === undefined) return true;
  const whole = new Set(columns.values());
  return exprs.every((expr) => isMadeOf(expr, whole, none));
}

const none: ReadonlySet<string> = new Set();

function isMadeOf(expr: Expr, whole: ReadonlySet<Expr>, bound: ReadonlySet<string>): boolean {
  if (whole.has(expr)) return true;
  switch (expr.kind) {
    case 'call':
      return expr.args.every((arg) => isMadeOf(arg, whole, bound));
    case 'lambda':
      return isMadeOf(expr.body, whole, new Set([...bound, ...expr.params]));
    case 'inSubquery':
      return isMadeOf(expr.needle, whole, bound);
    case 'column':
      return bound.has(expr.name);
    case 'literal':
    case 'star':
    case 'scalarSubquery':
      return true;
  }
}
