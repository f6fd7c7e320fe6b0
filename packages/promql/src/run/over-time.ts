import { deviation, maxOf, mean, medianDistance, quantile, minOf, sum, variance } from './statistics.js';
import type { RangeFunction } from './windows.js';

/** Statistics of the points of a window. */

const over =
  (statistic: (values: Float64Array) => number): RangeFunction =>
  ({ values }) =>
  ({ from, to }) =>
    statistic(values.subarray(from, to));

export const overTimeFunctions = {
  avg_over_time: over(mean),
  min_over_time: over(minOf),
  max_over_time: over(maxOf),
  sum_over_time: over(sum),
  count_over_time: over(({ length }) => length),
  last_over_time: over((values) => values.at(-1)!),
  first_over_time: over((values) => values[0]!),
  present_over_time: over(() => 1),
  stddev_over_time: over(deviation),
  stdvar_over_time: over(variance),
  mad_over_time: over(medianDistance),
  quantile_over_time:
    ({ values }) =>
    ({ from, to, argument }) =>
      quantile(argument, values.subarray(from, to)),
} as const satisfies Readonly<Record<string, RangeFunction>>;
