import { call, column, item, lambda, literal, select } from '@millrace/sql';
import { defineOverload, param } from '../../functions/define.js';
import type { Overload } from '../../functions/define.js';
import { scalarOperator } from '../../functions/operators/index.js';
import { sameText } from '../../lower/json/json-parts.js';
import { orFalse, whereAll } from '../../lower/equality.js';
import { flatElements } from '../../lower/json/flat-elements.js';
import { asJson } from '../../lower/values.js';
import { arrayJson, elementsOf } from '../../lower/json/members.js';
import { foldedCase, foldedText } from '../../lower/strings/fold-case.js';
import { callOf, columnOf, constant, constantText, readsRow } from '../../plan/scalar.js';
import type { Bound, ConstantScalar, Scalar } from '../../plan/scalar.js';
import type { Plan } from '../../plan/nodes.js';
import { readingsOf } from '../../plan/schema.js';
import type { Field } from '../../plan/schema.js';
import type { MembershipExpr, Tabular } from '../../syntax/ast.js';
import { isDynamic, isNumeric } from '../../model/types.js';
import type { ScalarType } from '../../model/types.js';
import { tableAmongValues } from '../calls/table-among-values.js';
import { apply } from '../calls/calls.js';
import { convertTo, dynamicOf, single } from '../values/coerce.js';
import { compare, warnOfNull, warnOfTypes } from './comparison.js';
import { equalsEmpty } from './empty-text.js';
import { equalPairOf, noteReadings } from './pairs.js';
import type { Pair } from './pairs.js';
import type { QueryContext, Scope } from '../context.js';
import { daysBeside } from '../values/day-of-week.js';
import { textOf } from '../values/convert-text.js';
import { noteReadConstant, noteReading } from '../values/read-text.js';
import type { TextPlace } from '../values/read-text.js';
import { bindScalar } from '../context.js';
import { toLookupKey } from './findable.js';
import { notOf, oneOf } from './logic.js';
import { bindOperand } from '../names/names.js';
import { bindTermList } from './term-list.js';
import { isPipeline, flattenList } from './written-list.js';

/** `in`, `in~`, `has_any`, `has_all` and their negated forms, which are true for null like `!=`. */
export function bindMembership(expr: MembershipExpr, scope: Scope): Scalar {
  const left = bindScalar(expr.left, scope);
  const positive = expr.op === 'in' ? within(left, expr, scope) : bindTermList(left, expr, scope);
  return expr.negated ? notOf(positive, scope.query) : positive;
}

// ---------------------------------------------------------------- in

function within(bound: Bound, expr: MembershipExpr, scope: Scope): Scalar {
  const fold = expr.caseSensitive ? undefined : foldCase;
  const place: TextPlace = { span: expr.left.span, expr: expr.left };
  if (isPipeline(expr.list)) return withinPipeline(bound, expr.list, place, fold, scope);
  const [tables, values]: [Tabular[], Scalar[]] = [[], []];
  for (const item of expr.list) {
    // Alone, the null was probably meant as a test; among others it may come from a generated list.
    if (expr.list.length === 1) warnOfNull(item, { what: expr.left, not: expr.negated, span: expr.span }, scope);
    const table = tableAmongValues(item, scope);
    if (table === undefined) values.push(...flattenList(bindOperand(item, bound, scope)));
    else tables.push(table);
  }
  const left = daysBeside(expr.left, bound, values, scope);
  const constants = values.filter((value): value is ConstantScalar => value.kind === 'constant');
  const tests = tables.map((table) => withinPipeline(left, table, place, fold, scope));
  // Without case everything is compared as text.
  const needle: Bound = fold === undefined ? left : [fold(left)];
  const listed = new Set<Scalar>();
  for (const reading of needle) {
    for (const { read, items } of lists(reading, constants, fold !== undefined, scope.query)) {
      for (const { value } of items) listed.add(value);
      const same = items.map(({ as }) => as).filter(canEqual);
      if (same.length > 0) tests.push(listTest(read, same, fold));
      if (read !== reading && reading.kind !== 'constant') noteReading(place, read.type, scope.query);
      const text = items.find(({ value, as }) => as !== value && value.type === 'string');
      if (text !== undefined && !needle.some(({ type }) => type === 'string'))
        noteReadConstant({ span: expr.span }, text.as, scope.query);
    }
  }
  const empty = values.find((value) => constantText(value) === '');
  const isEmpty = empty && equalsEmpty({ left, right: [empty], span: expr.span }, scope.query);
  if (isEmpty !== undefined) tests.push(isEmpty);
  for (const value of values) {
    const isListed = listed.has(value);
    // A dynamic type variant may contain a value of this type in some rows.
    const [first, ...others] = isListed ? needle.filter(({ type }) => type === 'dynamic') : left;
    if (first === undefined || (value.kind === 'constant' && value.value === null)) continue;
    const untested: Bound = [first, ...others];
    tests.push(
      isDynamic(value.type) && value.kind !== 'constant'
        ? apply(
            'in',
            containsElement({ folded: fold !== undefined, shared: !readsRow(value) }),
            [convertTo(single(untested), 'dynamic'), value],
            scope.query,
          )
        : compare(
            '==',
            fold === undefined
              ? { left: untested, right: [value], span: expr.span, written: [expr.left] }
              : { left: [fold(untested)], right: [fold([value])], span: expr.span },
            scope.query,
          ),
    );
  }
  return oneOf(tests, scope.query);
}

/** Null and NaN equal nothing, though the engine finds NaN in a list. */
const canEqual = ({ value }: ConstantScalar): boolean => value !== null && !Number.isNaN(value);

/** Constants for one IN list of the engine, and the type variant that is compared with them. */
interface List {
  readonly read: Scalar;
  readonly items: readonly { readonly value: ConstantScalar; readonly as: ConstantScalar }[];
}

/**
 * The constants that a type variant can equal, by the type it is converted to. A list of any length
 * is one test.
 */
function lists(
  reading: Scalar,
  constants: readonly ConstantScalar[],
  asText: boolean,
  query: QueryContext,
): readonly List[] {
  const found = new Map<ScalarType, { readonly read: Scalar; readonly items: List['items'][number][] }>();
  if (isDynamic(reading.type)) return [];
  for (const value of constants) {
    if (isDynamic(value.type)) continue;
    const isSame = asText || listedAs(reading.type, value.type);
    const pairs: readonly Pair[] = isSame ? [[reading, value]] : equalPairOf(reading, value, query);
    for (const [read, as] of pairs) {
      if (as.kind !== 'constant') continue;
      const list = found.get(read.type) ?? { read, items: [] };
      found.set(read.type, list);
      list.items.push({ value, as });
    }
  }
  return [...found.values()];
}

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
      // An array may also match as a whole.
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
  place: TextPlace,
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
  if (fold === undefined) noteReadings([left, items], [place, { span: pipeline.span }], scope.query);
  const tests = pairs.map(([value, expr]): Scalar => {
    const found = scope.query.fresh(field.name);
    const schema = { fields: [{ name: field.name, readings: [{ type: expr.type, id: found }] }] };
    const list: Plan = {
      kind: 'project',
      schema,
      input: plan,
      computed: [{ id: found, expr: toLookupKey(expr, scope.query) }],
    };
    return { kind: 'inPlan', type: 'bool', needle: toLookupKey(value, scope.query), plan: list };
  });
  return oneOf(tests, scope.query);
}

/**
 * Expands the arrays in the first column of a plan to one row per element. Other values keep their
 * row.
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
    computed: [{ id: array, expr: apply('flat', flatArray, [dynamics], query) }],
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
  return text === undefined ? callOf('tolower', lowercaseOverload, [scalar]) : constant('string', foldedText(text));
}
const lowercaseOverload = defineOverload({
  params: [param('text', 'string')],
  returns: 'string',
  lower: ([text]) => foldedCase(text.sql),
});
