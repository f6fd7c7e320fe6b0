import { quoteIdentifier, quoteString } from '@millrace/sql';
import type { Insert } from './engine.js';

/** ``INSERT INTO `db`.`table` (`a`, `b`)``, what both engines begin with. */
export function insertHead({ table, columns }: Insert): string {
  return `INSERT INTO ${quoteIdentifier(table.database)}.${quoteIdentifier(table.table)} (${namesOf(columns)})`;
}

/** An insert of the block in a file. Reading it with SELECT casts its columns to the table's types. */
export function insertFromFile(insert: Insert, path: string): string {
  const structure = insert.columns.map(({ name, type }) => `${quoteIdentifier(name)} ${type}`).join(', ');
  return `${insertHead(insert)} SELECT ${namesOf(insert.columns)} FROM file(${quoteString(path)}, 'Native', ${quoteString(structure)})`;
}

function namesOf(columns: Insert['columns']): string {
  return columns.map(({ name }) => quoteIdentifier(name)).join(', ');
}
