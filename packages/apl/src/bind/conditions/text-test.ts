import { scalarOperator } from '../../functions/operators/index.js';
import { anyOf, anyOfQuick } from '../../functions/operators/logic.js';
import { termInAny } from '../../functions/operators/text.js';
import type { Overload } from '../../functions/define.js';
import { columnOf, constant, nullScalar } from '../../plan/scalar.js';
import type { Bound, ConstantScalar, Scalar } from '../../plan/scalar.js';
import { readingsOf } from '../../plan/schema.js';
import type { Span, StringTestExpr } from '../../syntax/ast.js';
import { canHold } from './alphabets.js';
import { apply, bindCall } from '../calls/calls.js';
import type { BoundArgument } from '../calls/calls.js';
import { fit, single } from '../values/coerce.js';
import type { Scope } from '../context.js';
import { textOf } from '../values/convert-text.js';
import { compare, inQuotes, warnOfNull } from './comparison.js';
import { bindScalar } from '../context.js';
import { equalsEmpty } from './empty-text.js';
import { notOf, oneOf } from './logic.js';
import { bindOperand } from '../names/names.js';
import { testFor, type TermTest } from './search-terms.js';
import { textOfLiteral } from '../values/literal-text.js';
import { isDynamic, isNumeric } from '../../model/types.js';

/** `left op right` on text, `* op right` on any field. */
export function bindTextTest(expr: StringTestExpr, scope: Scope): Scalar {
  const left = expr.left.kind === 'star' ? undefined : bindScalar(expr.left, scope);
  const right = { value: bindOperand(expr.right, left ?? [], scope), span: expr.right.span };
  if (expr.op === 'equals') {
    notePattern(expr, single(right.value), scope);
    warnOfNull(expr.right, { what: expr.left, not: expr.negated, span: expr.right.span }, scope);
  }
  // A negated test of `*` means that no field passes, not that some field fails.
  const sign = signOf(left === undefined ? { ...expr, negated: false } : expr);
  const test = (value: Bound): Scalar =>
    expr.op === 'term'
      ? termTest(value, single(right.value), expr, scope)
      : textTest(sign, { value, span: expr.left.span }, right, scope);
  if (left !== undefined) {
    const sides = { left, right: right.value, span: expr.span };
    const empty = expr.op === 'equals' ? equalsEmpty(sides, scope.query) : undefined;
    if (empty !== undefined) return expr.negated ? notOf(empty, scope.query) : empty;
    return test(left);
  }
  const known = knownTest(expr, sign, single(right.value));
  const any = known === undefined ? anyField(scope, '', test) : testAnyField(known, right.span, scope);
  return expr.negated ? notOf(any, scope.query) : any;
}

/** In other languages `=~` takes a regular expression. */
function notePattern({ opSpan, negated }: StringTestExpr, right: Scalar, { query: { report } }: Scope): void {
  if (right.kind !== 'constant' || !/\.[*+]|^\^|\$$/.test(String(right.value))) return;
  const [sign, instead] = negated ? ['!~', '!matches regex'] : ['=~', 'matches regex'];
  report.warning('note', opSpan, `${sign} compares whole texts, case aside; a pattern is tested by ${instead}`);
}

/** The test itself, if its right side is a constant string. */
function knownTest({ op, caseSensitive }: StringTestExpr, sign: string, right: Scalar): TermTest | undefined {
  if (right.kind !== 'constant' || typeof right.value !== 'string') return undefined;
  const { value } = right;
  if (op === 'term') return testFor(value, caseSensitive);
  // The characters that a match of a pattern contains are not known.
  return { sign, needle: value, characters: op === 'matches regex' ? '' : value };
}

/** Whether some field passes a test that only texts with all the characters can pass. */
function anyField(scope: Scope, characters: string, test: (field: Bound) => Scalar, some: Overload = anyOf): Scalar {
  const tests = candidates(scope, characters).map(test);
  return tests.length === 0 ? constant('bool', false) : apply('or', some, tests, scope.query);
}

/** Whether some field passes a test of text. */
export function testAnyField(term: TermTest, at: Span, scope: Scope): Scalar {
  const { sign, needle, characters } = term;
  if (!scope.query.expressions.anywhere(at)) return nullScalar;
  const test = (name: string): Scalar =>
    anyField(
      scope,
      characters,
      (value) => textTest(name, { value, span: at }, { value: [constant('string', needle)], span: at }, scope),
      name.startsWith('contains') ? anyOfQuick : anyOf,
    );
  const [, edges, mark] = /^has(prefix|suffix)?(_cs)?$/.exec(sign) ?? [undefined, '', ''];
  const texts = candidates(scope, characters).map((field) => fit(textValue(field), 'string')?.scalar);
  if (!sign.startsWith('has') || needle === '' || needle.includes('\n') || texts.length < 2) return test(sign);
  const overload = termInAny(needle, edges !== 'suffix', edges !== 'prefix', mark !== undefined);
  return apply(
    'term',
    overload,
    texts.flatMap((text) => text ?? []),
    scope.query,
  );
}

/** The fields to search: those whose text can contain the characters. */
function candidates(scope: Scope, characters: string): readonly Bound[] {
  const fields = scope.schema.fields.flatMap((field) => {
    // At most one type variant is set, so only variants that can match are tested. Times are never
    // searched.
    const able = readingsOf(field).filter(({ type }) => type !== 'datetime' && canHold(type, characters));
    const [first, ...others] = able;
    const bound: readonly Bound[] = first === undefined ? [] : [[first, ...others]];
    return bound;
  });
  const { rest } = scope.schema;
  return rest === undefined ? fields : [...fields, [columnOf({ type: 'string', id: rest.text })]];
}

/** A test of the text of a value: other types are tested in `tostring` form. */
function textTest(sign: string, left: BoundArgument, right: BoundArgument, scope: Scope): Scalar {
  if (fit(right.value, 'string') === undefined) {
    const scalar = single(right.value);
    const isWritten = scalar.kind === 'constant' && isNumeric(scalar.type);
    const help = isWritten ? inQuotes(scalar) : 'convert it with tostring()';
    const message = `the right side of ${sign} must be a string, but is ${scalar.type}; ${help}`;
    scope.query.report.error('argument_type', right.span, message);
    return nullScalar;
  }
  const args = [{ value: textValue(left.value), span: left.span }, right];
  const span = { start: left.span.start, end: right.span.end };
  return bindCall({ ...scalarOperator(sign), args, span }, scope.query);
}

/** A value as the string for string operators. */
export const textValue = (value: Bound): Bound =>
  value.length > 1 || fit(value, 'string') === undefined ? [textOf(value)] : value;

/** The operator's name in the table: `!contains_cs`. */
function signOf({ op, negated, caseSensitive }: StringTestExpr): string {
  if (op === 'equals') return negated ? '!~' : '=~';
  const cased = caseSensitive && op !== 'matches regex' ? '_cs' : '';
  return `${negated ? '!' : ''}${op}${cased}`;
}

/** `field:"x"`: a term of `search` in one value. */
function termTest(left: Bound, term: Scalar, at: StringTestExpr, scope: Scope): Scalar {
  if (term.kind !== 'constant' || term.value === null || isDynamic(term.type)) {
    scope.query.report.error('not_constant', at.right.span, 'a search term must be a constant');
    return nullScalar;
  }
  const [first, ...more] = timesAmong(left, term);
  const equal =
    first === undefined ? [] : [compare('==', { left: [first, ...more], right: [term], span: at.span }, scope.query)];
  const [other, ...others] = first === undefined ? left : left.filter((reading) => ![first, ...more].includes(reading));
  if (other === undefined) return equal[0] ?? nullScalar;
  const { sign, needle } = testFor(textOfLiteral(term), at.caseSensitive);
  const rest: BoundArgument = { value: [other, ...others], span: at.left.span };
  const text = textTest(sign, rest, { value: [constant('string', needle)], span: at.right.span }, scope);
  return oneOf([...equal, text], scope.query);
}

/**
 * The type variants that can equal a time or timespan. Numbers can equal a timespan: durations in
 * events are numbers of nanoseconds. None for other literals.
 */
export const timesAmong = (readings: readonly Scalar[], literal: ConstantScalar): readonly Scalar[] =>
  readings.filter(
    ({ type }) =>
      (type === literal.type && (type === 'datetime' || type === 'timespan')) ||
      (literal.type === 'timespan' && isNumeric(type)),
  );
