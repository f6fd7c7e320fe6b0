import { anyOf } from '../functions/operators/logic.js';
import type { Bound, ConstantScalar, Scalar } from '../plan/scalar.js';
import { readingsOf } from '../plan/schema.js';
import type { Field } from '../plan/schema.js';
import type { Span } from '../syntax/ast.js';
import type { ScalarType } from '../types.js';
import { applied } from './calls.js';
import { compare } from './comparison.js';
import type { Scope } from './context.js';
import { textOfLiteral } from './literal-text.js';
import { testFor } from './search-terms.js';
import { anywhere } from './text-test.js';

/** A time or a timespan anywhere: a field that is it, or a text with the term that `tostring` writes for it. Other literals are terms. */
export function literalAnywhere(literal: ConstantScalar, caseSensitive: boolean, span: Span, scope: Scope): Scalar {
  const isTime = literal.type === 'datetime' || literal.type === 'timespan';
  const { fields } = scope.schema;
  const others = isTime
    ? { ...scope.schema, fields: fields.flatMap((field) => without(field, literal.type)) }
    : scope.schema;
  const text = anywhere(testFor(textOfLiteral(literal), caseSensitive), span, { ...scope, schema: others });
  const tests = fields.flatMap((field) => {
    const [first, ...more] = isTime ? readingsOf(field).filter(({ type }) => type === literal.type) : [];
    const same: Bound | undefined = first && [first, ...more];
    return same === undefined ? [] : [compare('==', same, [literal], span, scope.query)];
  });
  return tests.length === 0 ? text : applied('or', anyOf, [...tests, text], scope.query);
}

function without(field: Field, type: ScalarType): readonly Field[] {
  const readings = field.readings.filter((reading) => reading.type !== type);
  return readings.length === 0 ? [] : [{ ...field, readings }];
}
