import type { HeatData } from '../../charts/heat-data.js';
import { type Answer, columnOf } from '../../data/results/results.js';
import { textOf } from '../../data/results/cells.js';
import { durationText, parseInstant } from '../../data/time/instants.js';
import { spanTime } from '../../waterfall/span-tree.js';

/** Rows are 1, 2, 5 and 10 of each power of ten, so that fast and slow spans both fit. */
const STEPS = [1, 2, 5] as const;

/** Number of spans by duration and time. */
export const heatQuery = (spans: string, step: bigint): string =>
  `${spans}
| where duration >= 1
| extend power = pow(10, toint(log10(duration)))
| extend size = power * case(duration >= 5 * power, 5, duration >= 2 * power, 2, 1)
| summarize spans = count() by size, at = bin(_time, ${durationText(step)})`;

/** Row of a minimum duration, counted from a nanosecond. */
const rowOf = (size: number): number => {
  const power = Math.floor(Math.log10(size) + 1e-9);
  const lead = size / 10 ** power;
  return power * STEPS.length + STEPS.findLastIndex((step) => lead > step * 0.999);
};

const boundOf = (row: number): number => STEPS[row % STEPS.length]! * 10 ** Math.floor(row / STEPS.length);

/** Undefined without data. */
export function heatOfDurations(answer: Answer, step: bigint): HeatData | undefined {
  const { head } = answer.table;
  const [sizes, counts] = [columnOf(answer, 'size'), columnOf(answer, 'spans')];
  const points = columnOf(answer, 'at').flatMap((cell, index) => {
    const at = parseInstant(textOf(cell));
    const size = Number(sizes[index]);
    return at === undefined || !(size > 0) ? [] : [{ at, row: rowOf(size), count: Number(counts[index]) }];
  });
  if (points.length === 0) return undefined;
  const range = { start: parseInstant(head.range.start)!, end: parseInstant(head.range.end)! };
  const first = range.start - (range.start % step);
  const columns = Math.max(1, Number((range.end - first + step - 1n) / step));
  const low = Math.min(...points.map(({ row }) => row));
  const rows = Math.max(...points.map(({ row }) => row)) - low + 1;
  const grid = Array.from({ length: rows }, () => Array.from({ length: columns }, () => 0));
  for (const { at, row, count } of points) {
    const place = Number((at - first) / step);
    if (place >= 0 && place < columns) grid[row - low]![place]! += count;
  }
  const bounds = grid.map((_, row) => [boundOf(row + low), boundOf(row + low + 1)] as const);
  return {
    times: grid[0]!.map((_, index) => Number(first + BigInt(index) * step) / 1e6),
    rows: bounds.map(([from, to]) => `${spanTime(from)} – ${spanTime(to)}`),
    counts: grid,
    max: Math.max(...grid.flat()),
    bounds,
  };
}
