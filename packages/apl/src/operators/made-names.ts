import type { NamedExpr, Span } from '../syntax/ast.js';
import { impliedName } from './columns.js';
import type { GivenName } from './different-names.js';

/** A column that may still need a name: `text` is the name that is given or follows from the expression. */
interface Unnamed {
  readonly text: string | undefined;
  readonly span: Span;
}

const inferred = ({ name, value, span }: NamedExpr): Unnamed => ({ text: name?.text ?? impliedName(value), span });

/**
 * The names of columns, in order: the given name, else the one that follows from the expression, else `Column` with the column's position. A name made
 * here never equals that of another column, earlier, later or `taken` elsewhere: it uses the next number that is free.
 */
export const namesOf = (columns: readonly NamedExpr[], taken: readonly string[] = []): readonly GivenName[] =>
  numbered(columns.map(inferred), 'Column', (place) => place + 1, taken);

/** Like `namesOf`, but always numbered from 1: columns that are added to a row have no position in it yet. */
export const addedNames = (columns: readonly NamedExpr[], taken: readonly string[]): readonly GivenName[] =>
  numbered(columns.map(inferred), 'Column', () => 1, taken);

/** The names of the columns of `print`, where no name follows from an expression and positions begin at 0. */
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
