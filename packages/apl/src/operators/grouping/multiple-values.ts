import { aggregateNamed } from '../../aggregates/index.js';
import type { QueryContext } from '../../bind/context.js';
import { functionNamed } from '../../functions/index.js';
import type { Schema } from '../../plan/schema.js';
import type { CallExpr, Expr, Name, NamedExpr } from '../../syntax/ast.js';
import { impliedName } from '../columns.js';

/**
 * Columns in which calls that give several values have become a column for each:
 * `(low, high) = percentiles(a, 5, 95)`, `series_fit_line(s)`, `(last, who) = arg_max(t, user)`.
 */
export const eachValue = (
  columns: readonly NamedExpr[],
  query: QueryContext,
  { fields }: Schema,
  groups: readonly string[] = [],
): readonly NamedExpr[] =>
  columns.flatMap((column) =>
    valuesOf(
      column,
      query,
      fields.flatMap(({ name }) => (groups.includes(name) ? [] : name)),
    ),
  );

function valuesOf(column: NamedExpr, query: QueryContext, fields: readonly string[]): readonly NamedExpr[] {
  const { name, names, value } = column;
  if (value.kind === 'call') {
    const { args, callee } = value;
    if (callee.text === 'percentiles') return nameValues(percentilesOf(value, name, 'percentile', 1), names);
    if (callee.text === 'percentilesw') return nameValues(percentilesOf(value, name, 'percentilew', 2), names);
    if (callee.text === 'take_any' && (args.length > 1 || args[0]?.value.kind === 'star'))
      return nameValues(anyOfEach(value, fields), names);
    if (callee.text === 'presence') return [{ ...column, value: countsOf(value, fields) }];
    const extreme =
      aggregateNamed(callee.text)?.record.labeled === true || /^arg_(?:max|min)(?:_?if)?$/.test(callee.text);
    if (names !== undefined && extreme) return [withNames(column, value, names)];
    const record = functionNamed(callee.text);
    if (record?.values !== undefined && name === undefined) {
      const of = args[0] === undefined ? undefined : impliedName(args[0].value);
      const stem = of === undefined ? callee.text : `${callee.text}_${of}`;
      return nameValues(
        Object.entries(record.values).map(([part, i]) => ({
          name: { text: `${stem}_${part}`, quoted: true, span: callee.span },
          value: element(value, i),
          span: column.span,
        })),
        names,
      );
    }
  }
  if (names === undefined) return [column];
  const message = 'several names in brackets are for a call that gives several values, such as arg_max(a, b)';
  query.report.error('name', column.span, message);
  return names.map((each) => ({ name: each, value, span: column.span }));
}

/** The values with the names that are given; those without one are left out. */
const nameValues = (values: readonly NamedExpr[], names: readonly Name[] | undefined): readonly NamedExpr[] =>
  names === undefined ? values : values.slice(0, names.length).map((value, i) => ({ ...value, name: names[i]! }));

const element = (object: Expr, i: number): Expr => ({
  kind: 'index',
  object,
  index: { kind: 'literal', type: 'long', value: BigInt(i), span: object.span },
  span: object.span,
});

/** `(a, b) = arg_max(x, y)` as `arg_max(a = x, b = y)`. */
function withNames(column: NamedExpr, call: CallExpr, names: readonly Name[]): NamedExpr {
  const args = call.args.map((arg, i) => {
    const name = names[i];
    return name === undefined || arg.value.kind === 'star' ? arg : { name, value: arg.value };
  });
  return { value: { ...call, args }, span: column.span };
}

/**
 * `percentiles(a, 50, 95)` as `percentile(a, 50)` and `percentile(a, 95)`, with the names that
 * Kusto gives them.
 */
function percentilesOf(call: CallExpr, name: Name | undefined, one: string, before: number): readonly NamedExpr[] {
  const [values, wanted] = [call.args.slice(0, before), call.args.slice(before)];
  const [of] = values;
  const callee = { ...call.callee, text: one };
  if (of === undefined || wanted.length === 0) return [{ value: { ...call, callee }, span: call.span }];
  const stem = name?.text ?? `percentile_${impliedName(of.value) ?? ''}`;
  // The only one has the name that is given.
  if (name !== undefined && wanted.length === 1)
    return [{ name, value: { ...call, callee, args: [of, ...call.args.slice(1)] }, span: call.span }];
  return wanted.map((percentage) => {
    const text = `${stem}_${percentageText(percentage.value)}`;
    return {
      ...(name === undefined ? { wish: text } : { name: { text, quoted: true, span: name.span } }),
      value: { ...call, callee, args: [...values, percentage] },
      span: call.span,
    };
  });
}

/** `presence(a, b)` as `bag_pack('a', count(a), 'b', count(b))`; `*` means all fields. */
const countsOf = (call: CallExpr, fields: readonly string[]): CallExpr => ({
  ...call,
  callee: { ...call.callee, text: 'bag_pack' },
  args: namedFields(call, fields).flatMap((value) => [
    { value: { kind: 'literal', type: 'string', value: impliedName(value) ?? '', span: call.span } },
    { value: { ...call, callee: { ...call.callee, text: 'count' }, args: [{ value }] } },
  ]),
});

/** The arguments of a call; `*` means all fields. */
const namedFields = (call: CallExpr, fields: readonly string[]): readonly Expr[] =>
  call.args.flatMap(({ value }): readonly Expr[] =>
    value.kind === 'star'
      ? fields.map((text) => ({
          kind: 'name',
          name: { text, quoted: true, isColumn: true, span: value.span },
          span: value.span,
        }))
      : [value],
  );

/**
 * `take_any(a, b)` as `a = take_any(a)` and `b = take_any(b)`, where no other column has the name;
 * `*` means all fields.
 */
const anyOfEach = (call: CallExpr, fields: readonly string[]): readonly NamedExpr[] =>
  namedFields(call, fields).map((value) => {
    const text = impliedName(value);
    return {
      ...(text !== undefined && { wish: text }),
      value: { ...call, args: [{ value }] },
      span: value.span,
    };
  });

/** A percentage in a name: `95`, `99_9`. */
const percentageText = (expr: Expr): string =>
  expr.kind === 'literal' ? String(expr.value).replace('.', '_') : (impliedName(expr) ?? '');
