import type { Expr } from '@millrace/sql';
import { once } from '../lower/once.js';
import type { Lowered, LowerContext, Overload } from './define.js';

/** Lets a lowering use its arguments any number of times: the SQL of each is written once. */
export const onceEach =
  (lower: Overload['lower']): Overload['lower'] =>
  (args, context) =>
    bind(args, [], lower, context);

function bind(
  args: readonly Lowered[],
  given: readonly Lowered[],
  lower: Overload['lower'],
  context: LowerContext,
): Expr {
  const [next, ...others] = args;
  if (next === undefined) return lower(given, context);
  return once(next.sql, (sql) => bind(others, [...given, { ...next, sql }], lower, context));
}
