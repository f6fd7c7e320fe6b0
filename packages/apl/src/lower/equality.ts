import { and, call, literal, not } from '@millrace/sql';
import type { Expr } from '@millrace/sql';
import type { ScalarType } from '../types.js';

/**
 * Equality of the language: `==` is false and `!=` true as soon as one side is null, so that rows without the field are kept by
 * `field != "x"`. SQL gives NULL there. Negated string tests follow the same rule.
 */

/** `a == b`, never null. */
export const equal = (a: Expr, b: Expr): Expr => orFalse(call('equals', a, b));

/** `a != b`, never null. */
export const unequal = (a: Expr, b: Expr): Expr => call('ifNull', call('notEquals', a, b), literal(true));

/** A test where null counts as false. */
export const orFalse = (test: Expr): Expr => (isOrFalse(test) ? test : call('ifNull', test, literal(false)));

const isOrFalse = (test: Expr): boolean => {
  const [, otherwise] = test.kind === 'call' && test.name === 'ifNull' ? test.args : [];
  return otherwise?.kind === 'literal' && otherwise.value === false;
};

/** The opposite of a test where null counts as false: true for null. */
export const negated = (test: Expr): Expr => not(orFalse(test));

/** A real whose two zeros, which are equal, have the same bits: keys of groups and joins compare those. */
export const oneZero = ({ sql, type }: { readonly sql: Expr; readonly type: ScalarType }): Expr =>
  type === 'real' && sql.kind !== 'literal' ? call('plus', sql, literal(0)) : sql;

/** Null unless all the given are there. */
export const whereAll = (present: readonly Expr[], then: Expr): Expr =>
  call('if', and(...present.map((p) => call('isNotNull', p))), then, literal(null));
