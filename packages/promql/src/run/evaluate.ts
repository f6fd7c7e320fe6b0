import { isSetOperator, type ValueOperator } from '../model/operators.js';
import { subqueryGrid } from '../plan/grid.js';
import type { Aggregation, Binary, Expr, Selector, Subquery } from '../syntax/ast.js';
import { withoutName } from '../model/labels.js';
import { aggregate } from './aggregate.js';
import { ofScalars, withScalar } from './binary.js';
import { call } from './call.js';
import { matchSets, matchValues } from './match.js';
import {
  type Evaluation,
  latestSamples,
  movedTimes,
  numbersOf,
  type Scope,
  scopeOf,
  seriesOf,
  sizeOf,
  vector,
  withComputed,
} from './scope.js';
import { withoutMarks } from './select.js';
import { checkSize, type GridSeries, joinSeries, type Matrix, type PointSeries, type Value } from './values.js';

/**
 * Evaluates a checked expression at all times of the grid.
 * @throws EvaluationProblem, BoundExceeded, WorkExceeded
 */
export function* evaluate(expr: Expr, scope: Scope): Evaluation<Value> {
  const { work } = scope;
  if (work.isDue(1)) yield;
  const before = work.bytes;
  const value = yield* evaluateExpr(expr, scope);
  // Values between become garbage.
  work.setBytes(before + sizeOf(value));
  return value;
}

function* evaluateExpr(expr: Expr, scope: Scope): Evaluation<Value> {
  const { work } = scope;
  switch (expr.kind) {
    case 'number':
      work.create('value', scope.grid.length);
      return { kind: 'scalar', values: new Float64Array(scope.grid.length).fill(expr.value) };
    case 'string':
      return { kind: 'string', value: expr.value };
    case 'selector':
      return expr.range === undefined
        ? vector(withComputed(yield* latestSamples(expr, scope, ({ value }) => value), expr, scope))
        : yield* storedSeries(expr, scope);
    case 'subquery':
      return yield* subquery(expr, scope);
    case 'negation': {
      const of = yield* evaluate(expr.of, scope);
      if (of.kind === 'scalar') return { kind: 'scalar', values: of.values.map((value) => -value) };
      const results: GridSeries[] = [];
      for (const { labels, values, present } of seriesOf(of)) {
        work.create('value', values.length);
        results.push({ labels: withoutName(labels), values: values.map((value) => -value), present });
        if (work.isDue(values.length)) yield;
      }
      return vector(joinSeries(results, work));
    }
    case 'call':
      return yield* call(expr, scope, evaluate);
    case 'aggregation':
      return vector(yield* aggregation(expr, scope));
    case 'binary':
      return yield* binary(expr, scope);
  }
}

function* storedSeries(selector: Selector, scope: Scope): Evaluation<Matrix> {
  const series: PointSeries[] = [];
  for (const each of scope.points.get(selector) ?? []) {
    series.push(withoutMarks(each));
    if (scope.work.isDue(each.times.length / 8)) yield;
  }
  return { kind: 'matrix', series, ends: movedTimes(selector, scope), range: selector.range ?? 0, isStored: true };
}

function* subquery(expr: Subquery, scope: Scope): Evaluation<Matrix> {
  const { query, work } = scope;
  const inner = scopeOf(subqueryGrid(expr, scope.grid, query), scope);
  const value = yield* evaluate(expr.of, inner);
  checkSize(value.kind === 'vector' ? value.series.length : 1, inner.grid.length);
  const series: PointSeries[] = [];
  if (value.kind === 'scalar') series.push({ labels: new Map(), times: inner.times, values: value.values });
  else
    for (const each of seriesOf(value)) {
      work.create('point', inner.times.length);
      series.push(pointsOf(each, inner.times));
      if (work.isDue(inner.times.length)) yield;
    }
  return { kind: 'matrix', series, ends: movedTimes(expr, scope), range: expr.range, isStored: false };
}

function pointsOf({ labels, values, present }: GridSeries, times: Float64Array): PointSeries {
  let count = 0;
  for (const has of present) count += has;
  const kept = { labels, times: new Float64Array(count), values: new Float64Array(count) };
  for (let i = 0, next = 0; i < present.length; i++) {
    if (present[i] === 0) continue;
    kept.times[next] = times[i]!;
    kept.values[next++] = values[i]!;
  }
  return kept;
}

function* aggregation(expr: Aggregation, scope: Scope): Evaluation<readonly GridSeries[]> {
  const of = seriesOf(yield* evaluate(expr.of, scope));
  const parameter = expr.parameter === undefined ? undefined : yield* evaluate(expr.parameter, scope);
  const given = parameter?.kind === 'string' ? parameter.value : parameter && numbersOf(parameter);
  return yield* aggregate(expr, of, given, scope.grid.length, scope.work);
}

function* binary(expr: Binary, scope: Scope): Evaluation<Value> {
  const { op, bool, matching } = expr;
  const { work } = scope;
  const left = yield* evaluate(expr.left, scope);
  const right = yield* evaluate(expr.right, scope);
  if (isSetOperator(op)) return vector(yield* matchSets(op, matching, seriesOf(left), seriesOf(right), work));
  const operation: { readonly op: ValueOperator; readonly bool: boolean } = { op, bool };
  if (left.kind === 'scalar' && right.kind === 'scalar')
    return { kind: 'scalar', values: ofScalars(operation, left.values, right.values) };
  if (left.kind === 'scalar')
    return vector(joinSeries(yield* withScalar(operation, seriesOf(right), left.values, 'right', work), work));
  if (right.kind === 'scalar')
    return vector(joinSeries(yield* withScalar(operation, seriesOf(left), right.values, 'left', work), work));
  return vector(yield* matchValues({ ...operation, matching }, seriesOf(left), seriesOf(right), work));
}
