import { aggregateNamed } from '../../aggregates/index.js';
import { scalarOperator } from '../../functions/operators/index.js';
import { MAX_SINGLE_TERMS, termsInList } from '../../functions/operators/term-list.js';
import { constant, constantText, isNull, readsRow } from '../../plan/scalar.js';
import type { Bound, Scalar } from '../../plan/scalar.js';
import { readingsOf } from '../../plan/schema.js';
import type { MembershipExpr, Tabular } from '../../syntax/ast.js';
import { isDynamic } from '../../model/types.js';
import { tableAmongValues } from '../calls/table-among-values.js';
import { apply, bindCall } from '../calls/calls.js';
import type { BoundArgument } from '../calls/calls.js';
import { convertTo, fit, single } from '../values/coerce.js';
import type { Scope } from '../context.js';
import { textOf } from '../values/convert-text.js';
import { bothOf, oneOf } from './logic.js';

import { bindOperand } from '../names/names.js';
import { textValue } from './text-test.js';
import { isPipeline, flattenList } from './written-list.js';

/**
 * Binds `has_any` and `has_all`: the terms come from constants, values in the row, any arrays, and
 * the first column of pipelines. Nulls are ignored.
 */
export function bindTermList(left: Bound, expr: MembershipExpr, scope: Scope): Scalar {
  const every = expr.op === 'has_all';
  const tables: Tabular[] = [];
  const lists: Scalar[] = [];
  const terms: BoundArgument[] = [];
  for (const item of isPipeline(expr.list) ? [] : expr.list) {
    const table = tableAmongValues(item, scope);
    const values = table === undefined ? flattenList(bindOperand(item, left, scope)) : [];
    if (table !== undefined) tables.push(table);
    for (const value of values) {
      if (isDynamic(value.type) && value.kind !== 'constant') lists.push(value);
      else if (!isNull(value)) terms.push({ value: [textOf([value])], span: item.span });
    }
  }
  if (isPipeline(expr.list)) tables.push(expr.list);
  const found = tables.map((table) => listOfColumn(table, scope));
  const known = terms.flatMap(({ value }) => constantText(single(value)) ?? []);
  const isLong = known.length > MAX_SINGLE_TERMS;
  const written = isLong ? [constant('array', JSON.stringify(known))] : [];
  const alone = isLong ? terms.filter(({ value }) => constantText(single(value)) === undefined) : terms;

  const text = textValue(left);
  const [own, shared] = [[], [...written, ...found]] as [Scalar[], Scalar[]];
  for (const list of lists) (readsRow(list) ? own : shared).push(list);
  const sought = fit(text, 'string')?.scalar;
  const testOf =
    (isShared: boolean) =>
    (list: Scalar): Scalar => {
      const overload = termsInList({ every, exactCase: expr.caseSensitive, shared: isShared });
      return apply(expr.op, overload, [sought ?? textOf(left), convertTo(list, 'dynamic')], scope.query);
    };
  const tests = [...shared.map(testOf(true)), ...own.map(testOf(false))];
  if (alone.length > 0) tests.unshift(eachTerm(text, alone, expr, scope));
  const [first, ...others] = tests;
  if (!every) return oneOf(tests, scope.query);
  return first === undefined
    ? constant('bool', true)
    : others.reduce((so, test) => bothOf(so, test, scope.query), first);
}

function eachTerm(text: Bound, terms: readonly BoundArgument[], expr: MembershipExpr, scope: Scope): Scalar {
  const sign = `${expr.op}${expr.caseSensitive && expr.op === 'has_any' ? '_cs' : ''}`;
  const args = [{ value: text, span: expr.left.span }, ...terms];
  return bindCall({ ...scalarOperator(sign), args, span: expr.span }, scope.query);
}

/** Collects the distinct values of a pipeline's first column into one array. */
function listOfColumn(pipeline: Tabular, scope: Scope): Scalar {
  const plan = scope.rules.pipeline(pipeline, scope);
  const [field] = plan.schema.fields;
  if (field === undefined) return constant('array', '[]');
  const readings = readingsOf(field);
  const value = readings.some(({ type }) => isDynamic(type)) ? single(readings) : textOf(readings);
  // `make_set` itself gives a few.
  const [overload] = aggregateNamed('make_set_if')!.overloads;
  const id = scope.query.fresh('terms');
  const call = { name: 'make_set', overload: overload!, args: [value], type: 'array' } as const;
  const schema = { fields: [{ name: 'terms', readings: [{ type: 'array', id }] }] } as const;
  return {
    kind: 'scalarPlan',
    type: 'array',
    plan: { kind: 'aggregate', schema, input: plan, groups: [], aggregates: [{ id, call }] },
  };
}
