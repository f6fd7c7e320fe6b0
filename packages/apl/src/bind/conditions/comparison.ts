import { scalarOperator } from '../../functions/operators/index.js';
import { constant, constantText } from '../../plan/scalar.js';
import type { Bound, ConstantScalar, Scalar } from '../../plan/scalar.js';
import { fieldNamed } from '../../plan/schema.js';
import type { BinaryExpr, ComparisonOp, Expr, Span } from '../../syntax/ast.js';
import { parseTimespan } from '../../syntax/lexing/timespan.js';
import { typeNameOf } from '../../model/result-types.js';
import { isNumeric } from '../../model/types.js';
import { apply } from '../calls/calls.js';
import { mergeReadings, single } from '../values/coerce.js';
import type { QueryContext, Scope } from '../context.js';
import { bindScalar } from '../context.js';
import { equalsEmpty } from './empty-text.js';
import { eitherOf, notOf } from './logic.js';
import { equalPairOf, noteReadings, orderPairsOf } from './pairs.js';
import { bindOperand } from '../names/names.js';
import { sourceText } from '../names/spelled-name.js';
import { daysBeside } from '../values/day-of-week.js';
import type { TextPlace } from '../values/read-text.js';
import { noteNanoseconds } from '../values/number-with-timespan.js';

export function bindComparison(expr: BinaryExpr & { readonly op: ComparisonOp }, scope: Scope): Scalar {
  const bound = bindScalar(expr.left, scope);
  const other = bindOperand(expr.right, bound, scope);
  const left = daysBeside(expr.left, bound, other, scope);
  const right = daysBeside(expr.right, other, bound, scope);
  warnOfQuotes(expr.left, right, scope);
  for (const [side, other] of [
    [expr.right, expr.left],
    [expr.left, expr.right],
  ] as const)
    warnOfNull(side, { what: other, not: expr.op === '!=', span: expr.span }, scope);
  noteNanoseconds(expr.left, left, { value: right, span: expr.right.span }, scope.query);
  noteNanoseconds(expr.right, right, { value: left, span: expr.left.span }, scope.query);
  return compare(expr.op, { left, right, span: expr.span, written: [expr.left, expr.right] }, scope.query);
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
  const name = what.kind === 'name' ? sourceText(what.name.text) : 'x';
  const replacement = `${not ? 'isnotnull' : 'isnull'}(${name})`;
  const fix = what.kind === 'name' ? { title: `Change to ${replacement}`, replacement } : undefined;
  const same = not ? 'everything differs from null' : 'nothing equals null, null included';
  report.warning('never_matches', span, `${same}; ${replacement} tells whether there is a value`, fix);
}

/** Warns about `"method" == "GET"`, which compares two string literals regardless of the column. */
function warnOfQuotes(left: Expr, right: Bound, { schema, query }: Scope): void {
  if (left.kind !== 'literal' || typeof left.value !== 'string' || single(right).kind !== 'constant') return;
  if (fieldNamed(schema, left.value) === undefined) return;
  const replacement = sourceText(left.value);
  const fix = { title: `Change to ${replacement}`, replacement };
  query.report.warning('never_matches', left.span, `in quotes this is a text; the column is ${replacement}`, fix);
}

/** Two values, and the place where the query compares them. */
interface Sides {
  readonly left: Bound;
  readonly right: Bound;
  readonly span: Span;
  /** The expressions that the two values are of. */
  readonly written?: readonly [Expr, Expr?];
}

/**
 * Binds `left op right` for the type variants that can be compared. In a mixed field only values of
 * comparable types count: a row with a value of another type is neither equal nor in order. At most
 * one of several pairs has both values set. Equality is never null, so the pairs are joined by
 * `or`; for an order comparison, the pair that is not null decides, so that false stays false. A
 * string compared with a number, time or boolean is converted to that type (see `pairs.ts`).
 */
export function compare(op: ComparisonOp, sides: Sides, query: QueryContext): Scalar {
  const empty = isEquality(op) ? equalsEmpty(sides, query) : undefined;
  if (empty !== undefined) return op === '==' ? empty : notOf(empty, query);
  const overload = scalarOperator(op).overloads[0]!;
  const pairs = sides.left.flatMap((a) =>
    sides.right.flatMap((b) => (isEquality(op) ? equalPairOf(a, b, query) : orderPairsOf(a, b, query))),
  );
  const [first, ...rest] = pairs;
  if (first === undefined) {
    warnOfTypes(op, sides, query);
    return constant('bool', op === '!=');
  }
  noteSides(sides, query);
  if (rest.length === 0) return apply(op, overload, first, query);
  if (op === '!=') return notOf(compare('==', sides, query), query);
  if (op !== '==')
    return mergeReadings(
      pairs.map((pair) => apply(op, overload, pair, query)),
      'bool',
    );
  return rest.reduce(
    (so, pair) => eitherOf(so, apply(op, overload, pair, query), query),
    apply(op, overload, first, query),
  );
}

/** Reports texts that are read as values of the other side's type. */
function noteSides({ left, right, span, written }: Sides, query: QueryContext): void {
  const place = (expr: Expr | undefined): TextPlace => ({ span: expr?.span ?? span, expr });
  noteReadings([left, right], [place(written?.[0]), place(written?.[1])], query);
}

/** Warns that values of these types never compare. */
export function warnOfTypes(op: ComparisonOp, { left, right, span }: Sides, { report }: QueryContext): void {
  const [l, r] = [left, right].map((side) => typeNameOf(side.map(({ type }) => type)));
  const what = op === '!=' ? 'always differ' : 'never match';
  report.warning('never_matches', span, `${l} and ${r} ${what}${helpWith(single(left), single(right))}`);
}

function helpWith(left: Scalar, right: Scalar): string {
  const types = [left.type, right.type];
  if (types.includes('datetime'))
    return types.includes('timespan') || [left, right].some(isTimespanText)
      ? '; ago(1h) is the moment an hour ago'
      : '; a moment is written datetime(2024-01-15), and todatetime() makes one of other values';
  if (!types.includes('string')) return '';
  const other = types.find((type) => type !== 'string');
  return `; the string is no ${other === undefined || isNumeric(other) ? 'number' : other}`;
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
