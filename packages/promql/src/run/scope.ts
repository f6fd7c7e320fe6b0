import { bytesOf, type Work } from '@millrace/mpl';
import { type Grid, movedTime, type QueryTimes, timesOf } from '../plan/grid.js';
import type { Expr, Selector, Subquery } from '../syntax/ast.js';
import { selectLatest } from './select.js';
import { type GridSeries, hasValues, type PointSeries, type Value } from './values.js';

/** What an expression is evaluated over. */
export interface Scope {
  readonly query: QueryTimes;
  readonly grid: Grid;
  readonly times: Float64Array;
  /** Stored points by selector. */
  readonly points: ReadonlyMap<Selector, readonly PointSeries[]>;
  /** Shared by all scopes of an evaluation. */
  readonly work: Work;
}

/** @throws WorkExceeded for a grid that is too long */
export function scopeOf(grid: Grid, { query, points, work }: Pick<Scope, 'query' | 'points' | 'work'>): Scope {
  work.create('value', grid.length);
  return { grid, query, points, work, times: timesOf(grid) };
}

/** Steps of an evaluation; others may run between them. */
export type Evaluation<T> = Generator<void, T>;

/** Evaluates an expression; functions evaluate their arguments with it. */
export type Evaluate = (expr: Expr, scope: Scope) => Evaluation<Value>;

export const vector = (series: readonly GridSeries[]): Value => ({ kind: 'vector', series: series.filter(hasValues) });

/** The series of a vector. The types are checked before. */
export function seriesOf(value: Value): readonly GridSeries[] {
  if (value.kind !== 'vector') throw new Error(`expected a vector, not a ${value.kind}`);
  return value.series;
}

export function numbersOf(value: Value): Float64Array {
  if (value.kind !== 'scalar') throw new Error(`expected a scalar, not a ${value.kind}`);
  return value.values;
}

export const movedTimes = (expr: Selector | Subquery, { times, query }: Scope): Float64Array =>
  times.map((time) => movedTime(time, expr, query));

export const latestSamples = (
  selector: Selector,
  scope: Scope,
  valueOf: Parameters<typeof selectLatest>[3],
): Evaluation<readonly GridSeries[]> =>
  selectLatest(scope.points.get(selector) ?? [], movedTimes(selector, scope), scope.query, valueOf, scope.work);

/** Memory of a value; stored points are counted when they are read. */
export function sizeOf(value: Value): number {
  switch (value.kind) {
    case 'string':
      return bytesOf('text', [value.value.length]);
    case 'scalar':
      return bytesOf('value', [value.values.length]);
    case 'vector':
      return bytesOf(
        'value',
        value.series.map(({ values }) => values.length),
      );
    case 'matrix':
      return bytesOf(
        'point',
        value.series.map(({ times }) => (value.isStored ? 0 : times.length)),
      );
  }
}
