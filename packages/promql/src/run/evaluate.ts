import { isSetOperator, type ValueOperator } from '../model/operators.js';
import { subqueryGrid } from '../plan/grid.js';
import type { Aggregation, Binary, Expr, Selector, Subquery } from '../syntax/ast.js';
import { withoutName } from '../model/labels.js';
import { aggregate } from './aggregate.js';
import { ofScalars, withScalar } from './binary.js';
import { call } from './call.js';
import { matchSets, matchValues } from './match.js';
import { type Evaluation, latest, movedTimes, numbersOf, type Scope, scopeOf, seriesOf, vector } from './scope.js';
import { withoutMarks } from './select.js';
import { checkSize, type GridSeries, joined, type Matrix, type PointSeries, type Value } from './values.js';

/**
 * Evaluates a checked expression at all times of the grid.
 * @throws EvaluationProblem, BoundExceeded
 */
export function* evaluate(expr: Expr, scope: Scope): Evaluation<Value> {
  yield;
  switch (expr.kind) {
    case 'number':
      return { kind: 'scalar', values: new Float64Array(scope.grid.length).fill(expr.value) };
    case 'string':
      return { kind: 'string', value: expr.value };
    case 'selector':
      return expr.range === undefined ? vector(yield* latest(expr, scope, ({ value }) => value)) : stored(expr, scope);
    case 'subquery':
      return yield* subquery(expr, scope);
    case 'negation': {
      const of = yield* evaluate(expr.of, scope);
      if (of.kind === 'scalar') return { kind: 'scalar', values: of.values.map((value) => -value) };
      return vector(
        joined(
          seriesOf(of).map(({ labels, values, present }) => ({
            labels: withoutName(labels),
            values: values.map((value) => -value),
            present,
          })),
        ),
      );
    }
    case 'call':
      return yield* call(expr, scope, evaluate);
    case 'aggregation':
      return vector(yield* aggregation(expr, scope));
    case 'binary':
      return yield* binary(expr, scope);
  }
}

const stored = (selector: Selector, scope: Scope): Matrix => ({
  kind: 'matrix',
  series: (scope.points.get(selector) ?? []).map(withoutMarks),
  ends: movedTimes(selector, scope),
  range: selector.range ?? 0,
});

function* subquery(expr: Subquery, scope: Scope): Evaluation<Matrix> {
  const { query, points } = scope;
  const inner = scopeOf(subqueryGrid(expr, scope.grid, query), query, points);
  const value = yield* evaluate(expr.of, inner);
  checkSize(value.kind === 'vector' ? value.series.length : 1, inner.grid.length);
  const series =
    value.kind === 'scalar'
      ? [{ labels: new Map(), times: inner.times, values: value.values }]
      : seriesOf(value).map((each) => pointsOf(each, inner.times));
  return { kind: 'matrix', series, ends: movedTimes(expr, scope), range: expr.range };
}

function pointsOf({ labels, values, present }: GridSeries, times: Float64Array): PointSeries {
  const has = (_: number, i: number): boolean => present[i] === 1;
  return { labels, times: times.filter(has), values: values.filter(has) };
}

function* aggregation(expr: Aggregation, scope: Scope): Evaluation<readonly GridSeries[]> {
  const of = seriesOf(yield* evaluate(expr.of, scope));
  const parameter = expr.parameter === undefined ? undefined : yield* evaluate(expr.parameter, scope);
  const given = parameter?.kind === 'string' ? parameter.value : parameter && numbersOf(parameter);
  return yield* aggregate(expr, of, given, scope.grid.length);
}

function* binary(expr: Binary, scope: Scope): Evaluation<Value> {
  const { op, bool, matching } = expr;
  const left = yield* evaluate(expr.left, scope);
  const right = yield* evaluate(expr.right, scope);
  if (isSetOperator(op)) return vector(yield* matchSets(op, matching, seriesOf(left), seriesOf(right)));
  const operation: { readonly op: ValueOperator; readonly bool: boolean } = { op, bool };
  if (left.kind === 'scalar' && right.kind === 'scalar')
    return { kind: 'scalar', values: ofScalars(operation, left.values, right.values) };
  if (left.kind === 'scalar')
    return vector(joined(yield* withScalar(operation, seriesOf(right), left.values, 'right')));
  if (right.kind === 'scalar')
    return vector(joined(yield* withScalar(operation, seriesOf(left), right.values, 'left')));
  return vector(yield* matchValues({ ...operation, matching }, seriesOf(left), seriesOf(right)));
}
