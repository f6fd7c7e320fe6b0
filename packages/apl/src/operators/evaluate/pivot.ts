import { aggregateNamed } from '../../aggregates/index.js';
import { bindAggregate } from '../../bind/calls/aggregates.js';
import { apply } from '../../bind/calls/calls.js';
import { single } from '../../bind/values/coerce.js';
import type { CollectedAggregate } from '../../bind/calls/collector.js';
import { bindScalar } from '../../bind/context.js';
import { spelledName } from '../../bind/names/spelled-name.js';
import { bothOf } from '../../bind/conditions/logic.js';
import type { Scope } from '../../bind/context.js';
import { scalarOperator } from '../../functions/operators/index.js';
import { asSameJson } from '../../lower/json/same-json.js';
import type { AggregatePlan } from '../../plan/nodes.js';
import { columnOf, columnsIn, constant } from '../../plan/scalar.js';
import type { Scalar } from '../../plan/scalar.js';
import type { Field } from '../../plan/schema.js';
import { ascendingKey, inDefaultOrder } from '../../plan/sort-key.js';
import type { Argument, Expr, NamedExpr } from '../../syntax/ast.js';
import { parseExpression } from '../../syntax/parse.js';
import { fieldOf, project } from '../columns.js';
import { restGroup, restKeys, withRests } from '../rare-fields.js';
import { bindGroups } from '../grouping/summarize.js';
import { EMPTY, freeName, tooMany } from './define.js';
import type { BindPlugin, PluginContext } from './define.js';
import { bindOperators } from './over.js';

/**
 * `pivot(column [, aggregate] [, group, …])`: a column for each value of `column`, with the
 * aggregate (by default `count()`) of the rows that have it, and a row for each combination of
 * groups, by default all columns that are not used otherwise. Columns are named after the values
 * and ordered by name.
 */
export const bindPivot: BindPlugin = (args, input, context) => {
  const { query, span } = context;
  const [of, second, ...rest] = args;
  if (of === undefined || of.value.kind === 'star') {
    query.report.error(
      'argument_count',
      span,
      'pivot needs the column whose values become columns, as in pivot(method)',
    );
    return input;
  }
  const scope = context.scalarScope(input.schema);
  const value = asSameJson(single(bindScalar(of.value, scope)));
  const { field, computed } = fieldOf('value', [value], scope);
  const name = columnOf({ type: 'string', id: query.fresh('name') });
  const names = single(bindScalar(parseExpression(nameOfValue).expr, context.scalarScope({ fields: [field] })));
  const withName = project(project(input, input.schema.fields, computed), input.schema.fields, [
    { id: name.id, expr: names },
  ]);
  const values = query.ask(() =>
    bindOperators({ ...withName, schema: { fields: [{ name: 'name', readings: [name] }] } }, 'distinct name', context),
  );

  const measured = second !== undefined && isAggregate(second);
  const measure = bindMeasure(measured ? second.value : parseExpression('count()').expr, scope, context);
  if (values === undefined || measure === undefined) return input;
  if (values.length > query.maxDataColumns) {
    tooMany('pivot', 'the values', context);
    return input;
  }
  const by = measured || second === undefined ? rest : [second, ...rest];
  const named = by.map((column): NamedExpr => ({ ...column, span: column.value.span }));
  const used = measured ? [of.value, second.value] : [of.value];
  const others = otherFields(input.schema.fields, [value, ...argumentsOf(measure)], used);
  const groups = bindGroups(named.length > 0 ? named : others, [], scope, input);
  const taken = new Set(groups.map((group) => group.field.name));
  const fields: Field[] = groups.map((group) => group.field);
  const aggregates = values.map(([text = '']) => {
    const column = freeName(text, taken);
    taken.add(column);
    const id = query.fresh(column);
    const { call, info } = measure;
    fields.push({ name: column, readings: [{ type: call.type, id }], role: { kind: 'aggregate', api: info } });
    const has = apply('==', equals, [name, constant('string', text)], query);
    const condition = call.condition === undefined ? has : bothOf(call.condition, has, query);
    return { id, call: { ...call, condition } };
  });
  const rare = named.length > 0 || input.schema.rest === undefined ? [] : [restGroup(input.schema.rest, query)];
  const all = [...groups, ...rare].map(({ group }) => group);
  const plan: AggregatePlan = { kind: 'aggregate', schema: { fields }, input: withName, groups: all, aggregates };
  const rests = rare.map(({ rest }) => rest);
  const pivoted = withRests({ kind: 'project', schema: { fields }, input: plan, computed: [] }, rests, query);
  const keys = groups.map(({ group: { id, expr } }) => ascendingKey(columnOf({ type: expr.type, id })));
  return inDefaultOrder(pivoted, [...keys, ...restKeys(pivoted)]);
};

const nameOfValue = `iff(isempty(tostring(value)), "${EMPTY}", tostring(value))`;
const equals = scalarOperator('==').overloads[0]!;

const isAggregate = ({ value }: Argument): boolean =>
  value.kind === 'call' && aggregateNamed(value.callee.text) !== undefined;

function bindMeasure(expr: Expr, scope: Scope, { query }: PluginContext): CollectedAggregate | undefined {
  const named = expr.kind === 'call' ? aggregateNamed(expr.callee.text) : undefined;
  if (expr.kind !== 'call' || named === undefined) return undefined;
  if (named.record.labeled !== true && named.record.name !== 'arg_max' && named.record.name !== 'arg_min')
    return bindAggregate(named, expr, scope);
  query.report.error('unsupported', expr.span, `${named.name} cannot be the aggregate of pivot`);
  return undefined;
}

const argumentsOf = ({ call: { args, condition } }: CollectedAggregate): readonly Scalar[] =>
  condition === undefined ? args : [...args, condition];

/**
 * Every field that the pivoted value and the aggregate neither read nor name. Names matter too,
 * because an expression that is constant reads no column.
 */
function otherFields(
  fields: readonly Field[],
  bound: readonly Scalar[],
  written: readonly Expr[],
): readonly NamedExpr[] {
  const read = columnsIn(bound);
  const named = new Set(written.flatMap(namesIn));
  const span = written[0]!.span;
  return fields.flatMap((field): readonly NamedExpr[] => {
    if (named.has(field.name) || field.readings.some(({ id }) => read.has(id))) return [];
    const name = { text: field.name, quoted: true, isColumn: true, span } as const;
    return [{ value: { kind: 'name', name, span }, span }];
  });
}

/** The names in an expression, those of paths with their dots. */
function namesIn(node: object): readonly string[] {
  const name = 'kind' in node ? spelledName(node as Expr) : undefined;
  if (name !== undefined) return [name];
  const parts: readonly unknown[] = Object.values(node);
  return parts.flatMap((part) => (typeof part === 'object' && part !== null ? namesIn(part) : []));
}
