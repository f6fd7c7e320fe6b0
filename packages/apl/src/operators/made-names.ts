import type { NamedExpr, Span } from '../syntax/ast.js';
import { impliedName } from './columns.js';
import type { GivenName } from './different-names.js';

/** A column before its name is made: `text` is the given one or the one that follows from its expression. */
interface Unnamed {
  readonly text: string | undefined;
  readonly span: Span;
}

const inferred = ({ name, value, span }: NamedExpr): Unnamed => ({ text: name?.text ?? impliedName(value), span });

/**
 * The names of columns in their order: the given one, else the one that follows from the expression, else `Column` and the place. A name
 * made here is never that of another column, named before or later or `taken` elsewhere: then it is the next number that is free.
 */
export const namesOf = (columns: readonly NamedExpr[], taken: readonly string[] = []): readonly GivenName[] =>
  numbered(columns.map(inferred), 'Column', (place) => place + 1, taken);

/** As `namesOf`, but numbered from 1: what is added to the columns of a row has no place among them yet. */
export const addedNames = (columns: readonly NamedExpr[], taken: readonly string[]): readonly GivenName[] =>
  numbered(columns.map(inferred), 'Column', () => 1, taken);

/** The names of what is printed: nothing follows from an expression there, and places begin at 0. */
export const printedNames = (columns: readonly NamedExpr[]): readonly GivenName[] =>
  numbered(
    columns.map(({ name, span }) => ({ text: name?.text, span })),
    'print_',
    (place) => place,
    [],
  );

function numbered(
  columns: readonly Unnamed[],
  prefix: string,
  first: (place: number) => number,
  taken: readonly string[],
): readonly GivenName[] {
  const used = new Set([...taken, ...columns.flatMap(({ text }) => text ?? [])]);
  return columns.map(({ text, span }, place) => {
    if (text !== undefined) return { text, span };
    let number = first(place);
    while (used.has(`${prefix}${number}`)) number++;
    used.add(`${prefix}${number}`);
    return { text: `${prefix}${number}`, span };
  });
}
