import type { Monitor } from '../../schemas/monitor.js';
import type { Reading, Verdict } from './reading.js';
import { groupKey } from './reading.js';
import { type Point, type Series, seriesIn } from './series.js';
import type { ResultTable } from './result-table.js';

/**
 * Anomalies: the newest points of a series over time against the points before them. Expected is
 * their median, and the tolerance counts in units of their usual distance from it. A median follows
 * a new level once most points have it, so an alert ends even if values do not go back.
 */

type Comparing = Pick<
  Monitor,
  'operator' | 'tolerance' | 'columnName' | 'notifyByGroup' | 'intervalMinutes' | 'compareDays'
>;

interface SeriesWindow {
  /** Milliseconds since the epoch; a bin that ends later is not complete. */
  readonly end: number;
  /** The same query so many days before, if the monitor compares with that. */
  readonly past?: ResultTable;
}

export function readAnomaly(table: ResultTable, monitor: Comparing, { end, past }: SeriesWindow): Verdict {
  const { binSize } = table;
  if (binSize === undefined)
    return {
      kind: 'error',
      problem: 'anomalies need a series over time: end the query with summarize … by bin(_time, 1m)',
    };
  const found = seriesIn(table, monitor);
  if (found.kind === 'no-column') return { kind: 'error', problem: found.problem };
  const before = past === undefined ? undefined : seriesIn(past, monitor);
  const pastOf = new Map(
    before?.kind === 'found' ? before.series.map((series) => [groupKey(series.labels), series] as const) : [],
  );
  const bin = Number(binSize / 1_000_000n);
  const readings = found.series.flatMap((series) =>
    columnsOf(series).map((points) =>
      readingOf(
        { labels: series.labels, points: points.filter(({ time }) => Date.parse(time) + bin <= end) },
        monitor,
        { end, bin, past: pastOf.get(groupKey(series.labels)) },
      ),
    ),
  );
  const noData = found.series.every(({ points }) => points.length === 0);
  if (monitor.notifyByGroup) return { kind: 'read', keys: found.keys, readings: worstOfEach(readings), noData };
  const [worst = { labels: [], violates: false }] = worstOfEach(
    readings.map((reading) => ({ ...reading, labels: [] })),
  );
  return { kind: 'read', keys: [], readings: [worst], noData };
}

/** Values of different columns are no series together. */
function columnsOf({ points }: Series): readonly (readonly Point[])[] {
  const names = new Set(points.map(({ column }) => column));
  return [...names].map((name) => points.filter(({ column }) => column === name));
}

function worstOfEach(readings: readonly Reading[]): readonly Reading[] {
  const worst = new Map<string, Reading>();
  for (const reading of readings) {
    const key = groupKey(reading.labels);
    const known = worst.get(key);
    if (known === undefined || (reading.violates && !known.violates)) worst.set(key, reading);
  }
  return [...worst.values()];
}

/** Fewer say nothing about what is usual. */
const leastPoints = 10;
const dayMilliseconds = 86_400_000;

interface Place {
  readonly end: number;
  readonly bin: number;
  readonly past: Series | undefined;
}

function readingOf({ labels, points }: Series, monitor: Comparing, { end, bin, past }: Place): Reading {
  const latest = points.at(-1);
  const quiet: Reading = { labels, violates: false, ...(latest !== undefined && { value: latest.value }) };
  if (points.length < leastPoints) return quiet;
  const since = Math.min(end - monitor.intervalMinutes * 60_000, Date.parse(latest!.time) + bin - 1);
  // From the newest back: the latest that stands out is told of.
  for (let i = points.length - 1; i >= leastPoints - 1; i--) {
    const point = points[i]!;
    if (Date.parse(point.time) + bin <= since) break;
    const usual = usualAmong(
      points.slice(0, i).map(({ value }) => value),
      monitor.tolerance || 3,
    );
    const side = outside(point.value, usual, monitor.operator);
    if (side === undefined || !standsOutOf(past, point, monitor, usual, side)) continue;
    return { labels, violates: true, value: point.value, usual: { low: usual.low, high: usual.high } };
  }
  return quiet;
}

interface Usual {
  readonly low: number;
  readonly high: number;
  readonly margin: number;
}

/** What is usual among values: their median, and so many times the usual distance from it. */
function usualAmong(values: readonly number[], tolerance: number): Usual {
  const middle = median(values);
  const distances = values.map((value) => Math.abs(value - middle));
  // 1.4826 makes of the median distance what the standard deviation is for values that spread
  // normally.
  const spread =
    1.4826 * median(distances) ||
    distances.reduce((sum, distance) => sum + distance, 0) / distances.length ||
    Math.max(1e-9, 0.01 * Math.abs(middle));
  const margin = tolerance * spread;
  return { low: middle - margin, high: middle + margin, margin };
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const half = sorted.length / 2;
  return (sorted[Math.ceil(half) - 1]! + sorted[Math.floor(half)]!) / 2;
}

type Side = 'above' | 'below';

function outside(value: number, { low, high }: Usual, operator: Monitor['operator']): Side | undefined {
  const above = operator === 'Above' || operator === 'AboveOrEqual' || operator === 'AboveOrBelow';
  const below = operator === 'Below' || operator === 'BelowOrEqual' || operator === 'AboveOrBelow';
  if (above && value > high) return 'above';
  return below && value < low ? 'below' : undefined;
}

/**
 * With days to compare with, a point must also stand out of what there was at that time; if there
 * was nothing, that says nothing.
 */
function standsOutOf(
  past: Series | undefined,
  point: Point,
  { compareDays }: Comparing,
  { margin }: Usual,
  side: Side,
): boolean {
  if (compareDays === 0) return true;
  const then = Date.parse(point.time) - compareDays * dayMilliseconds;
  const before = past?.points.find(({ time, column }) => column === point.column && Date.parse(time) === then);
  if (before === undefined) return true;
  return side === 'above' ? point.value > before.value + margin : point.value < before.value - margin;
}
