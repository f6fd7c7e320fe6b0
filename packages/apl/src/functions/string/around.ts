import { call, integer, literal } from '@millrace/sql';
import type { Expr } from '@millrace/sql';

/** The text before the first separator, all of it without one. */
export const textBefore = (text: Expr, separator: string): Expr =>
  call(
    'if',
    has(text, separator),
    call('substring', text, integer(1), call('minus', at(text, separator), integer(1))),
    text,
  );

/** The text after the first separator, empty without one. */
export const textAfter = (text: Expr, separator: string): Expr =>
  call('if', has(text, separator), call('substring', text, call('plus', at(text, separator), integer(1))), literal(''));

const at = (text: Expr, separator: string): Expr => call('position', text, literal(separator));
const has = (text: Expr, separator: string): Expr => call('greater', at(text, separator), integer(0));
