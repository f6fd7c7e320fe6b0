import type { Monitor } from '@millrace/api/schemas/monitor';
import type { GroupEvaluation, EvaluationResult } from './evaluation.js';
import { type Point, type Series, seriesIn } from './series.js';
import type { ResultTable } from './result-table.js';

/** Threshold monitors: the condition is met if any number of the result violates the threshold. */

type ThresholdCondition = Pick<
  Monitor,
  'operator' | 'threshold' | 'recoveryThreshold' | 'columnName' | 'notifyByGroup'
>;

export function evaluateThreshold(table: ResultTable, monitor: ThresholdCondition): EvaluationResult {
  const found = seriesIn(table, monitor);
  if (found.kind === 'no-column') return { kind: 'error', problem: found.problem };
  const points = found.series.flatMap((series) => series.points);
  const about = { kind: 'read', noData: points.length === 0, ...extremesOf(points) } as const;
  if (!monitor.notifyByGroup) return { ...about, keys: [], readings: [readingOf({ labels: [], points }, monitor)] };
  return { ...about, keys: found.keys, readings: found.series.map((series) => readingOf(series, monitor)) };
}

function extremesOf(points: readonly Point[]): Pick<Extract<EvaluationResult, { readonly kind: 'read' }>, 'extremes'> {
  const [first] = points;
  if (first === undefined) return {};
  let [min, max] = [first.value, first.value];
  for (const { value } of points) {
    min = Math.min(min, value);
    max = Math.max(max, value);
  }
  return { extremes: { min, max } };
}

function readingOf({ labels, points }: Series, monitor: ThresholdCondition): GroupEvaluation {
  const wrong = points.filter(({ value }) => violates(value, monitor));
  const recovery = { ...monitor, threshold: monitor.recoveryThreshold ?? monitor.threshold };
  const unrecovered = wrong.length > 0 ? wrong : points.filter(({ value }) => violates(value, recovery));
  const extreme = mostExtremeOfLatest(unrecovered.length > 0 ? unrecovered : points, monitor);
  return {
    labels,
    violates: wrong.length > 0,
    ...(wrong.length === 0 && unrecovered.length > 0 && { keepsOpen: true }),
    ...(extreme !== undefined && { value: extreme.value }),
  };
}

function violates(value: number, { operator, threshold }: Pick<Monitor, 'operator' | 'threshold'>): boolean {
  switch (operator) {
    case 'Above':
      return value > threshold;
    case 'AboveOrEqual':
      return value >= threshold;
    case 'Below':
      return value < threshold;
    case 'BelowOrEqual':
      return value <= threshold;
    // Rejected when a monitor is written.
    case 'AboveOrBelow':
    case undefined:
      return false;
    default:
      return operator satisfies never;
  }
}

/** The most extreme violating point of the latest time. */
function mostExtremeOfLatest(points: readonly Point[], { operator }: Pick<Monitor, 'operator'>): Point | undefined {
  const latest = points.reduce<number>((time, point) => Math.max(time, millisecondsOf(point)), -Infinity);
  const low = operator === 'Below' || operator === 'BelowOrEqual';
  return points
    .filter((point) => millisecondsOf(point) === latest)
    .reduce<Point | undefined>((best, point) => {
      if (best === undefined) return point;
      return (low ? point.value < best.value : point.value > best.value) ? point : best;
    }, undefined);
}

/** All points of a table without times have the same time. */
const millisecondsOf = ({ time }: Point): number => (time === '' ? 0 : Date.parse(time));
