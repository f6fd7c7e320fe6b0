import { type Labels, labelsOf, metricName, noLabels, withoutName } from '../model/labels.js';
import type { Call, Expr } from '../syntax/ast.js';
import { sortedByValue } from './aggregate.js';
import { dateParts, elementary } from './elementary.js';
import {
  type Evaluate,
  type Evaluation,
  latestSamples,
  numbersOf,
  type Scope,
  seriesOf,
  vector,
  withComputed,
} from './scope.js';
import { histogramQuantiles } from './histogram.js';
import { overTimeFunctions } from './over-time.js';
import { rateFunctions } from './rates.js';
import { joinLabels, replaceLabel } from './relabel.js';
import { type GridSeries, joinSeries, type Matrix, newSeries, type Value } from './values.js';
import { overWindows, type RangeFunction } from './windows.js';

/** Calls of functions. */

const rangeFunctions = { ...rateFunctions, ...overTimeFunctions } as const;
type RangeFunctionName = keyof typeof rangeFunctions;
const isRangeFunction = (name: string): name is RangeFunctionName => Object.hasOwn(rangeFunctions, name);

const valueFunctions = { ...elementary, ...dateParts } as const;
type ValueFunctionName = keyof typeof valueFunctions;
const isValueFunction = (name: string): name is ValueFunctionName => Object.hasOwn(valueFunctions, name);

/** Functions whose results are points as they were. */
const keepsName: ReadonlySet<string> = new Set(['last_over_time', 'first_over_time']);

/** They read only the ends of a window. */
const constantTime: ReadonlySet<string> = new Set<RangeFunctionName>([
  'rate',
  'increase',
  'delta',
  'irate',
  'idelta',
  'count_over_time',
  'last_over_time',
  'first_over_time',
  'present_over_time',
]);

export function* call(expr: Call, scope: Scope, evaluate: Evaluate): Evaluation<Value> {
  const { fn, args } = expr;
  const { grid, times, work } = scope;
  if (isRangeFunction(fn)) return vector(yield* overRange(fn, args, scope, evaluate));
  if (isValueFunction(fn)) return vector(yield* perValue(fn, args, scope, evaluate));
  switch (fn) {
    case 'time':
      return { kind: 'scalar', values: times.map((time) => time / 1000) };
    case 'pi':
      return { kind: 'scalar', values: new Float64Array(grid.length).fill(Math.PI) };
    case 'timestamp':
      return vector(yield* timestamps(args[0]!, scope, evaluate));
    case 'vector':
      return vector([constant(numbersOf(yield* evaluate(args[0]!, scope)))]);
    case 'scalar':
      return { kind: 'scalar', values: yield* soleValues(seriesOf(yield* evaluate(args[0]!, scope)), scope) };
    case 'absent':
    case 'absent_over_time': {
      const value = yield* evaluate(args[0]!, scope);
      const found =
        value.kind === 'matrix' ? yield* windows('present_over_time', args[0]!, value, scope) : seriesOf(value);
      return vector([yield* absence(args[0]!, found, scope)]);
    }
    case 'sort':
    case 'sort_desc': {
      const series = seriesOf(yield* evaluate(args[0]!, scope));
      const sign = fn === 'sort' ? 1 : -1;
      // Series of a range have no order.
      return vector(grid.length === 1 ? sortedByValue(series, (a, b) => sign * (a - b)) : series);
    }
    case 'histogram_quantile': {
      const shares = numbersOf(yield* evaluate(args[0]!, scope));
      return vector(yield* histogramQuantiles(shares, seriesOf(yield* evaluate(args[1]!, scope)), work));
    }
    case 'label_replace':
    case 'label_join': {
      const series = seriesOf(yield* evaluate(args[0]!, scope));
      const texts: string[] = [];
      for (const each of args.slice(1)) {
        const text = yield* evaluate(each, scope);
        texts.push(text.kind === 'string' ? text.value : '');
      }
      return vector(yield* fn === 'label_join' ? joinLabels(series, texts, work) : replaceLabel(series, texts, work));
    }
  }
}

/** The windows of a range vector, computed here or by the engine. */
function* windows(
  fn: RangeFunctionName,
  of: Expr,
  matrix: Matrix,
  scope: Scope,
  argument?: Float64Array,
): Evaluation<readonly GridSeries[]> {
  const { times, work } = scope;
  const found = yield* overWindows(matrix, times, argument, rangeFunctions[fn] as RangeFunction, {
    work,
    isConstantTime: constantTime.has(fn),
  });
  const all = withComputed(found, of, scope);
  return keepsName.has(fn) ? all : all.map((one) => ({ ...one, labels: withoutName(one.labels) }));
}

function* overRange(
  fn: RangeFunctionName,
  args: readonly Expr[],
  scope: Scope,
  evaluate: Evaluate,
): Evaluation<readonly GridSeries[]> {
  let [of, argument]: [{ readonly expr: Expr; readonly matrix: Matrix } | undefined, Float64Array | undefined] = [
    undefined,
    undefined,
  ];
  for (const arg of args) {
    const value = yield* evaluate(arg, scope);
    if (value.kind === 'matrix') of = { expr: arg, matrix: value };
    else argument = numbersOf(value);
  }
  if (of === undefined) throw new Error(`${fn} has no range vector`);
  return joinSeries(yield* windows(fn, of.expr, of.matrix, scope, argument), scope.work);
}

/** Without arguments, the function is applied to the time. */
function* perValue(
  fn: ValueFunctionName,
  [of, ...more]: readonly Expr[],
  scope: Scope,
  evaluate: Evaluate,
): Evaluation<readonly GridSeries[]> {
  const series =
    of === undefined ? [constant(scope.times.map((time) => time / 1000))] : seriesOf(yield* evaluate(of, scope));
  const scalars: Float64Array[] = [];
  for (const each of more) scalars.push(numbersOf(yield* evaluate(each, scope)));
  const apply: (value: number, ...scalars: readonly number[]) => number | undefined = valueFunctions[fn];
  const results: GridSeries[] = [];
  for (const { labels, values, present } of series) {
    const result = newSeries(withoutName(labels), scope.grid.length, scope.work);
    for (let i = 0; i < present.length; i++) {
      if (present[i] === 0) continue;
      const value = apply(values[i]!, ...scalars.map((each) => each[i]!));
      if (value === undefined) continue;
      result.values[i] = value;
      result.present[i] = 1;
    }
    results.push(result);
    if (scope.work.isDue(present.length * (1 + scalars.length))) yield;
  }
  return joinSeries(results, scope.work);
}

/** Those of the points of a selector, otherwise those of the evaluation. */
function* timestamps(of: Expr, scope: Scope, evaluate: Evaluate): Evaluation<readonly GridSeries[]> {
  const seconds = scope.times.map((time) => time / 1000);
  const series =
    of.kind === 'selector'
      ? yield* latestSamples(of, scope, ({ time }) => time / 1000)
      : seriesOf(yield* evaluate(of, scope)).map((each) => ({ ...each, values: seconds }));
  return joinSeries(
    series.map((each) => ({ ...each, labels: withoutName(each.labels) })),
    scope.work,
  );
}

const constant = (values: Float64Array): GridSeries => ({
  labels: noLabels,
  values,
  present: new Uint8Array(values.length).fill(1),
});

function* soleValues(series: readonly GridSeries[], { grid: { length }, work }: Scope): Evaluation<Float64Array> {
  const values = new Float64Array(length).fill(Number.NaN);
  const counts = new Uint32Array(length);
  for (const each of series) {
    for (let i = 0; i < length; i++) {
      if (each.present[i] === 0) continue;
      values[i] = ++counts[i]! === 1 ? each.values[i]! : Number.NaN;
    }
    if (work.isDue(length)) yield;
  }
  return values;
}

/** 1 where no series has a value, with the labels that the selector requires. */
function* absence(of: Expr, series: readonly GridSeries[], { grid, work }: Scope): Evaluation<GridSeries> {
  const labels = of.kind === 'selector' ? requiredLabels(of.matchers) : noLabels;
  const result = newSeries(labels, grid.length, work);
  for (let i = 0; i < grid.length; i++) {
    if (work.isDue(series.length)) yield;
    if (series.some(({ present }) => present[i] === 1)) continue;
    result.values[i] = 1;
    result.present[i] = 1;
  }
  return result;
}

function requiredLabels(
  matchers: readonly { readonly label: string; readonly op: string; readonly value: string }[],
): Labels {
  const others = matchers.filter(({ label }) => label !== metricName);
  const isSole = (label: string): boolean => others.filter((each) => each.label === label).length === 1;
  return labelsOf(
    others.flatMap(({ label, op, value }) => (op === '=' && isSole(label) ? [[label, value] as const] : [])),
  );
}
