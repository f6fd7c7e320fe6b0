/** Heat map scales that are robust against outliers. */

/** Quantile of cells that share the graded shades. */
const TYPICAL = 0.98;
/** Factor above that quantile from which a count is an outlier. */
const FAR = 4;

/** Count of the deepest shade: the maximum, unless it is an outlier. */
export function deepestOf(counts: readonly (readonly number[])[]): number {
  const there = counts
    .flat()
    .filter((count) => count > 0)
    .toSorted((a, b) => a - b);
  const max = there.at(-1) ?? 0;
  const typical = there[Math.floor((there.length - 1) * TYPICAL)] ?? 0;
  return max > FAR * typical ? typical : max;
}

/** Values in a range, and their number. */
export interface Bin {
  readonly from: number;
  readonly to: number;
  readonly count: number;
}

/** At most this fraction of the values counts as outliers. */
const RARE = 0.02;

/**
 * Edges of rows, lowest to highest, equally spaced. If outliers would squeeze the other values into
 * less than half of the scale, they share the last or the first row.
 */
export function edgesOf(bins: readonly Bin[], rows: number): readonly number[] {
  const low = bins.reduce((min, { from }) => Math.min(min, from), Infinity);
  const high = bins.reduce((max, { to }) => Math.max(max, to), -Infinity);
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

/** First value, from one end, that is not among the outliers. */
function beyond(values: readonly (readonly [value: number, count: number])[], few: number): number | undefined {
  let passed = 0;
  for (const [value, count] of values) {
    passed += count;
    if (passed > few) return value;
  }
  return undefined;
}
