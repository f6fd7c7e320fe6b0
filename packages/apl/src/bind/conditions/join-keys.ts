import { call } from '@millrace/sql';
import { defineOverload, param } from '../../functions/define.js';
import { shareSubexpression } from '../../lower/shared-subexpressions.js';
import type { Bound, Scalar } from '../../plan/scalar.js';
import { apply } from '../calls/calls.js';
import { single } from '../values/coerce.js';
import { equalPairOf, isNumber, noteReadings } from './pairs.js';
import type { Span } from '../../syntax/ast.js';
import type { QueryContext } from '../context.js';
import { exactInteger, isIntegerType } from '../values/exact-integer.js';
import { toLookupKey } from './findable.js';
import { int64OrNull } from '../../lower/values.js';

/** The keys of a join: one value of each side. */
export interface KeyPair {
  readonly left: Scalar;
  readonly right: Scalar;
}

/**
 * The two sides of a condition as keys that have the same bits where `==` is true, and otherwise
 * differ or are null; undefined if values of these types are never equal. Type variants that
 * compare with none on the other side are dropped: their values match nothing. A field of several
 * types is compared with a dynamic value as JSON: no key could match both 3 and "3", as `==` does.
 */
export function joinKeys(left: Bound, right: Bound, span: Span, query: QueryContext): KeyPair | undefined {
  const note = (): void => noteReadings([left, right], [{ span }, { span }], query);
  const pairs = left.flatMap((a) =>
    right.flatMap((b) => equalPairOf(a, b, query).map((pair) => ({ a, b, keys: keysOf(...pair, query) }))),
  );
  const [first, ...others] = pairs;
  if (first === undefined) return undefined;
  if (others.length === 0) {
    note();
    return first.keys;
  }
  const { type } = first.keys.left;
  if (pairs.every(({ keys }) => keys.left.type === type && keys.right.type === type)) {
    note();
    return {
      left: oneOf(new Map(pairs.map(({ a, keys }) => [a, keys.left]))),
      right: oneOf(new Map(pairs.map(({ b, keys }) => [b, keys.right]))),
    };
  }
  if (pairs.every(({ a, b }) => isNumber(a.type) && isNumber(b.type)))
    return {
      left: oneOf(new Map(pairs.map(({ a }) => [a, digits(a, query)]))),
      right: oneOf(new Map(pairs.map(({ b }) => [b, digits(b, query)]))),
    };
  // Several types on both sides: as JSON.
  const [l, r] = [oneOf(new Map(pairs.map(({ a }) => [a, a]))), oneOf(new Map(pairs.map(({ b }) => [b, b])))];
  const [whole] = equalPairOf(l, r, query);
  return whole === undefined ? undefined : keysOf(...whole, query);
}

/** Merges the type variants of a field into one value; at most one is set per row. */
function oneOf(byReading: ReadonlyMap<Scalar, Scalar>): Scalar {
  const [first, ...others] = byReading.values();
  return single([first!, ...others]);
}

/**
 * The digits of a number, equal for an integer and the equal real. Reals have too few digits for
 * all integers.
 */
const digits = (scalar: Scalar, query: QueryContext): Scalar =>
  apply('digits', isIntegerType(scalar.type) ? digitsOfInteger : digitsOfReal, [toLookupKey(scalar, query)], query);

const digitsOfInteger = defineOverload({
  params: [param('number', 'long')],
  returns: 'string',
  lower: ([number]) => call('toString', number.sql),
});

const digitsOfReal = defineOverload({
  params: [param('number', 'real')],
  returns: 'string',
  lower: ([number]) =>
    shareSubexpression(number.sql, (real) =>
      call('coalesce', call('toString', int64OrNull(real)), call('toString', real)),
    ),
});

/**
 * Keys of two comparable values. A real compared with an integer becomes the equal integer, because
 * reals have too few digits for all integers.
 */
function keysOf(left: Scalar, right: Scalar, query: QueryContext): KeyPair {
  if (left.type === 'real' && isIntegerType(right.type)) return { left: exactInteger(left, query), right };
  if (right.type === 'real' && isIntegerType(left.type)) return { left, right: exactInteger(right, query) };
  return { left: toLookupKey(left, query), right: toLookupKey(right, query) };
}
