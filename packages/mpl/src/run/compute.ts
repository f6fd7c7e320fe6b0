import type { ComputeFunction } from '../model/functions.js';
import type { Work } from '../model/work.js';
import { tagsKey } from '../tags.js';
import { eachSeries, type Frame, type Series, type Steps } from './series.js';

/** Two queries cannot be computed with each other. */
export class ComputeProblem extends Error {}

/**
 * Combines the series of two queries that have the same tags.
 * @throws ComputeProblem when their windows differ
 */
export function* compute(left: Frame, right: Frame, fn: ComputeFunction, name: string, work: Work): Steps<Frame> {
  const [a, b] = [left.grid, right.grid];
  if (a?.start !== b?.start || a?.step !== b?.step || a?.length !== b?.length)
    throw new ComputeProblem(
      'both queries of compute need the same windows; align them to the same duration and time range',
    );
  const others = new Map(right.series.map((series) => [tagsKey(series.tags), series]));
  const series = yield* eachSeries(left.series, work, (each): Series | undefined => {
    const other = others.get(tagsKey(each.tags));
    if (other === undefined) return undefined;
    work.create('value', each.values.length);
    const values = each.values.map((value, i) => combineValues(fn, value, other.values[i]!));
    return { ...each, metric: name, type: '', temporality: '', values };
  });
  return { ...left, series: series.filter((each) => each !== undefined) };
}

function combineValues(fn: ComputeFunction, a: number, b: number): number {
  switch (fn) {
    case '+':
      return a + b;
    case '-':
      return a - b;
    case '*':
      return a * b;
    case '/':
      return b === 0 ? Number.NaN : a / b;
    case 'min':
      return Math.min(a, b);
    case 'max':
      return Math.max(a, b);
    case 'avg':
      return (a + b) / 2;
  }
}
