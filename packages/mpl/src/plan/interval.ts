const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

const widths: readonly number[] = [
  ...[1, 2, 5, 10, 15, 30].map((n) => n * second),
  ...[1, 2, 5, 10, 15, 30].map((n) => n * minute),
  ...[1, 2, 3, 6, 12].map((n) => n * hour),
  day,
  7 * day,
];

/** The width of windows that suits a chart of so many points: `$__interval`. */
export function chartInterval(length: number, points = 100): number {
  const min = length / Math.min(Math.max(points, 1), 10_000);
  return widths.find((width) => width >= min) ?? Math.ceil(min / (7 * day)) * 7 * day;
}
