import { bindSingle } from '../../bind/context.js';
import type { Expr } from '../../syntax/ast.js';
import { constantAs } from '../constant-as.js';
import type { OperatorContext } from '../define.js';

/**
 * A number of rows: an integer, 0 or more, which may require a lookup as in `toscalar(T | count)`;
 * undefined until it is known, and after reporting anything else.
 */
export function rowCount(expr: Expr, what: string, context: OperatorContext): number | undefined {
  const written = bindSingle(expr, context.constantScope);
  const hasRowCount = written.kind !== 'constant' && (written.type === 'long' || written.type === 'dynamic');
  const scalar = hasRowCount ? constantAs(written, 'long', expr.span, context.query) : written;
  if (scalar === undefined) return undefined;
  if (scalar.kind === 'constant' && scalar.type === 'long' && typeof scalar.value === 'bigint' && scalar.value >= 0n)
    return Number(scalar.value < BigInt(Number.MAX_SAFE_INTEGER) ? scalar.value : BigInt(Number.MAX_SAFE_INTEGER));
  context.query.report.error('argument_type', expr.span, `${what} needs a constant number of rows, 0 or more`);
  return undefined;
}
