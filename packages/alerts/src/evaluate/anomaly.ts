import type { Monitor } from '@millrace/api/schemas/monitor';
import type { GroupEvaluation, EvaluationResult } from './evaluation.js';
import { groupKey } from './evaluation.js';
import { withEmptyBins } from './empty-bins.js';
import { type Point, type Series, seriesIn } from './series.js';
import { zerosAtEnd } from './zeros-at-end.js';
import type { ResultTable } from './result-table.js';

/**
 * Anomalies: the newest points of a series over time against the points before them. Expected is
 * their median, and the tolerance counts in units of their usual distance from it. A median follows
 * a new level once most points have it, so an alert ends even if values do not go back.
 */

type AnomalyCondition = Pick<
  Monitor,
  'operator' | 'tolerance' | 'columnName' | 'notifyByGroup' | 'intervalMinutes' | 'compareDays'
>;

interface SeriesWindow {
  /** Milliseconds since the epoch; a bin that ends later is not complete. */
  readonly end: number;
  /** The same query `compareDays` earlier, if the monitor compares with it. */
  readonly past?: ResultTable;
}

export const anomaliesNeedSeries =
  'anomalies need a series over time: end the query with summarize … by bin(_time, 1m)';

export function evaluateAnomaly(
  table: ResultTable,
  monitor: AnomalyCondition,
  { end, past }: SeriesWindow,
): EvaluationResult {
  const { binSize } = table;
  if (binSize === undefined) return { kind: 'error', problem: anomaliesNeedSeries };
  const bin = Number(binSize / 1_000_000n);
  const found = seriesIn(table, monitor);
  if (found.kind === 'no-column') return { kind: 'error', problem: found.problem };
  const before = past === undefined ? undefined : seriesIn(past, monitor);
  const pastOf = new Map(
    before?.kind === 'found' ? before.series.map((series) => [groupKey(series.labels), series] as const) : [],
  );
  const counts = new Set(table.columns.flatMap(({ name, isCount }) => (isCount === true ? [name] : [])));
  const isCount = ([point]: readonly Point[]): boolean => counts.has(point?.column ?? '');
  const wholePoints = (points: readonly Point[]): readonly Point[] => {
    const complete = points.filter(({ time }) => Date.parse(time) + bin <= end);
    return isCount(complete) ? withEmptyBins(complete, { bin, end }) : complete;
  };
  const readings = found.series.flatMap((series) =>
    columnsOf(series).map((points) =>
      readingOf({ labels: series.labels, points: wholePoints(points) }, monitor, {
        end,
        bin,
        isCount: isCount(points),
        past: pastOf.get(groupKey(series.labels)),
      }),
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

function worstOfEach(readings: readonly GroupEvaluation[]): readonly GroupEvaluation[] {
  const worst = new Map<string, GroupEvaluation>();
  for (const reading of readings) {
    const key = groupKey(reading.labels);
    const known = worst.get(key);
    if (known === undefined || (reading.violates && !known.violates)) worst.set(key, reading);
  }
  return [...worst.values()];
}

/** With fewer points, the expected range is unknown. */
const minPoints = 10;
const dayMilliseconds = 86_400_000;

interface Place {
  readonly end: number;
  readonly bin: number;
  readonly isCount: boolean;
  readonly past: Series | undefined;
}

function readingOf(
  { labels, points }: Series,
  monitor: AnomalyCondition,
  { end, bin, isCount, past }: Place,
): GroupEvaluation {
  const latest = points.at(-1);
  const quiet: GroupEvaluation = { labels, violates: false, ...(latest !== undefined && { value: latest.value }) };
  if (points.length < minPoints) return quiet;
  const since = Math.min(end - monitor.intervalMinutes * 60_000, Date.parse(latest!.time) + bin - 1);
  // Backward, because the latest anomaly is reported.
  for (let i = points.length - 1; i >= minPoints - 1; i--) {
    const point = points[i]!;
    if (Date.parse(point.time) + bin <= since) break;
    const expected = usualAmong(
      points.slice(0, i).map(({ value }) => value),
      monitor.tolerance || 3,
    );
    const side = outside(point.value, expected, monitor.operator);
    if (side === undefined || !standsOutOf(past, point, monitor, expected, side)) continue;
    return { labels, violates: true, value: point.value, expected: { low: expected.low, high: expected.high } };
  }
  return (isCount ? judgeStop({ labels, points }, monitor, past) : undefined) ?? quiet;
}

/**
 * Traffic that stopped, where counts vary so much that a single 0 is within the expected range:
 * three zeros in a row, and more than twice as many as ever before.
 */
function judgeStop(
  { labels, points }: Series,
  monitor: AnomalyCondition,
  past: Series | undefined,
): GroupEvaluation | undefined {
  const values = points.map(({ value }) => value);
  const { count, longestBefore } = zerosAtEnd(values);
  const before = values.slice(0, values.length - count);
  if (before.length < minPoints || count < 2 * longestBefore + 3) return undefined;
  const { low, high } = usualAmong(before, monitor.tolerance || 3);
  const expected = { low: Math.max(1, low), high };
  const latest = points.at(-1)!;
  const side = outside(latest.value, expected, monitor.operator);
  if (side !== 'below' || !standsOutOf(past, latest, monitor, { margin: 0 }, side)) return undefined;
  return { labels, violates: true, value: latest.value, expected };
}

interface Usual {
  readonly low: number;
  readonly high: number;
  readonly margin: number;
}

/**
 * Computes the expected range of values: the median, plus and minus `tolerance` times the usual
 * distance from it.
 */
function usualAmong(values: readonly number[], tolerance: number): Usual {
  const middle = median(values);
  const distances = values.map((value) => Math.abs(value - middle));
  // 1.4826 scales the median deviation to the standard deviation of a normal distribution.
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

function outside(
  value: number,
  { low, high }: Pick<Usual, 'low' | 'high'>,
  operator: Monitor['operator'],
): Side | undefined {
  const above = operator === 'Above' || operator === 'AboveOrEqual' || operator === 'AboveOrBelow';
  const below = operator === 'Below' || operator === 'BelowOrEqual' || operator === 'AboveOrBelow';
  if (above && value > high) return 'above';
  return below && value < low ? 'below' : undefined;
}

/**
 * With `compareDays`, a point must also differ from the points at the same time on that day; if
 * there are none, the comparison is skipped.
 */
function standsOutOf(
  past: Series | undefined,
  point: Point,
  { compareDays }: AnomalyCondition,
  { margin }: Pick<Usual, 'margin'>,
  side: Side,
): boolean {
  if (compareDays === 0) return true;
  const then = Date.parse(point.time) - compareDays * dayMilliseconds;
  const before = past?.points.find(({ time, column }) => column === point.column && Date.parse(time) === then);
  if (before === undefined) return true;
  return side === 'above' ? point.value > before.value + margin : point.value < before.value - margin;
}
