import type { Expr, Tabular } from '../../syntax/ast.js';
import { parseExpression } from '../../syntax/parse.js';
import { jsonText } from './values.js';
import type { Column, Table, Value } from './values.js';

/**
 * An operator in whose expressions queries are replaced by their answers: `x in (T | …)` becomes a
 * list, `toscalar(T | …)` a value. Joined tables are not replaced.
 */
export function replaceSubqueries<T>(node: T, answer: (query: Tabular) => Table): T {
  return inside(node, answer) as T;
}

function inside(node: unknown, answer: (query: Tabular) => Table): unknown {
  if (Array.isArray(node)) return node.map((item: unknown) => inside(item, answer));
  if (typeof node !== 'object' || node === null) return node;
  const expr = node as Expr | Tabular;
  if (expr.kind === 'pipeline') return node;
  if (expr.kind === 'membership' && 'kind' in expr.list) {
    const { columns, rows } = answer(expr.list);
    return { ...expr, left: inside(expr.left, answer), list: rows.map((row) => literal(row[0]!, columns[0]!)) };
  }
  const [argument] = expr.kind === 'call' && expr.callee.text === 'toscalar' ? expr.args : [];
  if (argument?.value.kind === 'tabular') {
    const { columns, rows } = answer(argument.value.query);
    return literal(rows[0]?.[0] ?? null, columns[0]!);
  }
  return Object.fromEntries(Object.entries(node).map(([key, value]) => [key, inside(value, answer)]));
}

function literal(value: Value, { type }: Column): Expr {
  if (type === 'mixed') throw new Error(`no literal of ${type}`);
  if (type === 'dynamic' || (typeof value === 'object' && value !== null))
    return parseExpression(`dynamic(${value === null ? 'null' : jsonText(value)})`).expr;
  return { kind: 'literal', type, value, span: { start: 0, end: 0 } };
}
