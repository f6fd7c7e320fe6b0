import type { Ast } from '@millrace/apl';

/** Parts of the syntax tree of APL. */

type Span = Ast.Span;

const nameOf = (text: string, span: Span): Ast.Name => ({ text, quoted: true, span });

export const column = (name: string, span: Span): Ast.Expr => ({ kind: 'name', name: nameOf(name, span), span });

export function literal(value: string | number | bigint, span: Span): Ast.LiteralExpr {
  switch (typeof value) {
    case 'string':
      return { kind: 'literal', type: 'string', value, span };
    case 'bigint':
      return { kind: 'literal', type: 'long', value, span };
    case 'number':
      return { kind: 'literal', type: 'real', value, span };
  }
}

export const timespan = (nanoseconds: bigint, span: Span): Ast.Expr => ({
  kind: 'literal',
  type: 'timespan',
  value: nanoseconds,
  span,
});

export const call = (span: Span, callee: string, ...args: readonly Ast.Expr[]): Ast.CallExpr => ({
  kind: 'call',
  callee: nameOf(callee, span),
  args: args.map((value) => ({ value })),
  span,
});

export const binary = (op: Ast.BinaryExpr['op'], left: Ast.Expr, right: Ast.Expr): Ast.Expr => ({
  kind: 'binary',
  op,
  opSpan: left.span,
  left,
  right,
  span: left.span,
});

/** Joins conditions; one alone is returned as it is. */
export const junction = (op: 'and' | 'or', [first, ...others]: readonly [Ast.Expr, ...Ast.Expr[]]): Ast.Expr =>
  others.reduce((left, right) => binary(op, left, right), first);

export const not = (operand: Ast.Expr): Ast.Expr => ({ kind: 'unary', op: 'not', operand, span: operand.span });

export const textTest = (op: 'contains' | 'matches regex', left: Ast.Expr, right: string): Ast.Expr => ({
  kind: 'stringTest',
  op,
  negated: false,
  caseSensitive: true,
  opSpan: left.span,
  left,
  right: literal(right, left.span),
  span: left.span,
});

export const member = (object: Ast.Expr, name: string): Ast.Expr => ({
  kind: 'member',
  object,
  member: nameOf(name, object.span),
  span: object.span,
});

export const element = (object: Ast.Expr, place: number): Ast.Expr => ({
  kind: 'index',
  object,
  index: literal(BigInt(place), object.span),
  span: object.span,
});

export const namedExpr = (name: string, value: Ast.Expr): Ast.NamedExpr => ({
  name: nameOf(name, value.span),
  value,
  span: value.span,
});

export const where = (predicate: Ast.Expr): Ast.Operator => ({ kind: 'where', predicate, span: predicate.span });
