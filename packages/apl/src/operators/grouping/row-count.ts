import { bindSingle } from '../../bind/context.js';
import type { Expr } from '../../syntax/ast.js';
import type { OperatorContext } from '../define.js';

/** A number of rows: a constant whole number, 0 or more; undefined after reporting anything else. */
export function rowCount(expr: Expr, what: string, context: OperatorContext): number | undefined {
  const scalar = bindSingle(expr, context.constantScope);
  if (scalar.kind === 'constant' && scalar.type === 'long' && typeof scalar.value === 'bigint' && scalar.value >= 0n)
    return Number(scalar.value < BigInt(Number.MAX_SAFE_INTEGER) ? scalar.value : BigInt(Number.MAX_SAFE_INTEGER));
  context.query.report.error('argument_type', expr.span, `${what} needs a constant number of rows, 0 or more`);
  return undefined;
}
