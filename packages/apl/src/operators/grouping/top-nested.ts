import { single } from '../../bind/values/coerce.js';
import { bindScalar, bindSingle } from '../../bind/context.js';
import { asSameJson } from '../../lower/json/same-json.js';
import type { JoinPlan, Plan } from '../../plan/nodes.js';
import { columnOf, constant } from '../../plan/scalar.js';
import type { ColumnScalar } from '../../plan/scalar.js';
import type { Field } from '../../plan/schema.js';
import { fieldNamed } from '../../plan/schema.js';
import { ascendingKey, descendingKey } from '../../plan/sort-key.js';
import type { Expr, NamedExpr, SortKey, Span, TopNestedLevel } from '../../syntax/ast.js';
import { parseExpression } from '../../syntax/parse.js';
import { fieldOf, project } from '../columns.js';
import { checkDifferent } from '../different-names.js';
import type { BindOperator, OperatorContext } from '../define.js';
import { namesOf } from '../generated-names.js';
import { rowCount } from './row-count.js';
import { sortPlan } from '../sort.js';
import { aggregatePlan } from './summarize.js';
import { unionOf } from '../tables/union-of.js';

/**
 * A level with the names of its columns; the hidden column `rest` marks the rows that summarize all
 * other values.
 */
interface Level extends TopNestedLevel {
  readonly name: string;
  readonly measure: string;
  readonly rest: string;
}

/**
 * `top-nested 3 of a by count(), top-nested 2 of b with others = "rest" by avg(x)`: the best values
 * of `a`, for each of them the best values of `b`, and so on. Columns: each level's value and its
 * aggregate (`aggregated_a` unless named). `with others` adds a row for all values that are not
 * among the best, after these; in it the levels below are null or show their own others.
 */
export const bindTopNested: BindOperator<'top-nested'> = ({ levels: written, span }, input, context): Plan => {
  const names = namesOf(
    written.map(({ of }) => of),
    written.flatMap(({ by }) => by.name?.text ?? []),
  );
  const levels = written.map((level, i): Level => {
    const name = names[i]!.text;
    return { ...level, name, measure: level.by.name?.text ?? `aggregated_${name}`, rest: `$rest${i}` };
  });
  checkDifferent(
    levels.flatMap(({ of, by, name, measure }) => [
      { text: name, span: of.span },
      { text: measure, span: by.span },
    ]),
    context,
    '; name one of them: other = …',
  );
  let rows = input;
  let result: Plan | undefined;
  const others: Plan[] = [];
  for (const [depth, level] of levels.entries()) {
    const groups = levels.slice(0, depth).map(groupOf);
    const best = bestOf(level, groups, rows, context);
    if (best === undefined) return input;
    const within = [...groups, groupOf(level)];
    const beyond = matchBest('leftanti', rows, best, within, context);
    const all = othersOf(levels, depth, groups, beyond, context);
    if (all !== undefined) others.push(result === undefined ? all : withMeasures(all, result, groups, context));
    // The next level sees only rows with the best values; its result carries this level's columns
    // along.
    rows = matchBest('leftsemi', rows, best, within, context);
    result = result === undefined ? best : withMeasures(best, result, groups, context);
  }
  if (result === undefined) {
    context.query.report.error('argument_count', span, 'top-nested needs at least one level');
    return input;
  }
  const parts = [result, ...others].map((plan) => ({ name: '', plan }));
  return orderLevels(unionOf(parts, context), levels);
};

const quoteExpr = (text: string, span: Span): Expr => ({ kind: 'name', name: { text, quoted: true, span }, span });

const nameExpr = (expr: NamedExpr, text: string): NamedExpr => ({
  ...expr,
  name: { text, quoted: true, span: expr.span },
});

const groupOf = ({ of, name }: Level): NamedExpr => nameExpr(of, name);

/** The best values of one level within each combination of the levels before. */
function bestOf(level: Level, outer: readonly NamedExpr[], rows: Plan, context: OperatorContext): Plan | undefined {
  const scope = context.scalarScope(rows.schema);
  const grouped = aggregatePlan(rows, [...outer, groupOf(level)], [nameExpr(level.by, level.measure)], scope);
  const key: SortKey = { value: quoteExpr(level.measure, level.by.span), direction: level.direction ?? 'desc' };
  const best = sortPlan(grouped, [key], context.scalarScope(grouped.schema));
  if (level.count === undefined) return best;
  const count = rowCount(level.count, 'top-nested', context);
  if (count === undefined) return undefined;
  const partition = outer.flatMap(
    (group) => fieldNamed(grouped.schema, group.name?.text ?? '')?.readings.map((r) => r.id) ?? [],
  );
  return {
    kind: 'limit',
    schema: best.schema,
    input: best,
    count,
    ...(partition.length === 0 ? {} : { by: partition }),
  };
}

/** The rows whose values are among the best (`leftsemi`) or are not (`leftanti`). */
function matchBest(
  style: 'leftsemi' | 'leftanti',
  rows: Plan,
  best: Plan,
  groups: readonly NamedExpr[],
  context: OperatorContext,
): Plan {
  const scope = context.scalarScope(rows.schema);
  const right = context.query.copyOf(best, groups[0]!.span);
  const on = groups.flatMap((group): JoinPlan['on'] => {
    const [reading] = fieldNamed(right.schema, group.name?.text ?? '')?.readings ?? [];
    return reading === undefined
      ? []
      : [{ left: asSameJson(bindSingle(group.value, scope)), right: columnOf(reading) }];
  });
  const join: JoinPlan = { kind: 'join', schema: rows.schema, join: style, left: rows, right, on, nullsMatch: true };
  return project(join, rows.schema.fields, []);
}

/**
 * A row that summarizes all rows except the best, per combination of the outer levels; undefined if
 * not requested.
 */
function othersOf(
  levels: readonly Level[],
  depth: number,
  groups: readonly NamedExpr[],
  beyond: Plan,
  context: OperatorContext,
): Plan | undefined {
  const level = levels[depth];
  if (level?.withOthers === undefined) return undefined;
  const withOthers = levels.slice(depth).filter((level) => level.withOthers !== undefined);
  const measures = withOthers.map((level) => nameExpr(level.by, level.measure));
  const count = nameExpr({ value: parseExpression('count()').expr, span: level.of.span }, ROWS);
  const all = aggregatePlan(beyond, groups, [...measures, count], context.scalarScope(beyond.schema));
  const scope = context.scalarScope(all.schema);
  const columns = withOthers.flatMap((other) => [
    fieldOf(other.name, [single(bindScalar(other.withOthers!, scope))], scope),
    fieldOf(other.rest, [constant('bool', true)], scope),
  ]);
  const fields = [...all.schema.fields.filter(({ name }) => name !== ROWS), ...columns.map(({ field }) => field)];
  // Without groups there would be a row even for empty input.
  const predicate = bindSingle(parseExpression(`['${ROWS}'] > 0`).expr, scope);
  return project(
    { kind: 'filter', schema: all.schema, input: all, predicate },
    fields,
    columns.flatMap(({ computed }) => computed),
  );
}

/** Hidden column: how many rows a row of others summarizes. */
const ROWS = '$rows';

/** The inner level's columns after those of the outer levels. */
function withMeasures(inner: Plan, outer: Plan, shared: readonly NamedExpr[], context: OperatorContext): Plan {
  const left = context.query.copyOf(outer, shared[0]!.span);
  const names = new Set(shared.map((group) => group.name?.text));
  const on = shared.flatMap((group): JoinPlan['on'] => {
    const [a] = fieldNamed(left.schema, group.name?.text ?? '')?.readings ?? [];
    const [b] = fieldNamed(inner.schema, group.name?.text ?? '')?.readings ?? [];
    return a === undefined || b === undefined ? [] : [{ left: columnOf(a), right: columnOf(b) }];
  });
  const added: readonly Field[] = inner.schema.fields.filter((field) => !names.has(field.name));
  const fields = [...left.schema.fields, ...added];
  const join: JoinPlan = { kind: 'join', schema: { fields }, join: 'inner', left, right: inner, on, nullsMatch: true };
  return project(join, fields, []);
}

/** Sorts level by level: the best first, then others; equal ones by their values. */
function orderLevels(plan: Plan, levels: readonly Level[]): Plan {
  const columnsOf = (name: string): readonly ColumnScalar[] =>
    (fieldNamed(plan.schema, name)?.readings ?? []).map(columnOf);
  const keys = levels.flatMap(({ name, measure, rest, direction }) => [
    ...columnsOf(rest).map((mark) => ({ ...ascendingKey(mark), nullsFirst: true })),
    ...columnsOf(measure).map(direction === 'asc' ? ascendingKey : descendingKey),
    ...columnsOf(name).map(ascendingKey),
  ]);
  const sortedRows: Plan = { kind: 'sort', schema: plan.schema, input: plan, keys };
  const columns = levels.flatMap(({ name, measure }) => [name, measure]);
  return project(
    sortedRows,
    columns.flatMap((name) => fieldNamed(plan.schema, name) ?? []),
    [],
  );
}
