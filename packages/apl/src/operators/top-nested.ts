import { bindSingle } from '../bind/context.js';
import type { JoinPlan, Plan } from '../plan/nodes.js';
import type { Field } from '../plan/schema.js';
import { fieldNamed } from '../plan/schema.js';
import { copyOf } from '../plan/copy.js';
import type { Expr, NamedExpr, SortKey, Span, TopNestedLevel } from '../syntax/ast.js';
import { impliedName, project } from './columns.js';
import type { BindOperator, OperatorContext } from './define.js';
import { rowCount } from './row-count.js';
import { sorted } from './sort.js';
import { aggregated } from './summarize.js';

/**
 * `top-nested 3 of a by count(), top-nested 2 of b by avg(x)`: the best values of `a`, for each of them the best values of `b`, and so
 * on. Columns: each level's value and its aggregate (`aggregated_a` unless named).
 */
export const bindTopNested: BindOperator<'top-nested'> = ({ levels, span }, input, context): Plan => {
  const groups: NamedExpr[] = [];
  const measures: SortKey[] = [];
  let rows = input;
  let result: Plan | undefined;
  for (const level of levels) {
    if (level.withOthers !== undefined) {
      context.query.report.error('unsupported', level.withOthers.span, 'with others is not supported in top-nested');
      return input;
    }
    const name = level.of.name?.text ?? impliedName(level.of.value) ?? `Column${groups.length + 1}`;
    const measure = level.by.name?.text ?? `aggregated_${name}`;
    const direction = level.direction ?? 'desc';
    measures.push({ value: nameExpr(measure, level.by.span), direction });
    const best = bestOf(level, name, measure, groups, rows, context);
    if (best === undefined) return input;
    groups.push({ ...level.of, name: { text: name, quoted: true, span: level.of.span } });
    // The next level sees only rows of the values that are left; its rows carry this level's columns along.
    rows = matching(rows, best, groups, context);
    result = result === undefined ? best : withMeasures(best, result, groups.slice(0, -1), context);
  }
  if (result === undefined) {
    context.query.report.error('argument_count', span, 'top-nested needs at least one level');
    return input;
  }
  return sorted(result, measures, context.scalarScope(result.schema));
};

const nameExpr = (text: string, span: Span): Expr => ({ kind: 'name', name: { text, quoted: true, span }, span });

/** The best values of one level within each combination of the levels before. */
function bestOf(
  level: TopNestedLevel,
  name: string,
  measure: string,
  outer: readonly NamedExpr[],
  rows: Plan,
  context: OperatorContext,
): Plan | undefined {
  const scope = context.scalarScope(rows.schema);
  const of: NamedExpr = { ...level.of, name: { text: name, quoted: true, span: level.of.span } };
  const by: NamedExpr = { ...level.by, name: { text: measure, quoted: true, span: level.by.span } };
  const grouped = aggregated(rows, [...outer, of], [by], scope);
  const key: SortKey = {
    value: nameExpr(measure, level.by.span),
    direction: level.direction ?? 'desc',
  };
  const ordered = sorted(grouped, [key], context.scalarScope(grouped.schema));
  if (level.count === undefined) return ordered;
  const count = rowCount(level.count, 'top-nested', context);
  if (count === undefined) return undefined;
  const partition = outer.flatMap(
    (group) => fieldNamed(grouped.schema, group.name?.text ?? '')?.readings.map((r) => r.id) ?? [],
  );
  return {
    kind: 'limit',
    schema: ordered.schema,
    input: ordered,
    count,
    ...(partition.length === 0 ? {} : { by: partition }),
  };
}

/** Rows whose values are among the best. */
function matching(rows: Plan, best: Plan, groups: readonly NamedExpr[], context: OperatorContext): Plan {
  const scope = context.scalarScope(rows.schema);
  const right = copyOf(best, (like) => context.query.fresh(like.slice(0, like.lastIndexOf('@'))));
  const on = groups.flatMap((group): JoinPlan['on'] => {
    const [reading] = fieldNamed(right.schema, group.name?.text ?? '')?.readings ?? [];
    return reading === undefined
      ? []
      : [{ left: bindSingle(group.value, scope), right: { kind: 'column', ...reading } }];
  });
  const join: JoinPlan = { kind: 'join', schema: rows.schema, join: 'leftsemi', left: rows, right, on };
  return project(join, rows.schema.fields, []);
}

/** The inner level's columns after those of the outer levels. */
function withMeasures(inner: Plan, outer: Plan, shared: readonly NamedExpr[], context: OperatorContext): Plan {
  const left = copyOf(outer, (like) => context.query.fresh(like.slice(0, like.lastIndexOf('@'))));
  const names = new Set(shared.map((group) => group.name?.text));
  const on = shared.flatMap((group): JoinPlan['on'] => {
    const [a] = fieldNamed(left.schema, group.name?.text ?? '')?.readings ?? [];
    const [b] = fieldNamed(inner.schema, group.name?.text ?? '')?.readings ?? [];
    return a === undefined || b === undefined
      ? []
      : [{ left: { kind: 'column', ...a }, right: { kind: 'column', ...b } }];
  });
  const added: readonly Field[] = inner.schema.fields.filter((field) => !names.has(field.name));
  const fields = [...left.schema.fields, ...added];
  return project({ kind: 'join', schema: { fields }, join: 'inner', left, right: inner, on }, fields, []);
}
