import type { ConstantScalar, Scalar } from '../../plan/scalar.js';
import { readingsOf } from '../../plan/schema.js';
import type { Field } from '../../plan/schema.js';
import type { Span } from '../../syntax/ast.js';
import { compare } from './comparison.js';
import type { Scope } from '../context.js';
import { textOfLiteral } from '../values/literal-text.js';
import { oneOf } from './logic.js';
import { testFor } from './search-terms.js';
import { testAnyField, timesAmong } from './text-test.js';

/**
 * Finds a time or timespan anywhere: a field equal to it, or a text with the term that `tostring`
 * writes for it. Other literals are terms only.
 */
export function literalAnywhere(literal: ConstantScalar, caseSensitive: boolean, span: Span, scope: Scope): Scalar {
  const { fields } = scope.schema;
  const others = { ...scope.schema, fields: fields.flatMap((field) => withoutTimes(field, literal)) };
  const text = testAnyField(testFor(textOfLiteral(literal), caseSensitive), span, { ...scope, schema: others });
  const tests = fields.flatMap((field) => {
    const [first, ...more] = timesAmong(readingsOf(field), literal);
    return first === undefined ? [] : [compare('==', { left: [first, ...more], right: [literal], span }, scope.query)];
  });
  return oneOf([...tests, text], scope.query);
}

function withoutTimes(field: Field, literal: ConstantScalar): readonly Field[] {
  const times = timesAmong(readingsOf(field), literal).map(({ type }) => type);
  const readings = field.readings.filter(({ type }) => !times.includes(type));
  return readings.length === 0 ? [] : [{ ...field, readings }];
}
