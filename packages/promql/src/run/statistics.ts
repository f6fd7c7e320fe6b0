/** Statistics of values; there is at least one. */

type Values = Float64Array;

/** Sums with the error of each addition added at the end. */
export function sum(values: Values): number {
  let [total, error] = [0, 0];
  for (const value of values) {
    const next = total + value;
    // Infinities have no error.
    if (Number.isFinite(next))
      error += Math.abs(total) >= Math.abs(value) ? total - next + value : value - next + total;
    total = next;
  }
  return total + error;
}

export const mean = (values: Values): number => sum(values) / values.length;

/** NaN only if all are. */
export function minOf(values: Values): number {
  let min = values[0]!;
  for (const value of values) if (value < min || Number.isNaN(min)) min = value;
  return min;
}

/** NaN only if all are. */
export function maxOf(values: Values): number {
  let max = values[0]!;
  for (const value of values) if (value > max || Number.isNaN(max)) max = value;
  return max;
}

export function variance(values: Values): number {
  const center = mean(values);
  return mean(values.map((value) => (value - center) ** 2));
}

export const deviation = (values: Values): number => Math.sqrt(variance(values));

/** Linear between the two values around the rank. */
export function quantile(share: number, values: Values): number {
  if (Number.isNaN(share)) return Number.NaN;
  if (share < 0) return -Infinity;
  if (share > 1) return Infinity;
  // A typed array sorts NaN last; here it is less than all other values.
  const sorted = values.toSorted();
  const missing = sorted.findIndex(Number.isNaN);
  const order = missing < 0 ? sorted : Float64Array.of(...sorted.subarray(missing), ...sorted.subarray(0, missing));
  const rank = share * (order.length - 1);
  const lower = Math.floor(rank);
  const upper = Math.min(order.length - 1, lower + 1);
  const weight = rank - lower;
  return order[lower]! * (1 - weight) + order[upper]! * weight;
}

/** Median of the distances from the median. */
export function medianDistance(values: Values): number {
  const median = quantile(0.5, values);
  return quantile(
    0.5,
    values.map((value) => Math.abs(value - median)),
  );
}
