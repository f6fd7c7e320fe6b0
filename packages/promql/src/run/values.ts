import { BoundExceeded, metricsBounds, type Work } from '@millrace/mpl';
import { EvaluationProblem } from '../model/problems.js';
import { type Labels, labelsKey } from '../model/labels.js';

/** Points of a series in the order of their times, milliseconds. */
export interface PointSeries {
  readonly labels: Labels;
  readonly times: Float64Array;
  readonly values: Float64Array;
  /** 1 where the series ends until its next point, which is no value; nowhere if left out. */
  readonly ends?: Uint8Array;
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
  /** The series are stored ones, or parts of them. */
  readonly isStored: boolean;
}

export type Value =
  | { readonly kind: 'scalar'; readonly values: Float64Array }
  | { readonly kind: 'string'; readonly value: string }
  | { readonly kind: 'vector'; readonly series: readonly GridSeries[] }
  | Matrix;

/** @throws BoundExceeded when the values would not fit into memory */
export function checkSize(series: number, length: number): void {
  if (series * length > metricsBounds.cells.max)
    throw new BoundExceeded(metricsBounds.cells, 'select fewer series, use a longer step, or shorten the time range');
}

/** @throws WorkExceeded */
export function newSeries(labels: Labels, length: number, work: Work): GridSeries {
  work.create('value', length);
  return { labels, values: new Float64Array(length), present: new Uint8Array(length) };
}

/** Work on the labels of a series, in samples. */
export const samplesPerSeries = 20;

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
export function joinSeries(
  series: readonly GridSeries[],
  work: Work,
  message = 'vector cannot contain metrics with the same labelset',
): readonly GridSeries[] {
  work.touch(samplesPerSeries * series.length);
  const groups = groupBy(series, ({ labels }) => labelsKey(labels));
  if (groups.size === series.length) return series;
  return [...groups.values()].map((group) => {
    if (group.length === 1) return group[0]!;
    if (overlapOf(group) >= 0) throw new EvaluationProblem(message);
    const all = newSeries(group[0]!.labels, group[0]!.values.length, work);
    work.touch(group.length * all.present.length);
    for (const { values, present } of group)
      for (let i = 0; i < present.length; i++) {
        if (present[i] === 0) continue;
        all.present[i] = 1;
        all.values[i] = values[i]!;
      }
    return all;
  });
}
