import { call, literal } from '@millrace/sql';
import type { Expr } from '@millrace/sql';

/** Whether a value is one of the texts. */
export const isOneOf = (value: Expr, texts: readonly string[]): Expr =>
  call('in', value, call('tuple', ...texts.map(literal)));
