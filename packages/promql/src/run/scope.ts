import { bytesOf, type Work } from '@millrace/mpl';
import { type Grid, movedTime, type QueryTimes, timesOf } from '../plan/grid.js';
import type { Expr, Selector, Subquery } from '../syntax/ast.js';
import { labelsKey } from '../model/labels.js';
import { selectLatest } from './select.js';
import { type GridSeries, hasValues, type PointSeries, type Value } from './values.js';

/** What an expression is evaluated over. */
export interface Scope {
  readonly query: QueryTimes;
  readonly grid: Grid;
  readonly times: Float64Array;
  /** Stored points by selector. */
  readonly points: ReadonlyMap<Selector, readonly PointSeries[]>;
  /** Values that the engine computed, by selector, of the series that are not among its points. */
  readonly computed: ReadonlyMap<Selector, readonly GridSeries[]>;
  /** Shared by all scopes of an evaluation. */
  readonly work: Work;
}

/** @throws WorkExceeded for a grid that is too long */
export function scopeOf(
  grid: Grid,
  {
    query,
    points,
    computed = new Map(),
    work,
  }: Pick<Scope, 'query' | 'points' | 'work'> & Partial<Pick<Scope, 'computed'>>,
): Scope {
  work.create('value', grid.length);
  return { grid, query, points, computed, work, times: timesOf(grid) };
}

/** Series computed here, and those of the selector that the engine computed, in label order. */
export function withComputed(
  series: readonly GridSeries[],
  selector: Expr,
  { computed }: Pick<Scope, 'computed'>,
): readonly GridSeries[] {
  const others = selector.kind === 'selector' ? (computed.get(selector) ?? []) : [];
  if (series.length === 0 || others.length === 0) return series.length === 0 ? others : series;
  return [...series, ...others]
    .map((one) => ({ one, key: labelsKey(one.labels) }))
    .toSorted((a, b) => (a.key < b.key ? -1 : 1))
    .map(({ one }) => one);
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
