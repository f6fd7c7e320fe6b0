import { scalarOperator } from '../functions/operators/index.js';
import { anyOf } from '../functions/operators/logic.js';
import { constant, nullScalar } from '../plan/scalar.js';
import type { Bound, Scalar } from '../plan/scalar.js';
import { readingsOf } from '../plan/schema.js';
import type { Span, StringTestExpr } from '../syntax/ast.js';
import { canHold } from './alphabets.js';
import { applied, bindCall } from './calls.js';
import { fit, single } from './coerce.js';
import type { Scope } from './context.js';
import { textOf } from './convert-text.js';
import { bindScalar } from './context.js';
import { testFor } from './search-terms.js';

/** `left op right` on text, `* op right` on any field. */
export function bindTextTest(expr: StringTestExpr, scope: Scope): Scalar {
  const right = bindScalar(expr.right, scope);
  const sign = signOf(expr);
  const test = (left: Bound, span: Span): Scalar =>
    expr.op === 'term'
      ? termTest(left, single(right), expr.caseSensitive, expr, scope)
      : textTest(sign, left, right, span, expr.right.span, scope);
  if (expr.left.kind !== 'star') return test(bindScalar(expr.left, scope), expr.left.span);
  // Not any field, or: no field at all.
  const { left, right: span } = { left: expr.left, right: expr.right.span };
  const positive = signOf({ ...expr, negated: false });
  const any = anyField(scope, charactersOf(expr, single(right)), (field) =>
    expr.op === 'term'
      ? termTest(field, single(right), expr.caseSensitive, expr, scope)
      : textTest(positive, field, right, left.span, span, scope),
  );
  return expr.negated ? applied('not', scalarOperator('not').overloads[0]!, [any], scope.query) : any;
}

/** What a text has to have to pass a test, as far as it is known: the right side, unless it is a pattern. */
function charactersOf({ op }: StringTestExpr, right: Scalar): string {
  if (op === 'matches regex' || right.kind !== 'constant' || typeof right.value !== 'string') return '';
  return op === 'term' ? testFor(right.value, false).characters : right.value;
}

/** Whether some field passes a test that none passes whose text lacks one of the characters. */
export function anyField(scope: Scope, characters: string, test: (field: Bound) => Scalar): Scalar {
  const tests = scope.schema.fields
    .filter((field) => field.readings.every((reading) => reading.type !== 'datetime'))
    .flatMap((field) => {
      // At most one reading is set, so the test of a field is that of those that can pass.
      const [first, ...others] = readingsOf(field).filter(({ type }) => canHold(type, characters));
      return first === undefined ? [] : [test([first, ...others])];
    });
  const { rest } = scope.schema;
  if (rest !== undefined) tests.push(test([{ kind: 'column', type: 'string', id: rest.text }]));
  return tests.length === 0 ? constant('bool', false) : applied('or', anyOf, tests, scope.query);
}

/** A test of the text of a value: other types are tested as `tostring` writes them. */
export function textTest(
  sign: string,
  left: Bound,
  right: Bound,
  leftSpan: Span,
  rightSpan: Span,
  scope: Scope,
): Scalar {
  const text = textValue(left);
  if (fit(right, 'string') === undefined) {
    const type = single(right).type;
    scope.query.report.error('argument_type', rightSpan, `the right side of ${sign} must be a string, but is ${type}`);
    return nullScalar;
  }
  const args = [
    { value: text, span: leftSpan },
    { value: right, span: rightSpan },
  ];
  return bindCall(
    sign,
    scalarOperator(sign).overloads,
    args,
    { start: leftSpan.start, end: rightSpan.end },
    scope.query,
  );
}

/** A value as the text that string operators look at. */
export const textValue = (value: Bound): Bound =>
  value.length > 1 || fit(value, 'string') === undefined ? [textOf(value)] : value;

/** The operator's name in the table: `!contains_cs`. */
function signOf({ op, negated, caseSensitive }: StringTestExpr): string {
  if (op === 'equals') return negated ? '!~' : '=~';
  const cased = caseSensitive && op !== 'matches regex' ? '_cs' : '';
  return `${negated ? '!' : ''}${op}${cased}`;
}

/** `field:"x"`: a term of `search` in one value. */
function termTest(left: Bound, term: Scalar, caseSensitive: boolean, at: StringTestExpr, scope: Scope): Scalar {
  if (term.kind !== 'constant' || typeof term.value !== 'string') {
    scope.query.report.error('not_constant', at.right.span, 'a search term must be a constant text');
    return nullScalar;
  }
  const { sign, needle } = testFor(term.value, caseSensitive);
  return textTest(sign, left, [constant('string', needle)], at.left.span, at.right.span, scope);
}
