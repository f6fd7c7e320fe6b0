import { scalarOperator } from '../../functions/operators/index.js';
import { constant, constantText } from '../../plan/scalar.js';
import type { Bound, ConstantScalar, Scalar } from '../../plan/scalar.js';
import { fieldNamed } from '../../plan/schema.js';
import type { BinaryExpr, ComparisonOp, Expr, Span } from '../../syntax/ast.js';
import { parseDatetime } from '../../syntax/lexing/datetime.js';
import { parseTimespan } from '../../syntax/lexing/timespan.js';
import { typeNameOf } from '../../result-types.js';
import { isDynamic, isNumeric } from '../../types.js';
import type { ScalarType } from '../../types.js';
import { applied } from '../calls/calls.js';
import { converted, merged, single } from '../values/coerce.js';
import { exactInteger, isWhole } from '../values/exact-integer.js';
import type { QueryContext, Scope } from '../context.js';
import { bindScalar } from '../context.js';
import { eitherOf, notOf } from './logic.js';
import { asWritten, bindOperand } from '../names/names.js';
import { noteNanoseconds } from '../values/number-with-timespan.js';

export function bindComparison(expr: BinaryExpr & { readonly op: ComparisonOp }, scope: Scope): Scalar {
  const left = bindScalar(expr.left, scope);
  const right = bindOperand(expr.right, left, scope);
  warnOfQuotes(expr.left, right, scope);
  for (const [side, other] of [
    [expr.right, expr.left],
    [expr.left, expr.right],
  ] as const)
    warnOfNull(side, { what: other, not: expr.op === '!=', span: expr.span }, scope);
  noteNanoseconds(expr.left, left, { value: right, span: expr.right.span }, scope.query);
  noteNanoseconds(expr.right, right, { value: left, span: expr.left.span }, scope.query);
  return compare(expr.op, { left, right, span: expr.span }, scope.query);
}

/**
 * Warns of a null that is written to compare with: nothing equals it, and everything differs from
 * it.
 */
export function warnOfNull(
  written: Expr,
  { what, not, span }: { readonly what: Expr; readonly not: boolean; readonly span: Span },
  { query: { report } }: Pick<Scope, 'query'>,
): void {
  if (written.kind !== 'literal' || written.value !== null || what.kind === 'literal') return;
  const name = what.kind === 'name' ? asWritten(what.name.text) : 'x';
  const replacement = `${not ? 'isnotnull' : 'isnull'}(${name})`;
  const fix = what.kind === 'name' ? { title: `Change to ${replacement}`, replacement } : undefined;
  const same = not ? 'everything differs from null' : 'nothing equals null, null included';
  report.warning('never_matches', span, `${same}; ${replacement} tells whether there is a value`, fix);
}

/** Warns of `"method" == "GET"`, which compares two texts whatever the column holds. */
function warnOfQuotes(left: Expr, right: Bound, { schema, query }: Scope): void {
  if (left.kind !== 'literal' || typeof left.value !== 'string' || single(right).kind !== 'constant') return;
  if (fieldNamed(schema, left.value) === undefined) return;
  const replacement = asWritten(left.value);
  const fix = { title: `Change to ${replacement}`, replacement };
  query.report.warning('never_matches', left.span, `in quotes this is a text; the column is ${replacement}`, fix);
}

/** Two values, and the place where the query compares them. */
interface Sides {
  readonly left: Bound;
  readonly right: Bound;
  readonly span: Span;
}

/**
 * `left op right` on the readings whose types compare. In a mixed field only values of the compared
 * type count: a row where the field has another type is neither equal nor in order. At most one of
 * several pairs has both its values set. Equality is never null, so the pairs are joined by `or`;
 * an order comparison is the one that is not null, so that false stays false. Only the types decide
 * whether two sides compare: a string has no order with a number, whether it is set or missing.
 */
export function compare(op: ComparisonOp, sides: Sides, query: QueryContext): Scalar {
  const overload = scalarOperator(op).overloads[0]!;
  const pairs = sides.left.flatMap((a) =>
    sides.right.flatMap((b) => (isEquality(op) ? equalPairOf(a, b, query) : pairOf(a, b))),
  );
  const [first, ...rest] = pairs;
  if (first === undefined) {
    warnOfTypes(op, sides, query);
    return constant('bool', op === '!=');
  }
  if (rest.length === 0) return applied(op, overload, first, query);
  if (op === '!=') return notOf(compare('==', sides, query), query);
  if (op !== '==')
    return merged(
      pairs.map((pair) => applied(op, overload, pair, query)),
      'bool',
    );
  return rest.reduce(
    (so, pair) => eitherOf(so, applied(op, overload, pair, query), query),
    applied(op, overload, first, query),
  );
}

/** Warns that values of these types never compare. */
export function warnOfTypes(op: ComparisonOp, { left, right, span }: Sides, { report }: QueryContext): void {
  const [l, r] = [left, right].map((side) => typeNameOf(side.map(({ type }) => type)));
  const what = op === '!=' ? 'always differ' : 'never match';
  report.warning('never_matches', span, `${l} and ${r} ${what}${helpWith(op, single(left), single(right))}`);
}

function helpWith(op: ComparisonOp, left: Scalar, right: Scalar): string {
  const types = [left.type, right.type];
  if (types.includes('datetime'))
    return types.includes('timespan') || [left, right].some(isTimespanText)
      ? '; ago(1h) is the moment an hour ago'
      : '; a moment is written datetime(2024-01-15), and todatetime() makes one of other values';
  if (!types.includes('string')) return '';
  if (types.includes('timespan')) return '; totimespan() reads a timespan out of a text';
  const instead = literalInstead(op, left, right) ?? literalInstead(op, right, left);
  return (
    instead ??
    `; convert ${isEquality(op) ? 'one side, for instance with toint() or tostring()' : 'the text, for instance with toint() or toreal()'}`
  );
}

const isTimespanText = (scalar: Scalar): boolean =>
  parseTimespan(constantText(scalar)?.replace(/^-/, '') ?? '') !== undefined;

const isEquality = (op: ComparisonOp): boolean => op === '==' || op === '!=';

/**
 * How a number is written as a text. A real has lost its trailing zeros, and 1.1 is not version
 * 1.10, so its text is left to the user.
 */
export const inQuotes = ({ type, value }: ConstantScalar): string =>
  type === 'long' ? `in quotes: "${value}"` : 'put it in quotes';

/**
 * How a literal has to be written to get the other side's type, if that is possible and means the
 * same: as text, "9" comes after "10".
 */
function literalInstead(op: ComparisonOp, literal: Scalar, other: Scalar): string | undefined {
  if (literal.kind !== 'constant' || literal.value === null || other.kind === 'constant') return undefined;
  const { value } = literal;
  if (other.type === 'string') return isEquality(op) && isNumeric(literal.type) ? `; ${inQuotes(literal)}` : undefined;
  if (typeof value !== 'string') return undefined;
  const isOfType =
    other.type === 'bool' ? /^(?:true|false)$/ : isNumeric(other.type) ? /^-?\d{1,18}(?:\.\d+)?$/ : undefined;
  return isOfType?.test(value) === true ? `; without quotes: ${value}` : undefined;
}

type Pair = readonly [Scalar, Scalar];

/**
 * As `pairOf`, for a test of equality: beside an integer a dynamic value is the integer it equals,
 * with all its digits, or null.
 */
export function equalPairOf(a: Scalar, b: Scalar, query: QueryContext): readonly Pair[] {
  if (isDynamic(a.type) && isUnknownInteger(b)) return [[exactInteger(a, query), b]];
  if (isDynamic(b.type) && isUnknownInteger(a)) return [[a, exactInteger(b, query)]];
  return pairOf(a, b);
}

/** A constant tells whether reals have enough digits for it (see `dynamicAs`). */
const isUnknownInteger = ({ type, kind }: Scalar): boolean => isWhole(type) && kind !== 'constant';

/**
 * The two sides converted for comparison, or nothing if they do not compare. A dynamic side takes
 * the type of the other.
 */
function pairOf(a: Scalar, b: Scalar): readonly Pair[] {
  if (a.type === b.type) return [[a, b]];
  if (isNumber(a.type) && isNumber(b.type)) return [[a, b]];
  if (isDynamic(a.type) && isDynamic(b.type)) return [[a, b]];
  if (isDynamic(a.type)) return [[converted(a, dynamicAs(b)), b]];
  if (isDynamic(b.type)) return [[a, converted(b, dynamicAs(a))]];
  const left = asDatetime(a, b);
  if (left !== undefined) return [[left, b]];
  const right = asDatetime(b, a);
  return right === undefined ? [] : [[a, right]];
}

/** Durations in events are whole numbers of nanoseconds, so numbers compare with timespans. */
export const isNumber = (type: ScalarType): boolean => isNumeric(type) || type === 'timespan';

/**
 * JSON does not tell integers from reals, so it is read as real. Beyond 2^53 it is read as long,
 * which keeps all digits and loses no fraction.
 */
function dynamicAs(other: Scalar): ScalarType {
  const isLarge =
    other.kind === 'constant' && typeof other.value === 'bigint' && !Number.isSafeInteger(Number(other.value));
  return other.type === 'long' && !isLarge ? 'real' : other.type;
}

/** A constant text next to a datetime is read as one. */
function asDatetime(text: Scalar, other: Scalar): Scalar | undefined {
  if (other.type !== 'datetime' || text.kind !== 'constant' || typeof text.value !== 'string') return undefined;
  const value = parseDatetime(text.value);
  return value === undefined ? undefined : constant('datetime', value);
}
