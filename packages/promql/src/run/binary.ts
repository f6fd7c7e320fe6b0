import type { Work } from '@millrace/mpl';
import { isComparison, type ValueOperator } from '../model/operators.js';
import { withoutName } from '../model/labels.js';
import type { Binary } from '../syntax/ast.js';
import { calculate } from './calculate.js';
import { checkSize, type GridSeries, newSeries } from './values.js';

/** Operators with a scalar on at least one side. */

type Operation = Pick<Binary, 'bool'> & { readonly op: ValueOperator };

/** Whether values that fail the comparison are left out. */
export const isFilter = ({ op, bool }: Operation): boolean => isComparison(op) && !bool;

export const ofScalars = ({ op }: Operation, left: Float64Array, right: Float64Array): Float64Array =>
  left.map((value, i) => calculate[op](value, right[i]!));

/** @param side on which the vector stands */
export function* withScalar(
  operation: Operation,
  series: readonly GridSeries[],
  scalar: Float64Array,
  side: 'left' | 'right',
  work: Work,
): Generator<void, readonly GridSeries[]> {
  checkSize(series.length, scalar.length);
  const filters = isFilter(operation);
  const fn = calculate[operation.op];
  const results: GridSeries[] = [];
  for (const { labels, values, present } of series) {
    const result = newSeries(filters ? labels : withoutName(labels), scalar.length, work);
    for (let i = 0; i < present.length; i++) {
      if (present[i] === 0) continue;
      const value = values[i]!;
      const calculated = side === 'left' ? fn(value, scalar[i]!) : fn(scalar[i]!, value);
      if (filters && calculated === 0) continue;
      result.values[i] = filters ? value : calculated;
      result.present[i] = 1;
    }
    results.push(result);
    if (work.isDue(present.length)) yield;
  }
  return results;
}
