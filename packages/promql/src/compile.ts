import { Checker } from './check/check.js';
import type { ValueType } from './model/types.js';
import type { Expr } from './syntax/ast.js';
import { parse } from './syntax/parse.js';

interface CompiledExpr {
  readonly expr: Expr;
  readonly type: ValueType;
}

/**
 * Reads and checks a query.
 * @throws ParseProblem
 */
export function compile(text: string): CompiledExpr {
  const expr = parse(text);
  return { expr, type: new Checker(text).typeOf(expr) };
}

/**
 * The type of an expression that another language was translated to.
 * @param text of that language, for the places in messages
 * @throws ParseProblem
 */
export const checkType = (text: string, expr: Expr): ValueType => new Checker(text).typeOf(expr);
