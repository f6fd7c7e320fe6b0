import type { Expr, IndexExpr, MemberExpr, Name } from '../../syntax/ast.js';
import { quoteName, spelling } from '../../syntax/names.js';

/** Names and paths as a query spells them. */

/** A name as it has to be written in a query. */
export const sourceText = (name: string): string => (/^[A-Za-z_][A-Za-z0-9_]*$/.test(name) ? name : quoteName(name));

/** The name or constant key at the end of a path, undefined if it ends in anything else. */
export function nameIn(path: MemberExpr | IndexExpr): Name | undefined {
  if (path.kind === 'member') return path.member;
  const { index } = path;
  return index.kind === 'literal' && typeof index.value === 'string'
    ? { text: index.value, quoted: true, span: index.span }
    : undefined;
}

/** The names of `a.b.c`, undefined if there is anything else in it. */
export function plainParts(expr: Expr): readonly Name[] | undefined {
  if (expr.kind === 'name') return [expr.name];
  if (expr.kind !== 'member') return undefined;
  const before = plainParts(expr.object);
  return before === undefined ? undefined : [...before, expr.member];
}

/** The dotted name that `a`, `a.b` and `['a']['b']` spell, undefined for anything else. */
export function spelledName(expr: Expr): string | undefined {
  const parts = partsOf(expr);
  return parts && spelling(parts);
}

/** The names and constant keys of `a.b['c']`, undefined if there is anything else in it. */
export function partsOf(expr: Expr): readonly Name[] | undefined {
  if (expr.kind !== 'member' && expr.kind !== 'index') return plainParts(expr);
  const last = nameIn(expr);
  const before = last && partsOf(expr.object);
  return before && [...before, last];
}
