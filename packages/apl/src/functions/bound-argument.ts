import { call, column, integer, lambda } from '@millrace/sql';
import type { Expr } from '@millrace/sql';

/**
 * `body` over a value that is computed once beforehand. Unlike `shareSubexpression` this also
 * binds small expressions: inside a lambda they would be computed again for every element.
 */
export const bindValue = (name: string, value: Expr, body: (value: Expr) => Expr): Expr =>
  call('arrayElement', call('arrayMap', lambda([name], body(column(name))), call('array', value)), integer(1));
