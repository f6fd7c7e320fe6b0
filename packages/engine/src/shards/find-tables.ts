import { quoteIdentifier, quoteString } from '@millrace/sql';

/**
 * Matches the tables of a database that a statement is about: the tables it names outside string
 * literals, and the tables it looks up in the engine's system tables. Literals and other quoted
 * names are matched too, and skipped as a whole, because they may contain anything.
 */
const finding = (database: string): RegExp =>
  new RegExp(
    [
      String.raw`${quoteIdentifier(database)}\.${'`'}(\w+)${'`'}`,
      String.raw`database = ${quoteString(database)} AND table = '(\w+)'`,
      String.raw`'[^'\\]*(?:\\.[^'\\]*)*'`,
      '`[^`\\\\]*(?:\\\\.[^`\\\\]*)*`',
    ].join('|'),
    'gs',
  );

/** Finds the tables that statements are about. */
export class TablesIn {
  readonly #finding: RegExp;

  /** @param database of the tables; a plain name */
  constructor(database: string) {
    this.#finding = finding(database);
  }

  /** Distinct, in the order of the statement. */
  of(sql: string): readonly string[] {
    const found = [...sql.matchAll(this.#finding)].flatMap(([, read, looked]) => read ?? looked ?? []);
    return [...new Set(found)];
  }
}
