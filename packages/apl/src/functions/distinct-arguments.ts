import type { Expr } from '@millrace/sql';
import { shareSubexpression } from '../lower/shared-subexpressions.js';
import type { LoweredArgument, Overload } from './define.js';

/** Lets a lowering use its arguments any number of times: the SQL of each is written once. */
export const onceEach =
  (lower: Overload['lower']): Overload['lower'] =>
  (args, context, type) =>
    bind(args, [], (bound) => lower(bound, context, type));

function bind(
  args: readonly LoweredArgument[],
  given: readonly LoweredArgument[],
  lower: (bound: readonly LoweredArgument[]) => Expr,
): Expr {
  const [next, ...others] = args;
  if (next === undefined) return lower(given);
  return shareSubexpression(next.sql, (sql) => bind(others, [...given, { ...next, sql }], lower));
}
