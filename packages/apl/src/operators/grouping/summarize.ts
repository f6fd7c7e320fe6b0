import { aggregateNamed } from '../../aggregates/index.js';
import type { CollectedAggregate } from '../../bind/calls/collector.js';
import { single } from '../../bind/values/coerce.js';
import type { Scope } from '../../bind/context.js';
import { bindScalar } from '../../bind/context.js';
import type { AggregatePlan, ComputedColumn, Plan, SortKey } from '../../plan/nodes.js';
import { columnOf } from '../../plan/scalar.js';
import type { ColumnScalar, Scalar } from '../../plan/scalar.js';
import { fieldNamed, readingsOf } from '../../plan/schema.js';
import type { Field, RestColumns, Role, Schema } from '../../plan/schema.js';
import { ascendingKey, descendingKey, inDefaultOrder } from '../../plan/sort-key.js';
import type { CallExpr, NamedExpr } from '../../syntax/ast.js';
import { isDynamic, isNumeric } from '../../model/types.js';
import { impliedName, noteValue } from '../columns.js';
import type { BindOperator } from '../define.js';
import { otherName, repeatedNames } from '../different-names.js';
import { namesOf } from '../generated-names.js';
import { histogramBin } from './histogram-bins.js';
import { bindOutputs } from './outputs.js';
import { eachValue } from './multiple-values.js';
import { restGroup, restKeys, withRests } from '../rare-fields.js';

/**
 * `summarize A, … by G, …`: a row for each combination of groups; without groups exactly one row;
 * without aggregates like `distinct`.
 */
export const bindSummarize: BindOperator<'summarize'> = ({ aggregates, by }, input, context) =>
  aggregatePlan(
    input,
    eachValue(by, context.query, input.schema),
    eachValue(
      aggregates,
      context.query,
      input.schema,
      by.flatMap(({ name, value }) => name?.text ?? impliedName(value) ?? []),
    ),
    context.scalarScope(input.schema),
  );

/**
 * The aggregation of a pipeline; `make-series` and others build on it.
 * @param rest rare fields that rows are grouped by as well
 */
export function aggregatePlan(
  input: Plan,
  by: readonly NamedExpr[],
  written: readonly NamedExpr[],
  scope: Scope,
  rest?: RestColumns,
): Plan {
  const aggregates = written.filter((column) => !isPlain(column, by));
  const plain = written.filter((column) => isPlain(column, by));
  const groups = bindGroups([...by, ...plain], givenNames(aggregates), scope, input);
  // An expression that is not an aggregate may be a mistake.
  for (const { value } of scope.query.report.failed ? [] : plain)
    scope.query.report.warning('not_aggregate', value.span, 'this is no aggregate, so rows are grouped by it');
  const groupFields = groups.map((g) => g.field);
  const { columns, found, rests } = bindOutputs(aggregates, groupFields, scope);
  const fields: readonly Field[] = [...groupFields, ...columns.map((c) => c.field)];
  const computed = columns.flatMap((c) => c.computed);
  const prepared = withArguments(input, found, scope);
  const grouped = rest && restGroup(rest, scope.query);
  const inner: AggregatePlan = {
    kind: 'aggregate',
    schema: {
      fields: [...groupFields, ...found.map(({ id, call }) => ({ name: id, readings: [{ type: call.type, id }] }))],
    },
    input: prepared.input,
    groups: [...groups, ...(grouped === undefined ? [] : [grouped])].map((g) => g.group),
    aggregates: prepared.aggregates,
  };
  const carried = grouped === undefined ? rests : [grouped.rest];
  const plan = withRests({ kind: 'project', schema: { fields }, input: inner, computed }, carried, scope.query);
  // One row needs no order.
  if (groups.length === 0) return plan;
  return inDefaultOrder(plan, [...defaultOrder(groupFields, fields), ...restKeys(plan)]);
}

/**
 * Arguments that an aggregate repeats become columns of its input, which the lowering can put into
 * a subquery.
 */
function withArguments(
  input: Plan,
  found: readonly CollectedAggregate[],
  scope: Scope,
): { readonly input: Plan; readonly aggregates: AggregatePlan['aggregates'] } {
  const computed: ComputedColumn[] = [];
  const aggregates = found.map(({ id, call }) => {
    if (call.repeats !== true) return { id, call };
    const args = call.args.map((expr): Scalar => {
      if (expr.kind === 'column' || expr.kind === 'constant') return expr;
      const column = scope.query.fresh(call.name);
      computed.push({ id: column, expr });
      return columnOf({ type: expr.type, id: column });
    });
    return { id, call: { ...call, args } };
  });
  return {
    input: computed.length === 0 ? input : { kind: 'project', schema: input.schema, input, computed },
    aggregates,
  };
}

/**
 * Whether an expression among the aggregates depends on single rows: it calls no aggregate and is
 * neither a literal nor one of the groups.
 */
const isPlain = ({ value }: NamedExpr, by: readonly NamedExpr[]): boolean =>
  value.kind !== 'literal' &&
  !callsAggregate(value) &&
  !(value.kind === 'name' && by.some((group) => (group.name?.text ?? impliedName(group.value)) === value.name.text));

/** Whether an aggregate is called anywhere in an expression. */
function callsAggregate(node: unknown): boolean {
  if (typeof node !== 'object' || node === null) return false;
  if (isCall(node) && aggregateNamed(node.callee.text) !== undefined) return true;
  return Object.values(node).some(callsAggregate);
}

const isCall = (node: object): node is CallExpr => 'kind' in node && node.kind === 'call';

/**
 * By time bucket if there is one, then by the first aggregate, greatest first, then by the other
 * groups.
 */
function defaultOrder(groups: readonly Field[], fields: readonly Field[]): readonly SortKey[] {
  const columns = (some: readonly Field[]): readonly ColumnScalar[] =>
    some.flatMap(({ readings }) => readings.map(columnOf));
  const buckets = groups.filter((field) => field.role?.kind === 'bucket');
  const others = groups.filter((field) => field.role?.kind !== 'bucket');
  const [first] = fields.slice(groups.length);
  const isNumber = first?.readings.every((reading) => isNumeric(reading.type)) === true;
  const ranked: readonly Scalar[] =
    first === undefined || first.readings.some((reading) => isDynamic(reading.type))
      ? []
      : isNumber
        ? [single(readingsOf(first))]
        : columns([first]);
  return [...columns(buckets).map(ascendingKey), ...ranked.map(descendingKey), ...columns(others).map(ascendingKey)];
}

// ---------------------------------------------------------------- groups

interface Group {
  readonly field: Field;
  readonly group: ComputedColumn;
}

/**
 * Binds the expressions that rows are grouped by; `others` are names of other columns of the
 * result.
 */
export function bindGroups(
  by: readonly NamedExpr[],
  others: readonly string[],
  scope: Scope,
  input: Plan,
): readonly Group[] {
  const groups: Group[] = [];
  const names = namesOf(by, others);
  for (const { text, span } of repeatedNames(names))
    scope.query.report.error('name', span, `${text} is grouped by twice${otherName}`);
  for (const [i, { value }] of by.entries()) {
    const name = names[i]!.text;
    const bin =
      value.kind === 'call' && value.callee.text === 'histogram' ? histogramBin(value, input, scope) : undefined;
    const expr = bin ?? single(bindScalar(value, scope));
    if (expr.kind === 'constant' && expr.type === 'timespan' && by[i]?.name === undefined)
      scope.query.report.warning(
        'note',
        value.span,
        'this is the same for all rows; times are grouped by bin(_time, 1h)',
      );
    const id = scope.query.fresh(name);
    noteValue(id, expr, scope.query);
    const bucket = isTimeBin(expr, scope.schema) && !groups.some((g) => g.field.role?.kind === 'bucket');
    const role: Role = { kind: bucket ? 'bucket' : 'group' };
    groups.push({ field: { name, readings: [{ type: expr.type, id }], role }, group: { id, expr } });
  }
  return groups;
}

export const givenNames = (columns: readonly NamedExpr[]): readonly string[] =>
  columns.flatMap(({ name }) => name?.text ?? []);

/** `bin(_time, …)`: only bins of the event time make a time series. */
function isTimeBin(expr: Scalar, schema: Schema): boolean {
  if (expr.kind !== 'call' || (expr.name !== 'bin' && expr.name !== 'bin_auto')) return false;
  const [of] = expr.args;
  const time = fieldNamed(schema, '_time')?.readings[0]?.id;
  return of?.kind === 'column' && of.type === 'datetime' && of.id === time;
}
