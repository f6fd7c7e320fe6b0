import { aggregateNamed } from '../../aggregates/index.js';
import type { NamedAggregate } from '../../aggregates/index.js';
import { aggregateCollector, bindAggregate, rowScope } from '../../bind/calls/aggregates.js';
import type { AggregateCollector, Collected } from '../../bind/calls/collector.js';
import { single } from '../../bind/values/coerce.js';
import type { Scope } from '../../bind/context.js';
import { bindScalar } from '../../bind/context.js';
import type { AggregatePlan, Computed, Plan, SortKey } from '../../plan/nodes.js';
import { columnOf } from '../../plan/scalar.js';
import type { Bound, ColumnScalar, Scalar } from '../../plan/scalar.js';
import { fieldNamed, readingsOf } from '../../plan/schema.js';
import type { Field, RestColumns, Role, Schema } from '../../plan/schema.js';
import { ascending, descending, inDefaultOrder } from '../../plan/sort-key.js';
import type { CallExpr, Expr, NamedExpr, Span } from '../../syntax/ast.js';
import { isDynamic, isNumeric } from '../../types.js';
import { fieldOf, impliedName } from '../columns.js';
import type { BoundColumn } from '../columns.js';
import type { BindOperator } from '../define.js';
import { checkDifferent, otherName, repeated } from '../different-names.js';
import { namesOf } from '../made-names.js';
import { histogramBin } from './histogram-bins.js';
import { eachValue } from './several-values.js';
import { restGroup, restKeys, withRests } from '../rare-fields.js';
import type { AggregatedRest } from '../rare-fields.js';

/** `summarize A, … by G, …`: a row for each combination of groups; without groups exactly one row; without aggregates like `distinct`. */
export const bindSummarize: BindOperator<'summarize'> = ({ aggregates, by }, input, context) =>
  aggregated(
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

/** What is neither a field nor a call. */
const unnamed = { implied: 'Column', numbered: true } as const;

interface Output {
  readonly name: string | undefined;
  /** The name if none was given; `detail` is appended to tell it from others of the same name. */
  readonly implied: string;
  readonly detail?: string;
  /** The implied name is that of a field that a call converts: it gives way to a column of the field itself. */
  readonly givesWay?: boolean;
  /** The implied name is never without a number. */
  readonly numbered?: boolean;
  readonly value: Bound;
  readonly role: Role;
  readonly span: Span;
}

/**
 * The aggregation of a pipeline; `make-series` and others build on it.
 * @param rest rare fields that rows are grouped by as well
 */
export function aggregated(
  input: Plan,
  by: readonly NamedExpr[],
  written: readonly NamedExpr[],
  scope: Scope,
  rest?: RestColumns,
): Plan {
  const aggregates = written.filter((column) => !isPlain(column, by));
  const plain = written.filter((column) => isPlain(column, by));
  const groups = bindGroups([...by, ...plain], givenNames(aggregates), scope, input);
  // What is wrong may have been meant as an aggregate.
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

/** Arguments that an aggregate repeats become columns of its input, which the lowering can put into a subquery. */
function withArguments(
  input: Plan,
  found: readonly Collected[],
  scope: Scope,
): { readonly input: Plan; readonly aggregates: AggregatePlan['aggregates'] } {
  const computed: Computed[] = [];
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

/** Whether an expression among the aggregates is about single rows: it calls no aggregate and is neither a literal nor one of the groups. */
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

/** By time bucket if there is one, then by the first aggregate, greatest first, then by the other groups. */
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
  return [...columns(buckets).map(ascending), ...ranked.map(descending), ...columns(others).map(ascending)];
}

// ---------------------------------------------------------------- groups

interface Group {
  readonly field: Field;
  readonly group: Computed;
}

/** Binds the expressions that rows are grouped by; `others` are names of other columns of the result. */
export function bindGroups(
  by: readonly NamedExpr[],
  others: readonly string[],
  scope: Scope,
  input: Plan,
): readonly Group[] {
  const groups: Group[] = [];
  const names = namesOf(by, others);
  for (const { text, span } of repeated(names))
    scope.query.report.error('name', span, `${text} is grouped by twice${otherName}`);
  for (const [i, { value }] of by.entries()) {
    const name = names[i]!.text;
    const bin =
      value.kind === 'call' && value.callee.text === 'histogram' ? histogramBin(value, input, scope) : undefined;
    const expr = bin ?? single(bindScalar(value, scope));
    const id = scope.query.fresh(name);
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

// ---------------------------------------------------------------- aggregates

interface Outputs<C extends NamedExpr> {
  /** Each with what was written for it; `arg_max` is written once for several. */
  readonly columns: readonly (BoundColumn & { readonly written: C })[];
  /** The aggregates in them. */
  readonly found: readonly Collected[];
  /** Rare fields that they take as well, by `arg_max(…, *)`. */
  readonly rests: readonly AggregatedRest[];
}

/** Expressions over aggregates and groups as named columns; `rows` is the scope of the rows that are aggregated. */
export function bindOutputs<C extends NamedExpr>(
  aggregates: readonly C[],
  groups: readonly Field[],
  rows: Scope,
): Outputs<C> {
  const collector = aggregateCollector(rows.schema);
  const scope: Scope = { ...rows, schema: { fields: groups }, aggregates: collector };
  const taken = groups.map(({ name }) => name);
  const bound = aggregates.map((written) => ({ written, ...bindOutput(written, scope, collector) }));
  const rests = bound.flatMap(({ rest }) => rest ?? []);
  const outputs = named(
    bound.flatMap(({ written, outputs }) => outputs.map((output) => ({ ...output, written }))),
    taken,
    rests,
  );
  checkDifferent(
    outputs.map(({ name, span }) => ({ text: name, span })),
    scope,
    otherName,
    taken,
  );
  return {
    columns: outputs.map(({ name, value, role, written }) => ({ ...fieldOf(name, value, scope, role), written })),
    found: collector.found,
    rests,
  };
}

interface BoundOutput {
  readonly outputs: readonly Output[];
  readonly rest?: AggregatedRest;
}

function bindOutput(column: NamedExpr, scope: Scope, collector: AggregateCollector): BoundOutput {
  const { value, span } = column;
  const { found } = collector;
  const name = column.name?.text;
  const aggregate = value.kind === 'call' ? aggregateNamed(value.callee.text) : undefined;
  if (value.kind === 'call' && aggregate !== undefined) {
    if (aggregate.record.name === 'arg_max' || aggregate.record.name === 'arg_min')
      return bindExtreme(aggregate, value, name, scope, collector);
    const bound = collector.bind(value, scope);
    const info = found.at(-1)?.info ?? { name: aggregate.api };
    if (bound === undefined) return { outputs: [] };
    const field = value.args[0] === undefined ? undefined : fieldName(value.args[0].value);
    const detail = info.args?.map((arg) => String(arg).replace(/[[\]\s]/g, '')).join('_');
    const output: Output = {
      name,
      implied: `${value.callee.text}_${field ?? ''}`,
      ...(detail === undefined ? {} : { detail }),
      value: bound,
      role: { kind: 'aggregate', api: info },
      span,
    };
    return { outputs: [output] };
  }
  const before = found.length;
  const bound = bindScalar(value, scope);
  if (found.length === before && name === undefined && bound[0].kind !== 'constant')
    scope.query.report.error(
      'not_aggregate',
      value.span,
      'summarize needs an aggregate here, such as count() or avg(field)',
    );
  const implied = value.kind === 'call' ? `${value.callee.text}_` : impliedName(value);
  const role = { kind: 'aggregate', api: { name: 'computed' } } as const;
  return { outputs: [{ name, ...(implied === undefined ? unnamed : { implied }), value: bound, role, span }] };
}

/** The field an aggregate is named after: only a bare field counts, which `a.b`, `['a.b']` and `['a']['b']` are. */
function fieldName(expr: Expr): string | undefined {
  if (expr.kind === 'name') return expr.name.text;
  const key = keyOf(expr);
  const object = key === undefined ? undefined : fieldName(key.object);
  return object === undefined ? undefined : `${object}.${key!.name}`;
}

function keyOf(expr: Expr): { readonly object: Expr; readonly name: string } | undefined {
  if (expr.kind === 'member') return { object: expr.object, name: expr.member.text };
  if (expr.kind !== 'index' || expr.index.kind !== 'literal' || typeof expr.index.value !== 'string') return undefined;
  return { object: expr.object, name: expr.index.value };
}

type Extreme = Pick<Output, 'name' | 'implied' | 'givesWay'> & { readonly value: Expr };

/** `arg_max(expression, a, b)`: a column for each argument, named after it by default. */
function bindExtreme(
  aggregate: NamedAggregate,
  call: CallExpr,
  name: string | undefined,
  outer: Scope,
  { rows, found }: AggregateCollector,
): BoundOutput {
  const scope = rowScope(outer, rows);
  const [best, ...others] = call.args;
  if (best === undefined || best.value.kind === 'star') {
    scope.query.report.error(
      'argument_count',
      call.span,
      `${aggregate.name} needs an expression and fields, as in ${aggregate.name}(duration, id)`,
    );
    return { outputs: [] };
  }
  const fields = others.flatMap((arg): readonly Extreme[] =>
    arg.value.kind === 'star'
      ? scope.schema.fields
          .filter((field) => fieldNamed(outer.schema, field.name) === undefined)
          .map((field) => {
            const text = { text: field.name, quoted: true, span: arg.value.span };
            return { name: undefined, implied: field.name, value: { kind: 'name', name: text, span: arg.value.span } };
          })
      : [
          {
            name: arg.name?.text,
            implied: impliedName(arg.value) ?? `${aggregate.name}_${others.indexOf(arg) + 1}`,
            givesWay: arg.value.kind === 'call',
            value: arg.value,
          },
        ],
  );
  const first: Extreme = {
    name: name ?? best.name?.text,
    implied: impliedName(best.value) ?? `${aggregate.name}_`,
    givesWay: best.value.kind === 'call',
    value: best.value,
  };
  // The expression itself is not repeated; a field that it converts is another column.
  const columns: readonly Extreme[] = [
    first,
    ...fields.filter((field) => first.givesWay || (field.name ?? field.implied) !== impliedName(best.value)),
  ];
  let rest: AggregatedRest | undefined;
  const outputs = columns.flatMap(({ value, ...names }): readonly Output[] => {
    const args = [{ value: best.value }, { value }];
    const collected = bindAggregate(aggregate, { ...call, args }, scope);
    if (collected === undefined) return [];
    found.push(collected);
    if (rows.rest !== undefined && rest === undefined && others.some((arg) => arg.value.kind === 'star')) {
      const { call: like, info } = collected;
      const args = [...like.args.slice(0, -1), columnOf({ type: 'bag', id: rows.rest.bag })];
      const bag = scope.query.fresh('rest');
      found.push({ id: bag, call: { ...like, type: 'bag', args }, info });
      const api = { ...info, fields: info.fields?.slice(0, -1) ?? [] };
      const role = { kind: 'aggregate', api } as const;
      rest = { bag, names: rows.rest.names, role };
    }
    return [
      {
        ...names,
        value: [columnOf({ type: collected.call.type, id: collected.id })],
        role: { kind: 'aggregate', api: collected.info },
        span: call.span,
      },
    ];
  });
  return { outputs, ...(rest && { rest }) };
}

/** Names the outputs that have no name: namesakes are told apart by their arguments, else by numbers, and fields keep their names. */
function named<O extends Output>(
  outputs: readonly O[],
  groups: readonly string[],
  rests: readonly AggregatedRest[],
): readonly (O & { readonly name: string })[] {
  const taken = new Set([...groups, ...outputs.flatMap((output) => output.name ?? [])]);
  const kept = new Set(
    outputs.flatMap(({ name, implied, givesWay, numbered }) =>
      name !== undefined || givesWay === true || numbered === true ? [] : [implied],
    ),
  );
  const namesakes = new Map<string, number>();
  for (const { name, implied } of outputs)
    if (name === undefined) namesakes.set(implied, (namesakes.get(implied) ?? 0) + 1);
  // Where to go on, since the numbers before are taken: a thousand namesakes would otherwise each try those of all others.
  const next = new Map<string, number>();
  return outputs.map((output) => {
    if (output.name !== undefined) return { ...output, name: output.name };
    const { implied, detail, givesWay = false, numbered = false } = output;
    const detailed = namesakes.get(implied)! > 1 && detail !== undefined ? `${implied}_${detail}` : implied;
    const first = numbered ? `${detailed}1` : detailed;
    let name = first;
    const isRare = (): boolean => name !== detailed && rests.some(({ names }) => names.has(name));
    const key = `${givesWay} ${detailed}`;
    let i = next.get(key) ?? (numbered ? 2 : 1);
    for (; taken.has(name) || isRare() || (givesWay && kept.has(name)); i++) name = `${detailed}${i}`;
    next.set(key, i);
    taken.add(name);
    return { ...output, name };
  });
}
