import { comma } from './delimiter.js';
import { type CsvRows, withRows } from './rows.js';

/** A first row, or a list of names sent separately from the body, that cannot name the columns. The message is meant for the client. */
export class CsvHeaderError extends Error {
  override readonly name = 'CsvHeaderError';
}

/**
 * Takes the next row as the names of its columns. An empty body has no names.
 *
 * - White space around a name is not part of it.
 * - A name seen before gets a number, `id`, `id_2`, so that no column is lost.
 * - An empty name becomes `column_<n>`; empty names at the end are a trailing delimiter and name nothing.
 * @throws CsvHeaderError when the row is broken, holds only empty cells or more than `maxColumns` of them.
 */
export function readHeader(rows: CsvRows, maxColumns: number): readonly string[] {
  return rows.next(maxColumns) ? namesOf(rows, 'CSV header') : [];
}

/**
 * The column names of an `X-Axiom-CSV-Fields` header: one row of comma-separated CSV, read by the rules of `readHeader`.
 * Undefined when it is blank, which is how some clients say that the first row of the body is the header.
 * @throws CsvHeaderError when the text is not one row of CSV that names something.
 */
export function parseHeaderFields(text: string, maxColumns: number): readonly string[] | undefined {
  return withRows(new TextEncoder().encode(text), comma, (rows) => {
    if (!rows.next(maxColumns)) return undefined;
    const names = namesOf(rows, 'CSV field names');
    if (rows.next(maxColumns)) throw new CsvHeaderError('CSV field names: expected one line, found more than one');
    return names;
  });
}

/** A copy of the text: a substring keeps the whole original in memory, which may be a megabyte of spaces. */
const copyOf = (part: string): string => Buffer.from(part).toString();

/** The names in the current row, without empty ones at the end. */
function namesOf(rows: CsvRows, what: string): readonly string[] {
  const { error } = rows;
  if (error !== undefined) throw new CsvHeaderError(`${what}, ${error}`);
  const decoder = new TextDecoder();
  const names = rows.cells.map((cell) => copyOf(decoder.decode(cell).trim()));
  while (names.at(-1) === '') names.pop();
  if (names.length > 0) return distinct(names);
  const line = rows.lineOf(rows.offset);
  throw new CsvHeaderError(`${what}, line ${line}: expected column names, found empty cells only`);
}

/** Makes the names distinct: the first column with a given name keeps it; repeated and invented names get a number. */
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
