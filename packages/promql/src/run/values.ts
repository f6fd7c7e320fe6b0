import { BoundExceeded, metricsBounds } from '@millrace/mpl';
import { EvaluationProblem } from '../model/problems.js';
import { type Labels, labelsKey } from '../model/labels.js';

/** Points of a series in the order of their times, milliseconds. */
export interface PointSeries {
  readonly labels: Labels;
  readonly times: Float64Array;
  readonly values: Float64Array;
}

/** A series with at most one value per time of the grid; NaN is a value. */
export interface GridSeries {
  readonly labels: Labels;
  readonly values: Float64Array;
  /** 1 where there is a value. */
  readonly present: Uint8Array;
}

/** The windows of a range vector, one per time of the grid: after `ends - range`, up to `ends`. */
export interface Matrix {
  readonly kind: 'matrix';
  readonly series: readonly PointSeries[];
  readonly ends: Float64Array;
  readonly range: number;
}

export type Value =
  | { readonly kind: 'scalar'; readonly values: Float64Array }
  | { readonly kind: 'string'; readonly value: string }
  | { readonly kind: 'vector'; readonly series: readonly GridSeries[] }
  | Matrix;

/** Work between two chances to let others run: points or values. */
const workPerTurn = 50_000;

/** Counts work; `isDue` says that it is time to yield. */
export class Work {
  #done = 0;

  isDue(amount: number): boolean {
    this.#done += amount;
    if (this.#done < workPerTurn) return false;
    this.#done = 0;
    return true;
  }
}

/** @throws BoundExceeded when the values would not fit into memory */
export function checkSize(series: number, length: number): void {
  if (series * length > metricsBounds.cells.max)
    throw new BoundExceeded(metricsBounds.cells, 'select fewer series, use a longer step, or shorten the time range');
}

export const newSeries = (labels: Labels, length: number): GridSeries => ({
  labels,
  values: new Float64Array(length),
  present: new Uint8Array(length),
});

export const hasValues = ({ present }: GridSeries): boolean => present.includes(1);

export function groupBy<T>(items: readonly T[], keyOf: (item: T) => string): ReadonlyMap<string, readonly T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return groups;
}

/** The first time at which two of the series have a value; -1 if there is none. */
export function overlapOf(series: readonly GridSeries[]): number {
  const [first, ...others] = series;
  if (first === undefined || others.length === 0) return -1;
  const taken = first.present.slice();
  for (const { present } of others)
    for (let i = 0; i < present.length; i++) {
      if (present[i] === 0) continue;
      if (taken[i] === 1) return i;
      taken[i] = 1;
    }
  return -1;
}

/**
 * Joins series whose labels have become equal.
 * @throws EvaluationProblem if two of them have values at the same time
 */
export function joined(
  series: readonly GridSeries[],
  message = 'vector cannot contain metrics with the same labelset',
): readonly GridSeries[] {
  const groups = groupBy(series, ({ labels }) => labelsKey(labels));
  if (groups.size === series.length) return series;
  return [...groups.values()].map((group) => {
    if (group.length === 1) return group[0]!;
    if (overlapOf(group) >= 0) throw new EvaluationProblem(message);
    const all = newSeries(group[0]!.labels, group[0]!.values.length);
    for (const { values, present } of group)
      for (let i = 0; i < present.length; i++) {
        if (present[i] === 0) continue;
        all.present[i] = 1;
        all.values[i] = values[i]!;
      }
    return all;
  });
}
