import { quoteIdentifier, quoteString } from '@millrace/sql';

/**
 * What finds the tables of a database that a statement is about, one after another: those that it
 * names outside of its texts, and those that it looks for in the engine's system tables. Texts and
 * other names are found as well, and skipped as a whole, because they may say anything.
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

  /** @param database that has them; a plain name */
  constructor(database: string) {
    this.#finding = finding(database);
  }

  /** Each once, in the order of the statement. */
  of(sql: string): readonly string[] {
    const found = [...sql.matchAll(this.#finding)].flatMap(([, read, looked]) => read ?? looked ?? []);
    return [...new Set(found)];
  }
}
