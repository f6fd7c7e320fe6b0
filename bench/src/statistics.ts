/** The values of several runs of one thing, in order. */
export type Runs = readonly number[];

const sorted = (values: Runs): number[] => values.toSorted((a, b) => a - b);

/** @param share from 0 to 1 */
export function quantile(values: Runs, share: number): number {
  const order = sorted(values);
  if (order.length === 0) return Number.NaN;
  const at = (order.length - 1) * share;
  const low = order[Math.floor(at)]!;
  const high = order[Math.ceil(at)]!;
  return low + (high - low) * (at - Math.floor(at));
}

export const median = (values: Runs): number => quantile(values, 0.5);

/** Half the distance between the largest and the smallest, as a share of the median. */
export const spread = (values: Runs): number =>
  values.length < 2 ? 0 : (Math.max(...values) - Math.min(...values)) / 2 / median(values);

/** Ratios run by run, because a disturbance of the machine affects neighbouring runs alike. */
export const ratios = (ours: Runs, theirs: Runs): Runs =>
  ours.slice(0, theirs.length).map((value, i) => value / theirs[i]!);
