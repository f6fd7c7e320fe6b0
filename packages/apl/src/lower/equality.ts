import { and, call, literal, not } from '@millrace/sql';
import type { Expr } from '@millrace/sql';
import { isDynamic } from '../model/types.js';
import type { ScalarType } from '../model/types.js';
import { sameText } from './json/json-parts.js';

/**
 * Equality of the language: `==` is false and `!=` true if one side is null, so that `field != "x"`
 * keeps rows without the field. SQL would give NULL. Negated string tests follow the same rule.
 */

/** `a == b`, never null. */
export const equal = (a: Expr, b: Expr): Expr => orFalse(call('equals', a, b));

/** `a != b`, never null. */
export const notEqual = (a: Expr, b: Expr): Expr => call('ifNull', call('notEquals', a, b), literal(true));

/** A test where null counts as false. */
export const orFalse = (test: Expr): Expr =>
  withoutOrFalse(test) === test ? call('ifNull', test, literal(false)) : test;

/** The test in `orFalse(test)`; any other one as it is. */
export function withoutOrFalse(test: Expr): Expr {
  if (test.kind !== 'call' || test.name !== 'ifNull') return test;
  const { args, wants } = test;
  const [inner, otherwise] = args;
  if (inner === undefined || otherwise?.kind !== 'literal' || otherwise.value !== false) return test;
  return inner.kind === 'call' && wants !== undefined ? { ...inner, wants } : inner;
}

/** The opposite of a test where null counts as false: true for null. */
export const negate = (test: Expr): Expr => not(orFalse(test));

interface TypedSql {
  readonly sql: Expr;
  readonly type: ScalarType;
}

/**
 * A real in which 0 and -0, which are equal, have the same bits: keys of groups and joins are
 * compared by bits.
 */
export const oneZero = ({ sql, type }: TypedSql): Expr => (type === 'real' ? call('plus', sql, literal(0)) : sql);

/** A value with the same bits as all values that equal it. */
export const equalBits = (value: TypedSql): Expr => (isDynamic(value.type) ? sameText(value.sql) : oneZero(value));

/** `then`, or null if one of the given is null. */
export const whereAll = (present: readonly Expr[], then: Expr): Expr =>
  call('if', and(...present.map((p) => call('isNotNull', p))), then, literal(null));
