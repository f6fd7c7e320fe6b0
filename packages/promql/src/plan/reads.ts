import type { WindowFunction, Windows } from '@millrace/mpl';
import { engineFunctions } from '../model/engine-functions.js';
import type { Call, Expr, Selector } from '../syntax/ast.js';
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
  /** The engine can compute the values that the expression needs. */
  readonly computed?: { readonly fn: WindowFunction; readonly windows: Windows };
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
      return grid.length === 0 ? [] : [readOf(expr, grid, query, expr.range === undefined ? 'latest' : undefined)];
    case 'subquery':
      return readsOf(expr.of, subqueryGrid(expr, grid, query), query);
    case 'negation':
      return within(expr.of);
    case 'binary':
      return [...within(expr.left), ...within(expr.right)];
    case 'aggregation':
      return [...(expr.parameter === undefined ? [] : within(expr.parameter)), ...within(expr.of)];
    case 'call':
      return expr.args.flatMap((arg) =>
        arg.kind === 'selector' && grid.length > 0 ? [readOf(arg, grid, query, computedBy(expr, arg))] : within(arg),
      );
  }
}

/** What the engine computes for a function of a selector. */
function computedBy({ fn }: Call, { range }: Selector): WindowFunction | undefined {
  if (range !== undefined) return engineFunctions.get(fn);
  // It needs the times of the points.
  return fn === 'timestamp' ? undefined : 'latest';
}

/** @param fn what the engine computes of the windows of the selector */
function readOf(selector: Selector, grid: Grid, query: QueryTimes, fn: WindowFunction | undefined): SelectorRead {
  const [first, end] = [grid.start, lastOf(grid)].map((time) => movedTime(time, selector, query)) as [number, number];
  const { at } = selector;
  const windowsOf = (range: number): Windows => ({ ...grid, start: first, range });
  const length = selector.range ?? query.lookback;
  const computed = at === undefined && fn !== undefined ? { fn, windows: windowsOf(length) } : undefined;
  const range = { start: first - length, end };
  if (selector.range !== undefined) {
    const isSparse = at === undefined && length < grid.step && grid.length > 1;
    return { selector, range, ...(isSparse && { windows: windowsOf(length) }), ...(computed && { computed }) };
  }
  const latest = at === undefined ? { ...grid, start: first } : { start: first, step: 1, length: 1 };
  return { selector, range, latest, ...(computed && { computed }) };
}
