import { PostgresAdapter, type RawBuilder, sql } from 'kysely';
import type { Connection } from './database.js';
import { escapeNul, unescapeNul } from './postgres/escape-nul.js';

/**
 * Differences between SQLite and PostgreSQL. Field names are passed as JSON: the driver of SQLite
 * ends a text at its first NUL, and names may contain one. A list is one parameter: there may be
 * thousands of names, and with a parameter for each the statement would cost more than its rows.
 */
interface Spelling {
  /** Texts as rows of a table `listed` with the one column `value`. */
  rowsOf(texts: readonly string[]): RawBuilder<unknown>;
  /**
   * Lists of numbers as such rows; `value ->> 0` is the first number of a list, as a text or a
   * number.
   */
  listsOf(lists: readonly (readonly number[])[]): RawBuilder<unknown>;
  /** A text unchanged, even with a NUL. */
  exact(text: string): RawBuilder<string>;
  /** The value of a column as JSON. */
  asJson(column: string): RawBuilder<string>;
  /** The values of a column of all rows as JSON. */
  listOf(column: string): RawBuilder<string>;
  /** Parses the result of `asJson` or `listOf`. */
  read(json: string): unknown;
  /** The highest ID ever assigned to a row of a table, in a column `id`; no row without any. */
  highest(table: string, column: string): RawBuilder<{ readonly id: number }>;
  /** Statements that make the next ID higher than this. */
  goOnFrom(table: string, column: string, id: number): readonly RawBuilder<unknown>[];
}

const sqlite: Spelling = {
  rowsOf: (texts) => sql`json_each(${JSON.stringify(texts)}) AS listed`,
  listsOf: (lists) => sql`json_each(${JSON.stringify(lists)}) AS listed`,
  exact: (text) => sql`json_extract(${JSON.stringify([text])}, '$[0]')`,
  asJson: (column) => sql`json_quote(${sql.ref(column)})`,
  listOf: (column) => sql`json_group_array(${sql.ref(column)})`,
  read: (json) => JSON.parse(json) as unknown,
  highest: (table) => sql`SELECT seq AS id FROM sqlite_sequence WHERE name = ${table}`,
  goOnFrom: (table, _, id) => [
    sql`DELETE FROM sqlite_sequence WHERE name = ${table}`,
    sql`INSERT INTO sqlite_sequence (name, seq) VALUES (${table}, ${id})`,
  ],
};

const postgres: Spelling = {
  rowsOf: (texts) =>
    sql`json_array_elements_text(CAST(${JSON.stringify(texts.map(escapeNul))} AS json)) AS listed (value)`,
  listsOf: (lists) => sql`json_array_elements(CAST(${JSON.stringify(lists)} AS json)) AS listed (value)`,
  exact: (text) => sql`${text}`,
  asJson: (column) => sql`CAST(to_json(${sql.ref(column)}) AS text)`,
  listOf: (column) => sql`coalesce(CAST(json_agg(${sql.ref(column)}) AS text), '[]')`,
  read: (json) =>
    JSON.parse(json, (_, value: unknown) => (typeof value === 'string' ? unescapeNul(value) : value)) as unknown,
  highest: (table, column) => sql`SELECT last_value AS id FROM ${sql.id(`${table}_${column}_seq`)} WHERE is_called`,
  goOnFrom: (table, column, id) => [sql`SELECT setval(${`${table}_${column}_seq`}, ${id})`],
};

export const isPostgres = (connection: Connection): boolean =>
  connection.getExecutor().adapter instanceof PostgresAdapter;

export const spellingOf = (connection: Connection): Spelling => (isPostgres(connection) ? postgres : sqlite);

/** Any number of texts as the right side of `in`. */
export const anyOf = (texts: readonly string[], connection: Connection): RawBuilder<string> =>
  sql<string>`(SELECT value FROM ${spellingOf(connection).rowsOf(texts)})`;
