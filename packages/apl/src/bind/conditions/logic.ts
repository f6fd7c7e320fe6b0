import { scalarOperator } from '../../functions/operators/index.js';
import { anyOf } from '../../functions/operators/logic.js';
import { constant } from '../../plan/scalar.js';
import type { Scalar } from '../../plan/scalar.js';
import { apply } from '../calls/calls.js';
import type { QueryContext } from '../context.js';

/** Conditions made of conditions that are bound already. */

const conjunction = scalarOperator('and').overloads[0]!;
const disjunction = scalarOperator('or').overloads[0]!;
const negation = scalarOperator('not').overloads[0]!;

export const notOf = (test: Scalar, query: QueryContext): Scalar => apply('not', negation, [test], query);

export const bothOf = (left: Scalar, right: Scalar, query: QueryContext): Scalar =>
  apply('and', conjunction, [left, right], query);

export const eitherOf = (left: Scalar, right: Scalar, query: QueryContext): Scalar =>
  apply('or', disjunction, [left, right], query);

/** Any number of alternatives in one call; false if there are none. */
export function oneOf(tests: readonly Scalar[], query: QueryContext): Scalar {
  const [only, ...others] = tests;
  if (only === undefined) return constant('bool', false);
  return others.length === 0 ? only : apply('or', anyOf, tests, query);
}
