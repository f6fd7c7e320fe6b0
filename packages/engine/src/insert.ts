import { printExpr, quoteIdentifier, quoteString } from '@millrace/sql';
import type { Insert, Settings } from './engine.js';

/**
 * An insert of the block in a file. Reading it with SELECT casts its columns to the table's types.
 */
export function insertFromFile(insert: Insert, path: string): string {
  const where = insert.where === undefined ? '' : ` WHERE ${printExpr(insert.where)}`;
  return `${insertHead(insert)} file(${quoteString(path)}, 'Native', ${structureOf(insert)})${where}`;
}

/**
 * An insert of the blocks that follow as the statement's data.
 * @param guard an SQL condition that makes the insert fail if it must not run any more
 */
export function insertFromData(insert: Insert, guard: string): string {
  const where = insert.where === undefined ? '' : ` AND (${printExpr(insert.where)})`;
  return `${insertHead(insert)} input(${structureOf(insert)}) WHERE ${guard}${where} FORMAT Native`;
}

/** The settings of an insert statement. */
export const settingsOfInsert = ({ rowsPerPart, token }: Insert): Settings => ({
  max_memory_usage: 0,
  // Merges build indexes: at insert they would cost an eighth more work and two more files each,
  // for a part that is small enough to be read completely.
  materialize_skip_indexes_on_insert: 0,
  ...(rowsPerPart !== undefined && { min_insert_block_size_rows: rowsPerPart, min_insert_block_size_bytes: 0 }),
  ...(token !== undefined && { ...quorumSettings, insert_deduplication_token: token }),
});

/** Makes inserts into replicated tables durable. */
const quorumSettings: Settings = {
  // An insert that is confirmed is on the disks of most replicas, so the loss of one loses nothing.
  insert_quorum: 'auto',
  // Inserts of several servers, and into several tables, do not wait for each other.
  insert_quorum_parallel: 1,
  // A quorum usually takes a tenth of a second. After this time the outcome is unknown; by default
  // that takes ten minutes.
  insert_quorum_timeout: 10_000,
  // Without Keeper an insert fails within a second, and does not hang for half a minute.
  insert_keeper_max_retries: 3,
};

/**
 * ``INSERT INTO `db`.`table` (`a`, `b`) SELECT * FROM``: with many columns, the engine takes a
 * fifth of a millisecond to look up each name, and none for `*`.
 */
function insertHead({ table, columns }: Insert): string {
  const names = columns.map(({ name }) => quoteIdentifier(name)).join(', ');
  return `INSERT INTO ${quoteIdentifier(table.database)}.${quoteIdentifier(table.table)} (${names}) SELECT * FROM`;
}

const structureOf = ({ columns }: Insert): string =>
  quoteString(columns.map(({ name, type }) => `${quoteIdentifier(name)} ${type}`).join(', '));
