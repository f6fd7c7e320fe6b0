import type { Call, Column, Expr, Lambda, Literal, LiteralValue, OrderKey, Select, SelectItem } from './nodes.js';

export const column = (name: string): Column => ({ kind: 'column', name });

/** A literal: `bigint` prints as an integer, `number` as a Float64. */
export const literal = (value: LiteralValue): Literal => ({ kind: 'literal', value });

/**
 * An untyped integer literal (ClickHouse picks the smallest type); for positions, scales and
 * counts.
 */
export const integer = (value: number | bigint): Literal => ({ kind: 'literal', value: BigInt(value) });

export const nullLiteral: Literal = literal(null);

/** `name(args…)` */
export const call = (name: string, ...args: readonly Expr[]): Call => ({ kind: 'call', name, args });

/** `name(params…)(args…)`, as parametric aggregates are written. */
export const parametric = (name: string, params: readonly Expr[], ...args: readonly Expr[]): Call => ({
  kind: 'call',
  name,
  params,
  args,
});

/**
 * `(params…) -> body`; parameters are printed as identifiers, and the body refers to them with
 * `column`.
 */
export const lambda = (params: readonly string[], body: Expr): Lambda => ({ kind: 'lambda', params, body });

/** `CAST(expr, 'Type')` */
export const cast = (expr: Expr, type: string): Call => call('CAST', expr, literal(type));

/** Conjunction; true without operands. */
export const and = (...operands: readonly Expr[]): Expr => junction('and', operands, true);

/** Disjunction; false without operands. */
export const or = (...operands: readonly Expr[]): Expr => junction('or', operands, false);

export const not = (operand: Expr): Expr => call('not', operand);

export const item = (expr: Expr, alias?: string): SelectItem => (alias === undefined ? { expr } : { expr, alias });

/** Sort keys with nulls at the end. */
export const ascendingKey = (expr: Expr): OrderKey => ({ expr, descending: false, nullsFirst: false });
export const descendingKey = (expr: Expr): OrderKey => ({ expr, descending: true, nullsFirst: false });

/** A select with its kind filled in. */
export const select = (parts: Omit<Select, 'kind'>): Select => ({ kind: 'select', ...parts });

/** A select with additional settings, which replace its own of the same name. */
export const withSettings = (query: Select, settings: NonNullable<Select['settings']>): Select => ({
  ...query,
  settings: { ...query.settings, ...settings },
});

function junction(name: 'and' | 'or', operands: readonly Expr[], empty: boolean): Expr {
  const [first, ...rest] = operands;
  if (first === undefined) return literal(empty);
  return rest.length === 0 ? first : call(name, ...operands);
}
