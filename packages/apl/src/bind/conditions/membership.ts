import { call, column, item, lambda, literal, select } from '@millrace/sql';
import { defineOverload, param } from '../../functions/define.js';
import type { Overload } from '../../functions/define.js';
import { scalarOperator } from '../../functions/operators/index.js';
import { sameText } from '../../lower/json/json-parts.js';
import { orFalse, whereAll } from '../../lower/equality.js';
import { flatElements } from '../../lower/json/flat-elements.js';
import { arrayJson, asJson, elementsOf } from '../../lower/values.js';
import { foldedCase, foldedText } from '../../lower/texts/fold-case.js';
import { callOf, columnOf, constant, constantText, readsRow } from '../../plan/scalar.js';
import type { Bound, ConstantScalar, Scalar } from '../../plan/scalar.js';
import type { Plan } from '../../plan/nodes.js';
import { readingsOf } from '../../plan/schema.js';
import type { Field } from '../../plan/schema.js';
import type { MembershipExpr, Tabular } from '../../syntax/ast.js';
import { isDynamic, isNumeric } from '../../types.js';
import type { ScalarType } from '../../types.js';
import { tableAmongValues } from '../as-table.js';
import { applied } from '../calls/calls.js';
import { converted, dynamicOf, single } from '../values/coerce.js';
import { compare, equalPairOf, warnOfNull, warnOfTypes } from './comparison.js';
import type { Scope } from '../context.js';
import { textOf } from '../values/convert-text.js';
import { bindScalar } from '../context.js';
import { findable } from './findable.js';
import { notOf, oneOf } from './logic.js';
import { bindOperand } from '../names/names.js';
import { bindTermList } from './term-list.js';
import { isPipeline, spread } from './written-list.js';

/** `in`, `in~`, `has_any`, `has_all` and their negated forms, which are true for null like `!=`. */
export function bindMembership(expr: MembershipExpr, scope: Scope): Scalar {
  const left = bindScalar(expr.left, scope);
  const positive = expr.op === 'in' ? within(left, expr, scope) : bindTermList(left, expr, scope);
  return expr.negated ? notOf(positive, scope.query) : positive;
}

// ---------------------------------------------------------------- in

function within(left: Bound, expr: MembershipExpr, scope: Scope): Scalar {
  const fold = expr.caseSensitive ? undefined : foldCase;
  if (isPipeline(expr.list)) return withinPipeline(left, expr.list, fold, scope);
  const [tables, values]: [Tabular[], Scalar[]] = [[], []];
  for (const item of expr.list) {
    // As the only value it was meant as a test; among others it may be there because the list is
    // made by a program.
    if (expr.list.length === 1) warnOfNull(item, { what: expr.left, not: expr.negated, span: expr.span }, scope);
    const table = tableAmongValues(item, scope);
    if (table === undefined) values.push(...spread(bindOperand(item, left, scope)));
    else tables.push(table);
  }
  const constants = values.filter((value): value is ConstantScalar => value.kind === 'constant');
  const tests = tables.map((table) => withinPipeline(left, table, fold, scope));
  // Without case everything is compared as text.
  const needle: Bound = fold === undefined ? left : [fold(left)];
  const canList = ({ type }: Scalar, value: ConstantScalar): boolean =>
    !isDynamic(value.type) && (fold !== undefined || listedAs(type, value.type));
  for (const reading of needle) {
    const same = constants.filter((value) => canList(reading, value) && canEqual(value));
    if (same.length > 0) tests.push(listTest(reading, same, fold));
  }
  for (const value of values) {
    const isListed = value.kind === 'constant' && needle.some((reading) => canList(reading, value));
    // A dynamic reading may hold a value of this type in some rows.
    const [first, ...others] = isListed
      ? needle.filter(({ type }) => type === 'dynamic' && !listedAs(type, value.type))
      : left;
    if (first === undefined || (value.kind === 'constant' && value.value === null)) continue;
    const untested: Bound = [first, ...others];
    tests.push(
      isDynamic(value.type) && value.kind !== 'constant'
        ? applied(
            'in',
            containsElement({ folded: fold !== undefined, shared: !readsRow(value) }),
            [converted(single(untested), 'dynamic'), value],
            scope.query,
          )
        : compare(
            '==',
            fold === undefined
              ? { left: untested, right: [value], span: expr.span }
              : { left: [fold(untested)], right: [fold([value])], span: expr.span },
            scope.query,
          ),
    );
  }
  return oneOf(tests, scope.query);
}

/** Null and NaN equal nothing, though the engine finds NaN in a list. */
const canEqual = ({ value }: ConstantScalar): boolean => value !== null && !Number.isNaN(value);

/** Types whose constants can share one IN list of the engine without conversion. */
const listedAs = (reading: ScalarType, value: ScalarType): boolean =>
  reading === value || (isNumeric(reading) && isNumeric(value));

function listTest(
  reading: Scalar,
  values: readonly ConstantScalar[],
  fold: ((bound: Bound) => Scalar) | undefined,
): Scalar {
  // The engine compares bits, which differ for the two zeros.
  const zeros = reading.type === 'real' && values.some(({ value }) => value === 0 || value === 0n) ? bothZeros : [];
  const items = fold === undefined ? [...values, ...zeros] : values.map((value) => fold([value]));
  return callOf('in', listOverload, [reading, ...items]);
}

const bothZeros = [constant('real', 0), constant('real', -0)];
const listOverload = scalarOperator('in').overloads[0]!;

const containsElement = ({ folded, shared }: { readonly folded: boolean; readonly shared: boolean }): Overload =>
  defineOverload({
    params: [param('value', 'dynamic'), param('list', 'dynamic')],
    returns: 'bool',
    lower: ([value, list]) => {
      const json = sameText(asJson(value));
      // An array may also be looked for as a whole.
      const values = call('arrayConcat', flatElements(list.sql), elementsOf(list.sql));
      const elements = folded ? call('arrayMap', lambda(['e'], foldedCase(column('e'))), values) : values;
      const needle = folded ? foldedCase(json) : json;
      // The engine goes through an array for each row, but makes a table of a subquery's rows.
      const query = select({ columns: [item(call('arrayJoin', elements))] });
      return orFalse(shared ? { kind: 'inSubquery', needle, query } : call('has', elements, needle));
    },
  });

function withinPipeline(
  left: Bound,
  pipeline: Tabular,
  fold: ((bound: Bound) => Scalar) | undefined,
  scope: Scope,
): Scalar {
  const { plan, field } = withFlatColumn(scope.rules.pipeline(pipeline, scope), scope);
  if (field === undefined) return constant('bool', false);
  // Without case everything is compared as text.
  const needle: Bound = fold === undefined ? left : [fold(left)];
  const items = readingsOf(field);
  const pairs = needle.flatMap((reading) =>
    items.flatMap((item) => equalPairOf(reading, fold === undefined ? item : fold([item]), scope.query)),
  );
  if (pairs.length === 0) warnOfTypes('==', { left, right: items, span: pipeline.span }, scope.query);
  const tests = pairs.map(([value, expr]): Scalar => {
    const found = scope.query.fresh(field.name);
    const schema = { fields: [{ name: field.name, readings: [{ type: expr.type, id: found }] }] };
    const list: Plan = {
      kind: 'project',
      schema,
      input: plan,
      computed: [{ id: found, expr: findable(expr, scope.query) }],
    };
    return { kind: 'inPlan', type: 'bool', needle: findable(value, scope.query), plan: list };
  });
  return oneOf(tests, scope.query);
}

/**
 * The first column of a plan, with a row for each of the values in its arrays besides those of the
 * arrays.
 */
function withFlatColumn(plan: Plan, { query }: Scope): { readonly plan: Plan; readonly field: Field | undefined } {
  const field = plan.schema.fields[0];
  const dynamics = field === undefined ? undefined : dynamicOf(readingsOf(field));
  if (field === undefined || dynamics === undefined) return { plan, field };
  const [array, id] = [query.fresh(field.name), query.fresh(field.name)];
  const others = field.readings.filter(({ type }) => !isDynamic(type));
  const flat: Field = { name: array, readings: [{ type: 'array', id: array }] };
  const input: Plan = {
    kind: 'project',
    schema: { fields: [{ ...field, readings: others }, flat] },
    input: plan,
    computed: [{ id: array, expr: applied('flat', flatArray, [dynamics], query) }],
  };
  const values: Field = { ...field, readings: [...others, { type: 'dynamic', id }] };
  const arrays = [{ id, expr: columnOf({ type: 'array', id: array }) }];
  return { plan: { kind: 'expand', schema: { fields: [values, flat] }, input, arrays, bag: false }, field: values };
}

const flatArray = defineOverload({
  params: [param('value', 'dynamic')],
  returns: 'array',
  lower: ([value]) =>
    whereAll(
      [value.sql],
      arrayJson(call('arrayPushBack', flatElements(value.sql), call('ifNull', value.sql, literal('null')))),
    ),
});

function foldCase(bound: Bound): Scalar {
  const scalar = textOf(bound);
  const text = constantText(scalar);
  return text === undefined ? callOf('tolower', folding, [scalar]) : constant('string', foldedText(text));
}
const folding = defineOverload({
  params: [param('text', 'string')],
  returns: 'string',
  lower: ([text]) => foldedCase(text.sql),
});
