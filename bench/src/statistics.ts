/** The values of several runs of one thing, in order. */
export type Runs = readonly number[];

const sortAscending = (values: Runs): number[] => values.toSorted((a, b) => a - b);

/** @param share from 0 to 1 */
export function quantile(values: Runs, share: number): number {
  const order = sortAscending(values);
  if (order.length === 0) return Number.NaN;
  const at = (order.length - 1) * share;
  const low = order[Math.floor(at)]!;
  const high = order[Math.ceil(at)]!;
  return low + (high - low) * (at - Math.floor(at));
}

export const median = (values: Runs): number => quantile(values, 0.5);

/**
 * The middle half of the values. Unlike the extremes, its ends do not move apart with more runs.
 */
export const middle = (values: Runs): readonly [from: number, to: number] => [
  quantile(values, 0.25),
  quantile(values, 0.75),
];

/** Half the width of the middle half, as a share of the median. */
export function relativeSpread(values: Runs): number {
  const [from, to] = middle(values);
  return (to - from) / 2 / Math.abs(median(values));
}

/** Ratios run by run, because a disturbance of the machine affects neighboring runs alike. */
export const ratios = (ours: Runs, theirs: Runs): Runs =>
  ours.slice(0, theirs.length).map((value, i) => value / theirs[i]!);
