import type { OverloadedFunction } from '../../functions/define.js';
import type { CallExpr, Expr, Span } from '../../syntax/ast.js';
import { parseExpression } from '../../syntax/parse.js';

/**
 * A call of a function that is written in terms of others, as those calls. Mistakes in it are
 * reported at the call.
 */
export function desugar({ overloads, written }: OverloadedFunction, { args, span }: CallExpr): Expr | undefined {
  const [overload] = overloads;
  if (written === undefined || overload === undefined) return undefined;
  const given = new Map(overload.params.map(({ name }, i) => [name, args[i]?.value]));
  return filledIn(parseExpression(written).expr, given, span);
}

type ArgumentsByName = ReadonlyMap<string, Expr | undefined>;

const isMissing = (expr: Expr, given: ArgumentsByName): boolean =>
  expr.kind === 'name' && given.has(expr.name.text) && given.get(expr.name.text) === undefined;

function filledIn(expr: Expr, given: ArgumentsByName, span: Span): Expr {
  if (expr.kind === 'name' && given.has(expr.name.text))
    return given.get(expr.name.text) ?? { kind: 'literal', type: 'dynamic', value: null, span };
  const whole =
    expr.kind === 'call' ? { ...expr, args: expr.args.filter(({ value }) => !isMissing(value, given)) } : expr;
  return parts(whole, given, span) as Expr;
}

/** A node, or a list of nodes, with the expressions in it filled in. */
function parts(node: unknown, given: ArgumentsByName, span: Span): unknown {
  if (Array.isArray(node)) return node.map((part) => inside(part, given, span));
  if (typeof node !== 'object' || node === null) return node;
  return Object.fromEntries(
    Object.entries(node).map(([key, part]) => [key, key === 'span' ? span : inside(part, given, span)]),
  );
}

const inside = (part: unknown, given: ArgumentsByName, span: Span): unknown =>
  typeof part === 'object' && part !== null && 'kind' in part
    ? filledIn(part as Expr, given, span)
    : parts(part, given, span);
