import { and, call, column, integer, lambda, literal } from '@millrace/sql';
import type { Expr } from '@millrace/sql';
import { shareSubexpression } from '../../lower/shared-subexpressions.js';

/** Arrays of numbers that series are made of. */

export const zeroIfNotFinite = (value: Expr): Expr => call('ifNotFinite', value, literal(0));
export const mapArray = (array: Expr, name: string, body: Expr): Expr => call('arrayMap', lambda([name], body), array);
export const arrayIndexes = (count: Expr): Expr => call('range', call('toUInt64', count));

/**
 * The median of the numbers at each place of a period, over `count` positions; zeros if the series
 * does not have two periods.
 */
export function mediansOf(numbers: Expr, period: Expr, count: Expr): Expr {
  const isThere = call('equals', call('modulo', column('k'), period), column('i'));
  const ofPlace = call('arrayFilter', lambda(['x', 'k'], isThere), numbers, arrayIndexes(call('length', numbers)));
  const medians = mapArray(
    arrayIndexes(period),
    'i',
    zeroIfNotFinite(call('arrayReduce', literal('quantileExactInclusive(0.5)'), ofPlace)),
  );
  const isUseful = and(
    call('greater', period, integer(1)),
    call('greaterOrEquals', call('length', numbers), call('multiply', integer(2), period)),
  );
  const zeros = call('arrayWithConstant', count, call('toFloat64', literal(0)));
  return shareSubexpression(medians, (found) => {
    const at = call('arrayElement', found, call('plus', call('modulo', column('i'), period), integer(1)));
    return call('if', isUseful, mapArray(arrayIndexes(count), 'i', at), zeros);
  });
}
