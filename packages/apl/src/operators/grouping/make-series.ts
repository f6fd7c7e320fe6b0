import { call, column, integer, lambda, literal, parametric } from '@millrace/sql';
import type { Expr } from '@millrace/sql';
import { MAX_LIST } from '../../aggregates/collections.js';
import { apply } from '../../bind/calls/calls.js';
import { single } from '../../bind/values/coerce.js';
import { bindScalar, bindSingle } from '../../bind/context.js';
import { toType } from '../../bind/values/to-type.js';
import { defineAggregateOverload } from '../../aggregates/define.js';
import type { AggregateCall } from '../../aggregates/define.js';
import { defineOverload, param } from '../../functions/define.js';
import type { LoweredArgument } from '../../functions/define.js';
import { functionNamed } from '../../functions/index.js';
import { asString, instant } from '../../lower/values.js';
import { arrayJson, jsonOrNullText } from '../../lower/json/members.js';
import type { AggregatePlan, Plan } from '../../plan/nodes.js';
import { callOf, columnOf, constant } from '../../plan/scalar.js';
import type { Scalar } from '../../plan/scalar.js';
import type { Field } from '../../plan/schema.js';
import { ascendingKey, inDefaultOrder } from '../../plan/sort-key.js';
import type { Expr as SyntaxExpr } from '../../syntax/ast.js';
import { impliedName } from '../columns.js';
import type { BindOperator, OperatorContext } from '../define.js';
import { constantAs } from '../constant-as.js';
import { seriesDefault } from './series-default.js';
import { bindOutputs } from './outputs.js';
import { bindGroups, givenNames } from './summarize.js';

const wholePart = functionNamed('floor')!.overloads.find(({ params }) => params[0]!.type === 'real')!;

/** Maximum elements of a series: the maximum of a list. */
export const MAX_BINS = MAX_LIST;

/**
 * `make-series A default=v on t from a to b step s by G`: a row for each group, with an array over
 * all bins for each aggregate and one for the times. Bins begin at `from`, by default the start of
 * the time range; `to` is exclusive.
 */
export const bindMakeSeries: BindOperator<'make-series'> = (operator, input, context): Plan => {
  const { query } = context;
  const rows = context.scalarScope(input.schema);
  const written = single(bindScalar(operator.on, rows));
  // For a field that has strings, or that does not exist, the times are parsed from the values.
  const isRead = written.type === 'dynamic' || written.type === 'string';
  const read = isRead ? toType(written, 'datetime', operator.on.span, query) : written;
  // The ends and the step are whole, so a number and its whole part are in the same bin.
  const time = read.type === 'real' ? apply('floor', wholePart, [read], query) : read;
  const axis = bindAxis(operator, time, context);
  if (axis === undefined) return input;
  const timeName = nameOfTimes(operator);
  const groups = bindGroups(operator.by, [...givenNames(operator.aggregates), timeName], rows, input);
  const position = query.fresh('bin');

  // Rows of each group and bin, aggregated …
  const groupFields = groups.map(({ field }) => field);
  const { columns, found } = bindOutputs(operator.aggregates, groupFields, rows);
  const within: Plan = {
    kind: 'filter',
    schema: input.schema,
    input,
    predicate: callOf('within', withinAxis, [time, ...axis]),
  };
  const bins: AggregatePlan = {
    kind: 'aggregate',
    schema: { fields: groupFields },
    input: within,
    groups: [...groups.map((g) => g.group), { id: position, expr: callOf('bin', binNumber, [time, ...axis]) }],
    aggregates: found.map(({ id, call: aggregate }) => ({ id, call: aggregate })),
  };
  const values: Plan = {
    kind: 'project',
    schema: {
      fields: [
        ...groupFields,
        { name: position, readings: [{ type: 'long', id: position }] },
        ...columns.map(({ field }) => field),
      ],
    },
    input: bins,
    computed: columns.flatMap(({ computed }) => computed),
  };

  // … and then laid out in arrays, a row for each group.
  const series = columns.map(({ field, written }) => {
    const [reading] = field.readings;
    const id = query.fresh(field.name);
    const value: Scalar = reading === undefined ? constant('long', null) : columnOf(reading);
    const otherwise = seriesDefault(written.default ?? operator.default, value.type, context);
    const layout: AggregateCall = {
      name: 'series',
      type: 'array',
      overload: layOut,
      args: [value, columnOf({ type: 'long', id: position }), otherwise, ...axis],
    };
    const laidOut: Field = { ...field, readings: [{ type: 'array', id }] };
    return { id, call: layout, field: laidOut };
  });
  const groupIds = groups.map(({ field, group }) => ({ field, id: query.fresh(field.name), from: group }));
  const laid: AggregatePlan = {
    kind: 'aggregate',
    schema: { fields: [] },
    input: values,
    groups: groupIds.map(({ id, from }) => ({ id, expr: columnOf({ type: from.expr.type, id: from.id }) })),
    aggregates: series.map(({ id, call: aggregate }) => ({ id, call: aggregate })),
  };
  const times = query.fresh('times');
  if ([...groups, ...series].some(({ field }) => field.name === timeName)) {
    const named = `there are two columns ${timeName}, one of them with the times; name the other one: other = …`;
    query.report.error('name', operator.on.span, named);
  }
  const fields: readonly Field[] = [
    ...groupIds.map(({ field, id }): Field => ({
      ...field,
      readings: field.readings.map(({ type }) => ({ type, id })),
    })),
    ...series.map(({ field }) => field),
    { name: timeName, readings: [{ type: 'array', id: times }], alias: TIMES },
  ];
  const plan: Plan = {
    kind: 'project',
    schema: { fields },
    input: { ...laid, schema: { fields: fields.slice(0, -1) } },
    computed: [{ id: times, expr: callOf('times', timesOf, axis) }],
  };
  const keys = groupIds.map(({ id, from }) => ascendingKey(columnOf({ type: from.expr.type, id })));
  return inDefaultOrder(plan, keys);
};

/**
 * Default name of the column of times, when it is not named after the field; some of Axiom's
 * examples always use it.
 */
const TIMES = 'time';

/**
 * The column of times is named after the field. If the field is converted, other columns may take
 * the name, as in other operators.
 */
function nameOfTimes({ on, by, aggregates }: Parameters<BindOperator<'make-series'>>[0]): string {
  const name = impliedName(on);
  const bare = by.flatMap(({ name: given, value }) =>
    given === undefined && value.kind !== 'call' ? (impliedName(value) ?? []) : [],
  );
  const gives = on.kind === 'call' && [...givenNames([...by, ...aggregates]), ...bare].some((other) => other === name);
  return gives ? TIMES : (name ?? TIMES);
}

/**
 * From, to and step as constants; a missing end is filled in when the time range is known
 * (`passes/axes.ts`).
 */
function bindAxis(
  { from, to, step, on, span }: Parameters<BindOperator<'make-series'>>[0],
  time: Scalar,
  context: OperatorContext,
): readonly Scalar[] | undefined {
  const { report } = context.query;
  const fixedValue = (expr: SyntaxExpr | undefined, type: 'datetime' | 'long' | 'timespan'): Scalar | undefined => {
    if (expr === undefined) return undefined;
    const scalar = bindSingle(expr, context.constantScope);
    if (scalar.kind === 'constant' && scalar.type === type && typeof scalar.value === 'bigint') return scalar;
    if (type === 'long' && scalar.kind === 'constant' && Number.isSafeInteger(scalar.value))
      return constant('long', BigInt(Number(scalar.value)));
    if (scalar.kind !== 'constant') {
      const found = constantAs(scalar, type, expr.span, context.query);
      if (found === undefined || found.value !== null) return found;
    }
    const wanted = type === 'long' ? 'whole number' : type;
    report.error('not_constant', expr.span, `this must be a constant ${wanted}`);
    return undefined;
  };
  if (time.type !== 'datetime' && time.type !== 'long') {
    report.error('type_mismatch', on.span, `the axis of make-series must be a datetime or a number, not ${time.type}`);
    return undefined;
  }
  if (time.type === 'long' && (from === undefined || to === undefined)) {
    report.error('argument_count', span, 'over numbers make-series needs from and to');
    return undefined;
  }
  const size = fixedValue(step, time.type === 'datetime' ? 'timespan' : 'long');
  if (size === undefined) return undefined;
  const end = (name: AxisEnd): Scalar => callOf(name, openEnd, [size]);
  const start = from === undefined ? end('axis_from') : fixedValue(from, time.type);
  const finish = to === undefined ? end('axis_to') : fixedValue(to, time.type);
  if (start === undefined || finish === undefined) return undefined;
  if (size.kind !== 'constant' || typeof size.value !== 'bigint' || size.value <= 0n) {
    report.error('argument_type', step.span, 'the step of make-series must be greater than 0');
    return undefined;
  }
  const bins = binsOf([start, finish, size]);
  if (bins !== undefined && bins > MAX_BINS) {
    report.error('limit', step.span, tooManyBins(bins));
    return undefined;
  }
  return [start, finish, size];
}

// ---------------------------------------------------------------- lowering: arguments end with
// from, to, step

interface Axis {
  readonly from: bigint;
  /** Exclusive; the last bin may be cut short by it. */
  readonly to: bigint;
  readonly step: bigint;
  readonly bins: bigint;
}

function axisOf(axis: readonly LoweredArgument[]): Axis {
  const [from, to, step] = axis.map(({ constant: value }) => value);
  if (typeof from !== 'bigint' || typeof to !== 'bigint' || typeof step !== 'bigint')
    throw new RangeError('the axis of a series is constant');
  const bins = binsBetween(from, to, step);
  return bins > MAX_BINS ? { from, to: from + MAX_BINS * step, step, bins: MAX_BINS } : { from, to, step, bins };
}

const binsBetween = (start: bigint, end: bigint, step: bigint): bigint =>
  end <= start ? 0n : (end - start + step - 1n) / step;

/** How many bins an axis has; undefined while an end is not known. */
export function binsOf(axis: readonly Scalar[]): bigint | undefined {
  const [from, to, step] = axis.map((scalar) => (scalar.kind === 'constant' ? scalar.value : undefined));
  if (typeof from !== 'bigint' || typeof to !== 'bigint' || typeof step !== 'bigint') return undefined;
  return binsBetween(from, to, step);
}

export const tooManyBins = (bins: bigint): string =>
  `a series has at most ${MAX_BINS} bins, not ${bins}; choose a greater step`;

/** The ends of an axis, by the name of the call that represents a missing one. */
export type AxisEnd = 'axis_from' | 'axis_to';

const openEnd = defineOverload({
  params: [param('step', 'any')],
  returns: 'datetime',
  lower: () => {
    throw new RangeError('the ends of an axis are constants by now');
  },
});

const axisParams = ['from', 'to', 'step'].map((name) => param(name, 'any', { constant: true }));

const offset = (time: LoweredArgument, { from }: Axis): Expr =>
  call(
    'minus',
    time.type === 'datetime' ? call('toUnixTimestamp64Nano', time.sql) : time.sql,
    call('toInt64', integer(from)),
  );

const withinAxis = defineOverload({
  params: [param('time', 'any'), ...axisParams],
  returns: 'bool',
  lower: ([time, ...rest]) => {
    const axis = axisOf(rest);
    const bound = (value: bigint): Expr =>
      time.type === 'datetime' ? instant(call('toInt64', integer(value))) : call('toInt64', integer(value));
    return call('and', call('greaterOrEquals', time.sql, bound(axis.from)), call('less', time.sql, bound(axis.to)));
  },
});

const binNumber = defineOverload({
  params: [param('time', 'any'), ...axisParams],
  returns: 'long',
  lower: ([time, ...rest]) => {
    const axis = axisOf(rest);
    return call('intDiv', offset(time, axis), call('toInt64', integer(axis.step)));
  },
});

const layOut = defineAggregateOverload({
  params: [param('value', 'any'), param('bin', 'long'), param('default', 'dynamic', { constant: true }), ...axisParams],
  returns: 'array',
  lower: ([value, bin, otherwise, ...rest], _, condition) => {
    const { bins } = axisOf(rest);
    const empty = literal(String(otherwise.constant));
    // An array of the engine cannot be padded to zero elements, and without rows there is none.
    if (bins === 0n) return call('ifNull', call('anyOrNull', literal('[]')), literal('[]'));
    const cells = [jsonOrNullText(value), call('toUInt32', call('ifNull', bin.sql, integer(0)))];
    const laid =
      condition === undefined
        ? parametric('groupArrayInsertAt', [empty, integer(bins)], ...cells)
        : parametric(
            'groupArrayInsertAtIf',
            [empty, integer(bins)],
            ...cells,
            call('ifNull', condition, literal(false)),
          );
    return arrayJson(laid);
  },
});

/** The times of the bins, one array in each row. */
export const timesOf = defineOverload({
  params: axisParams,
  returns: 'array',
  lower: (args) => {
    const axis = axisOf(args);
    const at = call(
      'plus',
      call('toInt64', integer(axis.from)),
      call('multiply', column('i'), call('toInt64', integer(axis.step))),
    );
    const text =
      args[2]?.type === 'timespan'
        ? call('concat', literal('"'), asString({ type: 'datetime', sql: instant(at) }), literal('"'))
        : call('toString', at);
    return arrayJson(call('arrayMap', lambda(['i'], text), call('range', call('toInt64', integer(axis.bins)))));
  },
});
