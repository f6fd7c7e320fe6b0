/** Scales of a heat map that a few values far away from the others must not decide. */

/** This part of the cells has the shades between. */
const TYPICAL = 0.98;
/** So many times as much as those is far away. */
const FAR = 4;

/** The count from which on a cell has the deepest shade: the largest, unless that is far away. */
export function deepestOf(counts: readonly (readonly number[])[]): number {
  const there = counts
    .flat()
    .filter((count) => count > 0)
    .toSorted((a, b) => a - b);
  const most = there.at(-1) ?? 0;
  const typical = there[Math.floor((there.length - 1) * TYPICAL)] ?? 0;
  return most > FAR * typical ? typical : most;
}

/** Values between two numbers, and how many. */
export interface Bin {
  readonly from: number;
  readonly to: number;
  readonly count: number;
}

/** So few of the values may not take the larger part of the scale. */
const RARE = 0.02;

/**
 * The edges of so many rows, from the lowest to the highest. They are as far from one another as
 * possible, unless a few values far away would leave all others the smaller part: those are in the
 * last row then, or in the first.
 */
export function edgesOf(bins: readonly Bin[], rows: number): readonly number[] {
  const low = bins.reduce((least, { from }) => Math.min(least, from), Infinity);
  const high = bins.reduce((most, { to }) => Math.max(most, to), -Infinity);
  const rare = RARE * bins.reduce((sum, { count }) => sum + count, 0);
  const top = beyond(
    bins.map(({ to, count }) => [to, count] as const).toSorted(([a], [b]) => b - a),
    rare,
  );
  const bottom = beyond(
    bins.map(({ from, count }) => [from, count] as const).toSorted(([a], [b]) => a - b),
    rare,
  );
  const far = (high - low) / 2;
  const last = top !== undefined && high - top > far ? top : high;
  const first = bottom !== undefined && bottom - low > far ? bottom : low;
  const within = rows - (last < high ? 1 : 0) - (first > low ? 1 : 0);
  const width = (last - first) / within || 1;
  return [
    ...(first > low ? [low] : []),
    ...Array.from({ length: within + 1 }, (_, edge) => first + edge * width),
    ...(last < high ? [high] : []),
  ];
}

/** The first value, from one end on, up to which there are more than a few. */
function beyond(values: readonly (readonly [value: number, count: number])[], few: number): number | undefined {
  let passed = 0;
  for (const [value, count] of values) {
    passed += count;
    if (passed > few) return value;
  }
  return undefined;
}
