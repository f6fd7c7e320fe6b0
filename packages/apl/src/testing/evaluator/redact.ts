import type { Expr, Operator } from '../../syntax/ast.js';
import { isBag, isList } from './values.js';
import type { Table, Value } from './values.js';

/**
 * Every match in every string of the given fields, or of all, is replaced by the token; a token of
 * one character is repeated.
 */
export function redact({ columns, rows }: Table, operator: Operator & { readonly kind: 'redact' }): Table {
  const patterns = operator.patterns.map((pattern) => new RegExp(textOf(pattern), 'gsu'));
  const token = operator.options.map(({ value }) => textOf(value))[0] ?? '*';
  const maskMatch = (match: string): string => (match === '' || isOne(token) ? token.repeat(lengthOf(match)) : token);
  const maskText = (text: string): string =>
    patterns.reduce((left, pattern) => left.replaceAll(pattern, maskMatch), text);
  const chosen = columns.map(({ name }) => operator.on.length === 0 || operator.on.some(({ text }) => text === name));
  return {
    columns,
    rows: rows.map((row) => row.map((value, i) => (chosen[i] === true ? within(value, maskText) : value))),
  };
}

const lengthOf = (text: string): number => Array.from(text).length;
const isOne = (token: string): boolean => lengthOf(token) === 1;

/** The value with its texts changed, at any depth; keys stay. */
function within(value: Value, change: (text: string) => string): Value {
  if (typeof value === 'string') return change(value);
  if (isList(value)) return value.map((item) => within(item, change));
  return isBag(value)
    ? Object.fromEntries(Object.entries(value).map(([key, member]) => [key, within(member, change)]))
    : value;
}

function textOf(expr: Expr): string {
  if (expr.kind !== 'literal' || typeof expr.value !== 'string') throw new Error('not evaluated: no literal text');
  return expr.value;
}
