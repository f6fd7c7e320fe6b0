import type { Expr, Selector } from '../syntax/ast.js';
import { type Grid, lastOf, movedTime, type QueryTimes, subqueryGrid } from './grid.js';

/** What a selector reads. */
export interface SelectorRead {
  readonly selector: Selector;
  /** The start is exclusive, the end inclusive. */
  readonly range: { readonly start: number; readonly end: number };
  /** Only the last point before each of these times, and after the time before, is needed. */
  readonly latest?: Grid;
  /** Only points in the windows that end at these times are needed: between them are others. */
  readonly windows?: Windows;
}

/** Windows of the same length, which end at the times of a grid. */
interface Windows extends Grid {
  readonly range: number;
}

/**
 * The reads of all selectors of an expression.
 * @throws BoundExceeded
 */
export function readsOf(expr: Expr, grid: Grid, query: QueryTimes): readonly SelectorRead[] {
  const within = (part: Expr): readonly SelectorRead[] => readsOf(part, grid, query);
  switch (expr.kind) {
    case 'number':
    case 'string':
      return [];
    case 'selector':
      return grid.length === 0 ? [] : [readOf(expr, grid, query)];
    case 'subquery':
      return readsOf(expr.of, subqueryGrid(expr, grid, query), query);
    case 'negation':
      return within(expr.of);
    case 'binary':
      return [...within(expr.left), ...within(expr.right)];
    case 'aggregation':
      return [...(expr.parameter === undefined ? [] : within(expr.parameter)), ...within(expr.of)];
    case 'call':
      return expr.args.flatMap(within);
  }
}

function readOf(selector: Selector, grid: Grid, query: QueryTimes): SelectorRead {
  const [first, end] = [grid.start, lastOf(grid)].map((time) => movedTime(time, selector, query)) as [number, number];
  if (selector.range !== undefined) {
    const { range, at } = selector;
    const windows =
      at === undefined && range < grid.step && grid.length > 1 ? { ...grid, start: first, range } : undefined;
    return { selector, range: { start: first - range, end }, ...(windows && { windows }) };
  }
  const latest = selector.at === undefined ? { ...grid, start: first } : { start: first, step: 1, length: 1 };
  return { selector, range: { start: first - query.lookback, end }, latest };
}
