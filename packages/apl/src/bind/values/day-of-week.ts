import { scalarOperator } from '../../functions/operators/index.js';
import { constant } from '../../plan/scalar.js';
import type { Bound, Scalar } from '../../plan/scalar.js';
import type { Expr } from '../../syntax/ast.js';
import { bindCall } from '../calls/calls.js';
import { isWeekday } from './weekday.js';
import type { QueryContext } from '../context.js';

const DAY = 86_400_000_000_000n;

/**
 * `dayofweek(a)` next to a timespan or a time: days as a timespan, which the function gives in
 * Kusto. As an integer it would be read as nanoseconds there and match nothing.
 */
export function daysBeside(
  expr: Expr,
  value: Bound,
  other: readonly Scalar[],
  { query }: { readonly query: QueryContext },
): Bound {
  if (value.length > 1 || !isWeekday(value[0], query)) return value;
  if (!other.some(({ type }) => type === 'timespan' || type === 'datetime')) return value;
  query.report.warning('note', expr.span, 'dayofweek gives an integer; here it is read as days, as in Kusto');
  const { span } = expr;
  const days = { value: [constant('timespan', DAY)] as const, span };
  return [bindCall({ ...scalarOperator('*'), args: [{ value, span }, days], span }, query)];
}
