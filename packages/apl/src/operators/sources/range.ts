import { call, column, lambda, literal } from '@millrace/sql';
import { MAX_LIST } from '../../aggregates/collections.js';
import { emptyPlan } from '../../plan/empty-plan.js';
import { bindSingle } from '../../bind/context.js';
import { defineOverload, param } from '../../functions/define.js';
import { arrayJson } from '../../lower/json/members.js';
import type { Plan } from '../../plan/nodes.js';
import { columnOf, constant } from '../../plan/scalar.js';
import { typeNameOf } from '../../model/result-types.js';
import type { Scalar } from '../../plan/scalar.js';
import type { Expr, TableSource } from '../../syntax/ast.js';
import { convertTo } from '../../bind/values/coerce.js';
import { realRange } from '../../functions/mathematical/range.js';
import { commonType } from '../../functions/unify.js';
import { isNumeric } from '../../model/types.js';
import { apply } from '../../bind/calls/calls.js';
import { constantAs } from '../constant-as.js';
import type { OperatorContext } from '../define.js';

/** The most rows a `range` may give: they are made from a list. */
const MAX_RANGE_ROWS = MAX_LIST;

type Bound = Scalar & { readonly value: bigint | number };

/**
 * Binds `range x from a to b step s`: numbers, datetimes or timespans, both ends included. Bounds
 * that depend on data, as in `toscalar(T | …)`, are looked up first; if one of them is null, there
 * are no rows.
 */
export function bindRange(source: Extract<TableSource, { kind: 'range' }>, context: OperatorContext): Plan {
  const [from, to, step] = [source.from, source.to, source.step].map((expr) => boundOf(expr, context));
  if (from === undefined || to === undefined || step === undefined) return emptyPlan;
  if (from === 'null' || to === 'null' || step === 'null') return noRows(source.name.text, context);
  const bounds = [from, to, step];
  const types = bounds.map((each) => each.type);
  const areNumbers = types.every(isNumeric);
  const type = areNumbers ? commonType(types) : from.type;
  const stepType = type === 'datetime' ? 'timespan' : type;
  if (!areNumbers && (to.type !== type || step.type !== stepType)) {
    const [a, b, s] = types.map((each) => typeNameOf([each]));
    const wanted = `from ${a} it goes to ${a} by a step of ${typeNameOf([stepType])}`;
    const place = to.type === from.type ? source.step : source.to;
    context.query.report.error('type_mismatch', place.span, `range mixes ${a}, ${b} and ${s}; ${wanted}`);
    return emptyPlan;
  }
  const rows = rowsOf(from.value, to.value, step.value);
  if (rows === undefined || rows > MAX_RANGE_ROWS) {
    const message =
      rows === undefined
        ? 'the step of range must not be 0'
        : `range gives at most ${MAX_RANGE_ROWS} rows, not ${rows}`;
    context.query.report.error('limit', source.step.span, message);
    return emptyPlan;
  }
  const { query } = context;
  const name = source.name.text;
  const [list, element, value] = [query.fresh(name), query.fresh(name), query.fresh(name)];
  const expr =
    type === 'real'
      ? apply('range', realRange, [convertTo(from, type), convertTo(to, type), convertTo(step, type)], query)
      : apply('range', numbers, [asLong(from), asLong(step), constant('long', BigInt(rows))], query);
  const oneRow: Plan = { kind: 'rows', schema: { fields: [] }, columns: [], rows: [[]] };
  const withList: Plan = {
    kind: 'project',
    input: oneRow,
    schema: { fields: [{ name, readings: [{ type: 'array', id: list }] }] },
    computed: [{ id: list, expr }],
  };
  const expanded: Plan = {
    kind: 'expand',
    input: withList,
    schema: { fields: [{ name, readings: [{ type: 'dynamic', id: element }] }] },
    arrays: [{ id: element, expr: columnOf({ type: 'array', id: list }) }],
    bag: false,
  };
  const cell = columnOf({ type: 'dynamic', id: element });
  const computed =
    type === 'datetime' ? apply('todatetime', instants, [convertTo(cell, 'long')], query) : convertTo(cell, type);
  return {
    kind: 'project',
    input: expanded,
    schema: { fields: [{ name, readings: [{ type, id: value }] }] },
    computed: [{ id: value, expr: computed }],
  };
}

/** Without rows, numbers. */
function noRows(name: string, { query }: OperatorContext): Plan {
  const column = { type: 'long', id: query.fresh(name) } as const;
  return { kind: 'rows', schema: { fields: [{ name, readings: [column] }] }, columns: [column], rows: [] };
}

/** One of the three values; undefined if it is invalid, or its lookup is pending. */
function boundOf(expr: Expr, { query, constantScope }: OperatorContext): Bound | 'null' | undefined {
  const scalar = bindSingle(expr, constantScope);
  const type = scalar.type === 'dynamic' ? 'long' : scalar.type;
  const isKnown = scalar.kind === 'constant' && scalar.value !== null;
  const mayBe = type === 'long' || type === 'real' || type === 'datetime' || type === 'timespan';
  const found = isKnown || !mayBe ? scalar : constantAs(scalar, type, expr.span, query);
  if (found === undefined) return undefined;
  if (found.kind === 'constant' && (typeof found.value === 'bigint' || typeof found.value === 'number'))
    return { ...found, value: found.value };
  if (mayBe && scalar.kind !== 'constant') return 'null';
  const message = 'range needs numbers, datetimes or timespans that are the same for all rows';
  query.report.error('not_constant', expr.span, message);
  return undefined;
}

/** How many rows a range has, 0 if its step leads away from its end; undefined for a step of 0. */
function rowsOf(from: bigint | number, to: bigint | number, step: bigint | number): bigint | number | undefined {
  if (Number(step) === 0) return undefined;
  if (typeof from === 'bigint' && typeof to === 'bigint' && typeof step === 'bigint') {
    const distance = to - from;
    return (step > 0n ? distance < 0n : distance > 0n) ? 0n : distance / step + 1n;
  }
  return Math.max(0, Math.floor((Number(to) - Number(from)) / Number(step)) + 1);
}

/** Datetimes and timespans as the nanoseconds that they are. */
const asLong = ({ value }: Bound): Scalar => constant('long', value);

const numbers = defineOverload({
  params: [param('from', 'long'), param('step', 'long'), param('count', 'long')],
  returns: 'array',
  lower: ([from, step, count]) =>
    arrayJson(
      call(
        'arrayMap',
        lambda(['i'], call('toString', call('plus', from.sql, call('multiply', column('i'), step.sql)))),
        call('range', count.sql),
      ),
    ),
});

const instants = defineOverload({
  params: [param('nanoseconds', 'long')],
  returns: 'datetime',
  lower: ([ns]) => call('fromUnixTimestamp64Nano', ns.sql, literal('UTC')),
});
