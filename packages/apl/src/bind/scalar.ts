import { defineOverload, param } from '../functions/define.js';
import { scalarOperator } from '../functions/operators/index.js';
import { negate } from '../lower/equality.js';
import { constant, nullScalar } from '../plan/scalar.js';
import type { Bound } from '../plan/scalar.js';
import type { ArithmeticOp, BinaryExpr, ComparisonOp, Expr, LogicalOp, StringTestExpr } from '../syntax/ast.js';
import { bindCallExpr } from './calls/call-expr.js';
import { apply, argumentOf, bindCall } from './calls/calls.js';
import type { BoundArgument } from './calls/calls.js';
import { single } from './values/coerce.js';
import { bindComparison, compare } from './conditions/comparison.js';
import { bindScalar } from './context.js';
import type { Scope } from './context.js';
import { bindArray, bindBag, bindDynamic } from './values/dynamic.js';
import { firstCell } from './first-cell.js';
import { daysBeside } from './values/day-of-week.js';
import { bindLiteral } from './values/literal.js';
import { bothOf } from './conditions/logic.js';
import { bindMembership } from './conditions/membership.js';
import { bindName, bindPath } from './names/names.js';
import { noteNanoseconds } from './values/number-with-timespan.js';
import { bindTextTest } from './conditions/text-test.js';
import { bindNumbers } from './values/whole-numbers.js';

/** Binds an expression and determines its type; used by `bindScalar`. */
export function bindExpression(expr: Expr, scope: Scope): Bound {
  switch (expr.kind) {
    case 'literal':
      return [bindLiteral(expr, scope.query)];
    case 'name':
      return bindName(expr.name, scope);
    case 'member':
    case 'index':
      return bindPath(expr, scope);
    case 'call':
      return bindCallExpr(expr, scope);
    case 'unary': {
      if (expr.op === '+') return bindScalar(expr.operand, scope);
      const { overloads } = scalarOperator(expr.op === '-' ? 'negate' : 'not');
      const args = [argumentOf(expr.operand, bindScalar(expr.operand, scope))];
      return bindNumbers({ name: expr.op, overloads, args, span: expr.span }, scope.query);
    }
    case 'binary': {
      if (isComparison(expr.op)) return [bindComparison({ ...expr, op: expr.op }, scope)];
      return bindInfix(expr, expr.op, scope);
    }
    case 'stringTest':
      return [bindTextTest(expr, scope)];
    case 'membership':
      return [bindMembership(expr, scope)];
    case 'between': {
      const bound = bindScalar(expr.operand, scope);
      const start = { value: bindScalar(expr.low, scope), span: expr.low.span };
      const end = { value: bindScalar(expr.high, scope), span: expr.high.span };
      const operand = daysBeside(expr.operand, bound, start.value, scope);
      noteNanoseconds(expr.operand, operand, start, scope.query);
      noteNanoseconds(expr.operand, operand, end, scope.query);
      const { span } = expr;
      const low = compare(
        '>=',
        { left: operand, right: start.value, span, written: [expr.operand, expr.low] },
        scope.query,
      );
      const high = compare(
        '<=',
        { left: operand, right: upperEnd(start, end, scope), span, written: [expr.operand, expr.high] },
        scope.query,
      );
      const inside = bothOf(low, high, scope.query);
      return [expr.negated ? apply('!between', outside, [inside], scope.query) : inside];
    }
    case 'array':
      return [bindArray(expr, scope)];
    case 'bag':
      return [bindBag(expr, scope)];
    case 'dynamic':
      return [bindDynamic(expr, scope)];
    case 'typeof':
      return [constant('string', expr.type)];
    case 'tabular':
      return [firstCell(expr.query, scope)];
    case 'star':
      scope.query.report.error(
        'syntax',
        expr.span,
        '* stands for any field only left of a string operator, as in * has "x"',
      );
      return [nullScalar];
    case 'spread':
      scope.query.report.error('unsupported', expr.span, '[*] is not supported; mv-expand makes a row of each element');
      return [nullScalar];
    case 'error':
      return [nullScalar];
  }
}

/** Also true for a missing operand, like every negated test. */
const outside = defineOverload({
  params: [param('inside', 'bool')],
  returns: 'bool',
  lower: ([inside]) => negate(inside.sql),
  fold: ([inside]) => inside !== true,
});

const comparisons: ReadonlySet<string> = new Set<ComparisonOp>(['==', '!=', '<', '<=', '>', '>=']);
const isComparison = (op: ArithmeticOp | ComparisonOp | LogicalOp): op is ComparisonOp => comparisons.has(op);

function bindInfix({ left, right, span }: BinaryExpr, op: ArithmeticOp | LogicalOp, scope: Scope): Bound {
  const test = op === 'and' || op === 'or' ? undefined : [left, right].find(isBareTest);
  if (test !== undefined) {
    const help =
      test.op === 'term'
        ? 'a term with signs in it is written in quotes'
        : `put parentheses around the part to compute first: (a ${op} b)`;
    scope.query.report.error('argument_type', test.opSpan, `this test is done before ${op}; ${help}`);
    return [nullScalar];
  }
  const [first, second] = [bindScalar(left, scope), bindScalar(right, scope)];
  const args = [
    argumentOf(left, daysBeside(left, first, second, scope)),
    argumentOf(right, daysBeside(right, second, first, scope)),
  ];
  return bindNumbers({ ...scalarOperator(op), args, span }, scope.query);
}

/** A string test without brackets, which would show that it comes first. */
const isBareTest = (expr: Expr): expr is StringTestExpr =>
  expr.kind === 'stringTest' && expr.span.start === expr.left.span.start;

/** The upper end of a range; a timespan after a datetime is the length of the range. */
function upperEnd(start: BoundArgument, end: BoundArgument, scope: Scope): Bound {
  if (single(end.value).type !== 'timespan' || single(start.value).type !== 'datetime') return end.value;
  const span = { start: start.span.start, end: end.span.end };
  return [bindCall({ ...scalarOperator('+'), args: [start, end], span }, scope.query)];
}
