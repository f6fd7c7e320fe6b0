import { comma } from './delimiter.js';
import { type CsvRows, withRows } from './rows.js';

/**
 * A first row, or a list of names sent separately from the body, that cannot name the columns. The
 * message is for the client.
 */
export class CsvHeaderError extends Error {
  override readonly name = 'CsvHeaderError';
}

/**
 * The columns of a body: their names, and their number without trailing ones that have no name in
 * the header.
 */
export interface CsvColumns {
  readonly names: readonly string[];
  readonly named: number;
}

/**
 * Takes the next row as the names of its columns. An empty body has no names.
 *
 * - White space around a name is not part of it.
 * - A name seen before gets a number, `id`, `id_2`, so that no column is lost.
 * - An empty name becomes `column_<n>`. Empty names at the end may come from a delimiter at the end
 *   of each line: their cells count only if they hold something.
 * @throws CsvHeaderError when the row is broken or has more than `maxColumns` cells.
 */
export function readHeader(rows: CsvRows, maxColumns: number): CsvColumns {
  if (!rows.next(maxColumns)) return { names: [], named: 0 };
  const names = namesOf(rows, 'CSV header');
  return { names: distinct(names), named: withoutNameless(names).length };
}

/**
 * The column names of an `X-Axiom-CSV-Fields` header: one row of comma-separated CSV, read by the
 * rules of `readHeader`, but that empty names at the end name nothing. Undefined when it is blank,
 * which is how some clients say that the first row of the body is the header.
 * @throws CsvHeaderError when the text is not one row of CSV that names something.
 */
export function parseHeaderFields(text: string, maxColumns: number): readonly string[] | undefined {
  return withRows(new TextEncoder().encode(text), comma, (rows) => {
    if (!rows.next(maxColumns)) return undefined;
    const what = 'CSV field names';
    const names = withoutNameless(namesOf(rows, what));
    if (names.length === 0) throw new CsvHeaderError(`${what}, line 1: expected column names, found empty cells only`);
    if (rows.next(maxColumns)) throw new CsvHeaderError('CSV field names: expected one line, found more than one');
    return distinct(names);
  });
}

/**
 * A copy of the text: a substring keeps the whole original in memory, which may be a megabyte of
 * spaces.
 */
const copyOf = (part: string): string => Buffer.from(part).toString();

/** The names in the current row. */
function namesOf(rows: CsvRows, what: string): readonly string[] {
  const { error } = rows;
  if (error !== undefined) throw new CsvHeaderError(`${what}, ${error}`);
  const decoder = new TextDecoder();
  return rows.cells.map((cell) => copyOf(decoder.decode(cell).trim()));
}

const withoutNameless = (names: readonly string[]): readonly string[] =>
  names.slice(0, names.findLastIndex((name) => name !== '') + 1);

/**
 * Makes the names distinct: the first column with a given name keeps it; repeated and invented
 * names get a number.
 */
function distinct(given: readonly string[]): readonly string[] {
  const reserved = new Set(given);
  const used = new Set<string>();
  const counts = new Map<string, number>();
  return given.map((name, index) => {
    const wanted = name === '' ? `column_${index + 1}` : name;
    let number = counts.get(wanted) ?? 1;
    let chosen = wanted;
    while (used.has(chosen) || (chosen !== name && reserved.has(chosen))) chosen = `${wanted}_${++number}`;
    counts.set(wanted, number);
    used.add(chosen);
    return chosen;
  });
}
