import { call, column, lambda } from '@millrace/sql';
import { param } from '../functions/define.js';
import type { Overload } from '../functions/define.js';
import { scalarOperator } from '../functions/operators/index.js';
import { sameText } from '../lower/json-parts.js';
import { asJson, elementsOf } from '../lower/values.js';
import { orFalse } from '../lower/equality.js';
import { foldedCase, foldedText } from '../lower/fold-case.js';
import { callOf, constant, constantText, isNull, nullScalar } from '../plan/scalar.js';
import type { Bound, ConstantScalar, Scalar } from '../plan/scalar.js';
import type { Plan } from '../plan/nodes.js';
import { readingsOf } from '../plan/schema.js';
import type { Expr, MembershipExpr, Tabular } from '../syntax/ast.js';
import { isDynamic, isNumeric } from '../types.js';
import type { ScalarType } from '../types.js';
import { tableAmongValues } from './as-table.js';
import { applied, bindCall } from './calls.js';
import { converted, single } from './coerce.js';
import { compare, equalPairOf, warnOfTypes } from './comparison.js';
import type { Scope } from './context.js';
import { textOf } from './convert-text.js';
import { bindScalar } from './context.js';
import { findable } from './findable.js';
import { notOf, oneOf } from './logic.js';
import { bindOperand } from './names.js';
import { textValue } from './text-test.js';
import { fitsInt64 } from '../int64.js';

/** `in`, `in~`, `has_any`, `has_all` and their negated forms, which are true for null like `!=`. */
export function bindMembership(expr: MembershipExpr, scope: Scope): Scalar {
  const left = bindScalar(expr.left, scope);
  const positive = expr.op === 'in' ? within(left, expr, scope) : terms(left, expr, scope);
  return expr.negated ? notOf(positive, scope.query) : positive;
}

const isPipeline = (list: readonly Expr[] | Tabular): list is Tabular => !Array.isArray(list);

// ---------------------------------------------------------------- in

function within(left: Bound, expr: MembershipExpr, scope: Scope): Scalar {
  const fold = expr.caseSensitive ? undefined : foldCase;
  if (isPipeline(expr.list)) return withinPipeline(left, expr.list, fold, scope);
  const [tables, values]: [Tabular[], Scalar[]] = [[], []];
  for (const item of expr.list) {
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
            fold === undefined ? elementTest : foldedElementTest,
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

const containsElement = (folded: boolean): Overload => ({
  params: [param('value', 'dynamic'), param('list', 'dynamic')],
  returns: 'bool',
  lower: ([value, list]) => {
    const json = sameText(asJson(value!));
    const elements = folded
      ? call('arrayMap', lambda(['e'], foldedCase(column('e'))), elementsOf(list!.sql))
      : elementsOf(list!.sql);
    return orFalse(call('has', elements, folded ? foldedCase(json) : json));
  },
});
const elementTest = containsElement(false);
const foldedElementTest = containsElement(true);

function withinPipeline(
  left: Bound,
  pipeline: Tabular,
  fold: ((bound: Bound) => Scalar) | undefined,
  scope: Scope,
): Scalar {
  const plan = scope.rules.pipeline(pipeline, scope);
  const field = plan.schema.fields[0];
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

function foldCase(bound: Bound): Scalar {
  const scalar = textOf(bound);
  const text = constantText(scalar);
  return text === undefined ? callOf('tolower', folding, [scalar]) : constant('string', foldedText(text));
}
const folding: Overload = {
  params: [param('text', 'string')],
  returns: 'string',
  lower: ([text]) => foldedCase(text!.sql),
};

/** A constant array stands for its elements, nested ones included. */
function spread(bound: Bound): readonly Scalar[] {
  const scalar = single(bound);
  if (scalar.kind !== 'constant' || !isDynamic(scalar.type) || typeof scalar.value !== 'string') return [scalar];
  return flatten(scalar.value);
}

const TOKENS = /"(?:[^"\\]|\\.)*"|[[\]{}:,]|[^[\]{}:,"\s]+/g;

/** The values in the JSON of an array, and in arrays within it. `JSON.parse` would not do: JavaScript numbers keep only 53 bits. */
function flatten(json: string): readonly Scalar[] {
  const values: Scalar[] = [];
  let object = '';
  let depth = 0;
  for (const [token] of json.matchAll(TOKENS)) {
    if (token === '{') depth++;
    if (depth > 0) object += token;
    else if (!'[,]'.includes(token)) values.push(valueOf(token));
    if (token !== '}' || --depth > 0) continue;
    values.push(constant('bag', object));
    object = '';
  }
  return values;
}

function valueOf(token: string): Scalar {
  if (token.startsWith('"')) return constant('string', JSON.parse(token));
  if (token === 'null') return nullScalar;
  if (token === 'true' || token === 'false') return constant('bool', token === 'true');
  const isLong = /^-?\d+$/.test(token) && fitsInt64(BigInt(token));
  return isLong ? constant('long', BigInt(token)) : constant('real', Number(token));
}

// ---------------------------------------------------------------- has_any, has_all

function terms(left: Bound, expr: MembershipExpr, scope: Scope): Scalar {
  const { list } = expr;
  if (isPipeline(list) || list.some((item) => tableAmongValues(item, scope) !== undefined)) {
    scope.query.report.error(
      'unsupported',
      isPipeline(list) ? list.span : expr.span,
      `${expr.op} takes a list, not a query; use make_set to get one`,
    );
    return nullScalar;
  }
  const items = list.flatMap((item) =>
    spread(bindOperand(item, left, scope)).map((value) => ({ value, span: item.span })),
  );
  const needles = items
    .filter(({ value }) => !isNull(value))
    .map(({ value, span }) => ({ value: [textOf([value])] as const, span }));
  if (needles.length === 0) return constant('bool', expr.op === 'has_all');
  const sign = `${expr.op}${expr.caseSensitive && expr.op === 'has_any' ? '_cs' : ''}`;
  const args = [{ value: textValue(left), span: expr.left.span }, ...needles];
  return bindCall({ ...scalarOperator(sign), args, span: expr.span }, scope.query);
}
