import type { Ast } from '@millrace/apl';

/** Parts of the syntax tree that structured queries are made of. */

export const nameOf = (text: string, span: Ast.Span): Ast.Name => ({ text, quoted: true, span });

/** A field by its dotted name: the column of that name, or a key of a map field. */
export function fieldExpr(name: string, span: Ast.Span): Ast.Expr {
  const [first = '', ...keys] = name.split('.');
  return keys.reduce<Ast.Expr>((object, key) => ({ kind: 'member', object, member: nameOf(key, span), span }), {
    kind: 'name',
    name: nameOf(first, span),
    span,
  });
}

export const callExpr = (callee: string, args: readonly Ast.Expr[], span: Ast.Span): Ast.CallExpr => ({
  kind: 'call',
  callee: nameOf(callee, span),
  args: args.map((value) => ({ value })),
  span,
});

export function literal(value: string | number | bigint | boolean, span: Ast.Span): Ast.LiteralExpr {
  const make = (type: Ast.TypeName, of: string | number | bigint | boolean): Ast.LiteralExpr => ({
    kind: 'literal',
    type,
    value: of,
    span,
  });
  switch (typeof value) {
    case 'string':
      return make('string', value);
    case 'boolean':
      return make('bool', value);
    case 'bigint':
      return make('long', value);
    case 'number':
      return Number.isSafeInteger(value) ? make('long', BigInt(value)) : make('real', value);
  }
}

/** Nanoseconds as a timespan. */
export const timespan = (value: bigint, span: Ast.Span): Ast.LiteralExpr => ({
  kind: 'literal',
  type: 'timespan',
  value,
  span,
});

export const notExpr = (operand: Ast.Expr, span: Ast.Span): Ast.Expr => ({ kind: 'unary', op: 'not', operand, span });

/** Joins operands; a single one is returned as it is. */
export const junction = (op: 'and' | 'or', operands: readonly Ast.Expr[], span: Ast.Span): Ast.Expr | undefined =>
  operands.length === 0
    ? undefined
    : operands.reduce((left, right) => ({ kind: 'binary', op, opSpan: span, left, right, span }));
