import { call, column, integer, lambda } from '@millrace/sql';
import type { Expr } from '@millrace/sql';
import { fingerprint } from './fingerprint.js';

/**
 * Expressions with at most this many nodes are repeated instead of bound: the engine computes equal
 * expressions once.
 */
const MAX_REPEATED_NODES = 12;

/**
 * `body`, which may use `value` any number of times, with `value` written once:
 * `arrayMap(v -> body, [value])[1]`. Small values are repeated. Without this, the text would grow
 * exponentially where such expressions nest.
 */
export function shareSubexpression(value: Expr, body: (value: Expr) => Expr): Expr {
  if (size(value, MAX_REPEATED_NODES) <= MAX_REPEATED_NODES) return body(value);
  // Named after its content: equal names have equal values, so an inner binding can only shadow an
  // identical one.
  const name = `v_${fingerprint(value)}`;
  return call('arrayElement', call('arrayMap', lambda([name], body(column(name))), call('array', value)), integer(1));
}

const large = new WeakSet<Expr>();

/**
 * A column of a subquery that counts as large: the engine replaces the column by its expression,
 * and an expression that several `if` share is computed for all rows, however few need it.
 */
export function largeColumn(name: string): Expr {
  const expr = column(name);
  large.add(expr);
  return expr;
}

/** Number of nodes, counted up to just above `limit`. */
export function size(expr: Expr, limit: number): number {
  let count = 1;
  const add = (part: Expr): void => {
    if (count <= limit) count += size(part, limit - count);
  };
  switch (expr.kind) {
    case 'call':
      expr.args.forEach(add);
      break;
    case 'lambda':
      add(expr.body);
      break;
    case 'inSubquery':
    case 'scalarSubquery':
    case 'printed':
      return limit + 1;
    case 'column':
      return large.has(expr) ? limit + 1 : count;
    case 'literal':
    case 'star':
      break;
  }
  return count;
}
