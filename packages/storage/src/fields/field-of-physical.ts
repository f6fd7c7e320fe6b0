import { call, type Expr, integer } from '@millrace/sql';

/**
 * The name of the field in a physical name: everything before `#` and the one-letter mark of the
 * type.
 */
export const fieldOfPhysical = (name: Expr): Expr =>
  call('substring', name, integer(1), call('minus', call('length', name), integer(2)));
