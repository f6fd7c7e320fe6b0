import type { NamedExpr, Span } from '../syntax/ast.js';
import { impliedName } from './columns.js';
import type { GivenName } from './different-names.js';

/** A column that may still need a name. */
interface Unnamed {
  /** The name that is given, or that of the field that the expression is. */
  readonly text?: string | undefined;
  /** The name that follows from a call; it gives way to others. */
  readonly wish?: string | undefined;
  readonly span: Span;
}

const inferred = ({ name, value, span }: NamedExpr): Unnamed =>
  name === undefined && value.kind === 'call'
    ? { wish: impliedName(value), span }
    : { text: name?.text ?? impliedName(value), span };

/**
 * The names of columns, in order: the given name, else the one that follows from the expression,
 * else `Column` with the column's position. A name that is made here, or that follows from a call
 * and gives way, takes the next number with which it equals the name of no other column, earlier,
 * later or one of `others`. Such a name also leaves alone the columns of the input that the new
 * ones may replace (`replaceable`).
 */
export const namesOf = (
  columns: readonly NamedExpr[],
  others: readonly string[] = [],
  replaceable: readonly string[] = [],
): readonly GivenName[] => numbered(columns.map(inferred), 'Column', (place) => place + 1, others, replaceable);

/**
 * Like `namesOf`, but always numbered from 1: columns that are added to a row have no position in
 * it yet.
 */
export const addedNames = (columns: readonly NamedExpr[], replaceable: readonly string[]): readonly GivenName[] =>
  numbered(columns.map(inferred), 'Column', () => 1, [], replaceable);

/**
 * The names of the columns of `print`, where no name follows from an expression and positions begin
 * at 0.
 */
export const printedNames = (columns: readonly NamedExpr[]): readonly GivenName[] =>
  numbered(
    columns.map(({ name, span }) => ({ text: name?.text, span })),
    'print_',
    (place) => place,
    [],
    [],
  );

function numbered(
  columns: readonly Unnamed[],
  prefix: string,
  first: (place: number) => number,
  others: readonly string[],
  replaceable: readonly string[],
): readonly GivenName[] {
  const used = new Set([...others, ...columns.flatMap(({ text }) => text ?? [])]);
  const spared = new Set(replaceable);
  // The last number tried, since those before are taken: a thousand namesakes would otherwise each
  // try those of all others.
  const tried = new Map<string | undefined, number>();
  return columns.map(({ text, wish, span }, place) => {
    if (text !== undefined) return { text, span };
    let n = Math.max(tried.get(wish) ?? 0, wish === undefined ? first(place) : 0);
    let name = wish ?? `${prefix}${n}`;
    while (used.has(name) || (name !== wish && spared.has(name))) name = `${wish ?? prefix}${++n}`;
    tried.set(wish, n);
    used.add(name);
    return { text: name, span };
  });
}
