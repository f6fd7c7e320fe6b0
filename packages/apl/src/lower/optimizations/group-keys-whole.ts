import type { Expr } from '@millrace/sql';
import type { Relation } from '../relations/relation.js';

/**
 * Whether expressions over a relation use its group keys and aggregates only as a whole. The
 * lowering of a function may take its arguments apart (the path of a member, the parts of a
 * condition, the number in a time), but after grouping the parts of a key are out of reach.
 */
export function groupsByWholeKeys({ groupBy, columns }: Relation, exprs: readonly Expr[]): boolean {
  if (groupBy === undefined) return true;
  const whole = new Set(columns.values());
  if (groupBy.length === 0 && exprs.some(choosesByConstant)) return false;
  if (exprs.some((expr) => mergesTests(expr, whole))) return false;
  return exprs.every((expr) => isMadeOf(expr, whole, none));
}

/**
 * Whether an expression chooses by a constant condition. The engine folds it before it searches for
 * aggregates, so without groups a select whose only aggregate is in the other branch would have a
 * row for each row read.
 */
function choosesByConstant(expr: Expr): boolean {
  switch (expr.kind) {
    case 'call':
      return conditionsOf(expr.name, expr.args).some(isConstant) || expr.args.some(choosesByConstant);
    case 'lambda':
      return choosesByConstant(expr.body);
    case 'inSubquery':
      return choosesByConstant(expr.needle);
    case 'column':
    case 'literal':
    case 'star':
    case 'scalarSubquery':
    case 'printed':
      return false;
  }
}

/**
 * Whether there is a regular expression in an `or`. The engine merges all tests of the same text,
 * and fails to find an aggregate in it.
 */
function mergesTests(expr: Expr, whole: ReadonlySet<Expr>): boolean {
  if (whole.has(expr)) return false;
  switch (expr.kind) {
    case 'call':
      return (expr.name === 'or' && expr.args.some(isRegexTest)) || expr.args.some((arg) => mergesTests(arg, whole));
    case 'lambda':
      return mergesTests(expr.body, whole);
    case 'inSubquery':
      return mergesTests(expr.needle, whole);
    case 'column':
    case 'literal':
    case 'star':
    case 'scalarSubquery':
    case 'printed':
      return false;
  }
}

const isRegexTest = (expr: Expr): boolean => expr.kind === 'call' && expr.name === 'match';

const conditionsOf = (name: string, args: readonly Expr[]): readonly Expr[] =>
  name === 'if' ? args.slice(0, 1) : name === 'multiIf' ? args.slice(0, -1).filter((_, i) => i % 2 === 0) : [];

/**
 * Whether the engine may know a value before it reads anything; not `count()`. Scalar subqueries
 * are computed before.
 */
const isConstant = (expr: Expr): boolean =>
  expr.kind === 'literal' ||
  expr.kind === 'scalarSubquery' ||
  (expr.kind === 'call' && expr.args.length > 0 && expr.args.every(isConstant));

const none: ReadonlySet<string> = new Set();

function isMadeOf(expr: Expr, whole: ReadonlySet<Expr>, bound: ReadonlySet<string>): boolean {
  if (whole.has(expr)) return true;
  switch (expr.kind) {
    case 'call':
      return expr.args.every((arg) => isMadeOf(arg, whole, bound));
    case 'lambda':
      return isMadeOf(expr.body, whole, new Set([...bound, ...expr.params]));
    case 'inSubquery':
      return isMadeOf(expr.needle, whole, bound);
    case 'column':
      return bound.has(expr.name);
    case 'literal':
    case 'star':
    case 'scalarSubquery':
    case 'printed':
      return true;
  }
}
