import { scalarOperator } from '../functions/operators/index.js';
import { constant, nullScalar } from '../plan/scalar.js';
import type { Bound, Scalar } from '../plan/scalar.js';
import type { ArithmeticOp, ComparisonOp, Expr, LogicalOp } from '../syntax/ast.js';
import { bindCallExpr } from './call-expr.js';
import { bindCall } from './calls.js';
import { single } from './coerce.js';
import { bindComparison, compare } from './comparison.js';
import type { Scope } from './context.js';
import { bindArray, bindBag, bindDynamic } from './dynamic.js';
import { bindMembership } from './membership.js';
import { bindName, bindPath } from './names.js';
import { bindTextTest } from './text-test.js';

/** Types an expression. Always gives something: what is wrong becomes null and a diagnostic. */
export function bindScalar(expr: Expr, scope: Scope): Bound {
  switch (expr.kind) {
    case 'literal':
      return [constant(expr.type, expr.value)];
    case 'name':
      return bindName(expr.name, scope);
    case 'member':
    case 'index':
      return bindPath(expr, scope);
    case 'call':
      return bindCallExpr(expr, scope);
    case 'unary': {
      if (expr.op === '+') return bindScalar(expr.operand, scope);
      const name = expr.op === '-' ? 'negate' : 'not';
      const args = [{ value: bindScalar(expr.operand, scope), span: expr.operand.span }];
      return [bindCall(name === 'not' ? 'not' : '-', scalarOperator(name).overloads, args, expr.span, scope.query)];
    }
    case 'binary': {
      if (isComparison(expr.op)) return [bindComparison({ ...expr, op: expr.op }, scope)];
      return [bindInfix(expr.op, expr.left, expr.right, expr.span, scope)];
    }
    case 'stringTest':
      return [bindTextTest(expr, scope)];
    case 'membership':
      return [bindMembership(expr, scope)];
    case 'between': {
      const operand = bindScalar(expr.operand, scope);
      const low = compare('>=', operand, bindScalar(expr.low, scope), expr.span, scope.query);
      const high = compare('<=', operand, bindScalar(expr.high, scope), expr.span, scope.query);
      const inside = infix('and', [[low], [high]], expr, scope);
      return [
        expr.negated
          ? bindCall(
              'not',
              scalarOperator('not').overloads,
              [{ value: [inside], span: expr.span }],
              expr.span,
              scope.query,
            )
          : inside,
      ];
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

/** An expression that has to be of one type. */
export const bindSingle = (expr: Expr, scope: Scope): Scalar => single(bindScalar(expr, scope));

const comparisons: ReadonlySet<string> = new Set<ComparisonOp>(['==', '!=', '<', '<=', '>', '>=']);
const isComparison = (op: ArithmeticOp | ComparisonOp | LogicalOp): op is ComparisonOp => comparisons.has(op);

function bindInfix(op: ArithmeticOp | LogicalOp, left: Expr, right: Expr, span: Expr['span'], scope: Scope): Scalar {
  return bindCall(
    op,
    scalarOperator(op).overloads,
    [left, right].map((side) => ({ value: bindScalar(side, scope), span: side.span })),
    span,
    scope.query,
  );
}

/** An operator on operands that are bound already. */
export function infix(op: LogicalOp, operands: readonly [Bound, Bound], at: Expr, scope: Scope): Scalar {
  const args = operands.map((value) => ({ value, span: at.span }));
  return bindCall(op, scalarOperator(op).overloads, args, at.span, scope.query);
}

/** `toscalar(T | …)`: the first column of the first row. */
export function firstCell(pipeline: Extract<Expr, { kind: 'tabular' }>['query'], scope: Scope): Scalar {
  const plan = scope.bindPipeline(pipeline, scope.lets);
  const reading = plan.schema.fields[0]?.readings[0];
  if (reading === undefined) return nullScalar;
  const schema = { fields: [{ name: plan.schema.fields[0]!.name, readings: [reading] }] };
  const first = {
    kind: 'limit',
    schema,
    count: 1,
    input: { kind: 'project', schema, input: plan, computed: [] },
  } as const;
  return { kind: 'scalarPlan', type: reading.type, plan: first };
}
