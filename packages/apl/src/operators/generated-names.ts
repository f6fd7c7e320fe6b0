import type { NamedExpr, Span } from '../syntax/ast.js';
import { impliedName } from './columns.js';
import type { GivenName } from './different-names.js';

/** A column that may still need a name. */
interface UnnamedColumn {
  /** The given name, or the name of the field if the expression is a field. */
  readonly text?: string | undefined;
  /** The name derived from a call; other columns may take it. */
  readonly wish?: string | undefined;
  readonly span: Span;
}

const inferName = ({ name, value, span }: NamedExpr): UnnamedColumn =>
  name === undefined && value.kind === 'call'
    ? { wish: impliedName(value), span }
    : { text: name?.text ?? impliedName(value), span };

/**
 * The names of columns, in order: the given name, else the one derived from the expression, else
 * `Column` with the column's position. A generated name, or a derived one that another column
 * takes, gets the next number that makes it unique among all columns, earlier, later or in
 * `others`. Such a name also avoids the columns of the input that the new ones may replace
 * (`replaceable`).
 */
export const namesOf = (
  columns: readonly NamedExpr[],
  others: readonly string[] = [],
  replaceable: readonly string[] = [],
): readonly GivenName[] => numberedNames(columns.map(inferName), 'Column', (place) => place + 1, others, replaceable);

/**
 * Like `namesOf`, but always numbered from 1: columns that are added to a row have no position in
 * it yet.
 */
export const addedNames = (columns: readonly NamedExpr[], replaceable: readonly string[]): readonly GivenName[] =>
  numberedNames(columns.map(inferName), 'Column', () => 1, [], replaceable);

/**
 * The names of the columns of `print`, where no name follows from an expression and positions begin
 * at 0.
 */
export const printedNames = (columns: readonly NamedExpr[]): readonly GivenName[] =>
  numberedNames(
    columns.map(({ name, span }) => ({ text: name?.text, span })),
    'print_',
    (place) => place,
    [],
    [],
  );

function numberedNames(
  columns: readonly UnnamedColumn[],
  prefix: string,
  first: (place: number) => number,
  others: readonly string[],
  replaceable: readonly string[],
): readonly GivenName[] {
  const used = new Set([...others, ...columns.flatMap(({ text }) => text ?? [])]);
  const spared = new Set(replaceable);
  // The last number tried, because lower ones are in use: otherwise a thousand equal names would
  // each try all lower numbers.
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
