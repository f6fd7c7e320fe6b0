import { call } from '@millrace/sql';
import { defineOverload, param } from '../../functions/define.js';
import { textOf } from '../../bind/values/convert-text.js';
import { bindScalar } from '../../bind/context.js';
import { bothOf } from '../../bind/conditions/logic.js';
import { toType } from '../../bind/values/to-type.js';
import { nullOf } from '../../lower/values.js';
import type { ComputedColumn, Plan } from '../../plan/nodes.js';
import { callOf, columnOf } from '../../plan/scalar.js';
import type { Scalar } from '../../plan/scalar.js';
import type { Field } from '../../plan/schema.js';
import { project } from '../columns.js';
import type { BindOperator } from '../define.js';
import { checkDifferent } from '../different-names.js';
import { matchByPosition, positionPattern } from './parse-by-position.js';
import { matchByRegex } from './parse-by-regex.js';
import { capturesOf } from './parse-captures.js';
import { warnOfNoColumns } from './parse-without-columns.js';

/**
 * Binds `parse [kind=…] E with "text" name:type * …`: new columns from a string; they are null
 * where it does not match, and `parse-where` drops such rows. Texts are literal, or regular
 * expressions (regex), whose named groups are columns too. The pattern becomes one regular
 * expression, or, where that is equivalent, a search for one text after the other. A value that is
 * not of its type makes the whole match fail, unless the mode is relaxed or the type is dynamic:
 * then only its own column is null.
 */
export const bindParse: BindOperator<'parse'> = (operator, input, context): Plan => {
  const { query } = context;
  const source = textOf(bindScalar(operator.source, context.scalarScope(input.schema)));
  const byPosition = positionPattern(operator);
  const match =
    byPosition === undefined
      ? matchByRegex(operator, source, input, query)
      : matchByPosition(byPosition, source, input, query);
  if (match === undefined) return input;
  const captures = capturesOf(operator);
  warnOfNoColumns(operator, captures.length, context);
  checkDifferent(
    captures.map(({ name }) => name),
    context,
    '; * skips the parts you do not need',
  );
  const computed: ComputedColumn[] = [];
  const tests: Scalar[] = [];
  let fields: readonly Field[] = input.schema.fields;
  for (const [i, { name, type, span }] of captures.entries()) {
    const value = toType(match.texts[i]!, type, span, query);
    const id = query.fresh(name.text);
    computed.push({ id, expr: value });
    // A text may be JSON for null, so null does not show that a text is not JSON.
    if (operator.mode !== 'relaxed' && type !== 'string' && type !== 'dynamic') tests.push(columnOf({ type, id }));
    const field: Field = { name: name.text, readings: [{ type, id }] };
    fields = [...fields.filter((f) => f.name !== name.text), field];
  }
  const values = project(match.plan, [...match.plan.schema.fields, ...fields], computed);
  const ok = tests.reduce<Scalar>(
    (so, value) => bothOf(so, callOf('isnotnull', isPresent, [value]), query),
    match.isMatch,
  );
  if (operator.filter)
    return project({ kind: 'filter', schema: values.schema, input: values, predicate: ok }, fields, []);
  if (tests.length === 0) return project(values, fields, []);
  // A badly typed value spoils the whole match.
  const whole: ComputedColumn[] = [];
  const spoiled = fields.map((field): Field => {
    const [reading] = field.readings;
    if (reading === undefined || !computed.some((c) => c.id === reading.id)) return field;
    const id = query.fresh(field.name);
    whole.push({ id, expr: callOf('parse', onlyIf, [ok, columnOf(reading)]) });
    return { name: field.name, readings: [{ type: reading.type, id }] };
  });
  return project(values, spoiled, whole);
};

const isPresent = defineOverload({
  params: [param('value', 'any')],
  returns: 'bool',
  lower: ([value]) => call('isNotNull', value.sql),
});

const onlyIf = defineOverload({
  params: [param('condition', 'bool'), param('value', 'any')],
  returns: (types) => types[1] ?? 'string',
  lower: ([condition, value]) => call('if', condition.sql, value.sql, nullOf(value.type)),
});
