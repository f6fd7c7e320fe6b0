import {
  durableTableSettings,
  type Engine,
  preferredTableSettings,
  printSettings,
  type Settings,
  type TableName,
} from '@millrace/engine';
import { parsePhysicalName, physicalName } from '@millrace/events';
import { quoteIdentifier, quoteString } from '@millrace/sql';
import type { DatasetSize } from '../../datasets/event-data.js';
import type { FieldAndType } from '../fields/fields.js';
import { columnsOf, queryNumbers } from './ask.js';
import { database } from './database.js';
import { identityIndexName } from './identity-index.js';
import { type NewColumn, type Stored, storedAs } from './new-column.js';
import { partitionKey } from './partitions.js';

/** The tables of datasets: their names, their columns, and the statements that make and change them. */

/** Columns every dataset's table has besides those of its fields, in their order. */
export const systemColumns: ReadonlyMap<string, Stored> = new Map([
  // Every range and every bin reads it, and T64 takes half the time of LZ4 behind Delta.
  ['_time', { type: "DateTime64(9, 'UTC')", codec: 'T64' }],
  ['_sysTime', { type: "DateTime64(9, 'UTC')", codec: 'Delta, ZSTD(1)' }],
  ['_seq', { type: 'UInt64', codec: 'Delta, ZSTD(1)' }],
  ['_row', { type: 'UInt32', codec: 'Delta, ZSTD(1)' }],
  ['_overflow', { type: 'Map(String, String)', codec: 'ZSTD(1)' }],
]);

/** How a column is declared. */
const definition = (name: string, { type, codec }: Stored): string =>
  `${quoteIdentifier(name)} ${type} CODEC(${codec})`;

/** The table of a dataset. An id is never used again, so a dataset made anew under an old name starts empty. */
export const tableOf = (datasetId: number): TableName => ({ database, table: `d${datasetId}` });

/** The table of a dataset, quoted for a statement. */
export function quotedTable(datasetId: number): string {
  const { database, table } = tableOf(datasetId);
  return `${quoteIdentifier(database)}.${quoteIdentifier(table)}`;
}

/** The condition on a system table of the engine for what is about the table of a dataset. */
export function inSystem(datasetId: number): string {
  const { database, table } = tableOf(datasetId);
  return `database = ${quoteString(database)} AND table = ${quoteString(table)}`;
}

/** Makes the database that holds all tables. */
export const createDatabase = (engine: Engine): Promise<void> =>
  engine.execute(`CREATE DATABASE IF NOT EXISTS ${quoteIdentifier(database)}`);

/** Makes the table of a dataset unless it is there. */
export async function createTable(engine: Engine, datasetId: number): Promise<void> {
  const columns = [...systemColumns].map(([name, column]) => definition(name, column));
  await engine.execute(
    `CREATE TABLE IF NOT EXISTS ${quotedTable(datasetId)} (` +
      `${columns.join(', ')}, INDEX \`_seq\` \`_seq\` TYPE minmax GRANULARITY 1` +
      `) ENGINE = MergeTree PARTITION BY ${partitionKey} ORDER BY (_time, _seq, _row) ` +
      `SETTINGS ${printSettings(await tableSettings(engine))}`,
    { defines: tableOf(datasetId) },
  );
}

/**
 * The settings of every table, in the order in which they are declared. Preferred ones that the engine does not know are left out, because it would
 * refuse them.
 */
export async function tableSettings(engine: Engine): Promise<Settings> {
  const names = Object.keys(preferredTableSettings);
  const list = names.map(quoteString).join(', ');
  const sql = `SELECT toInt64(indexOf([${list}], name)) FROM system.merge_tree_settings WHERE name IN (${list})`;
  const known = new Set((await queryNumbers(engine, sql, 1)).map(([place]) => names[Number(place) - 1]));
  const preferred = Object.entries(preferredTableSettings).filter(([name]) => known.has(name));
  return { ...durableTableSettings, ...Object.fromEntries(preferred) };
}

/**
 * Changes settings of a table; its other settings stay. Metadata only; it waits for neither merges nor deletions. The primary keys of its parts are
 * unloaded and read again when they are needed, because a setting decides how much of them is held in memory.
 */
export async function alterSettings(engine: Engine, datasetId: number, settings: Settings): Promise<void> {
  const table = quotedTable(datasetId);
  await engine.execute(`ALTER TABLE ${table} MODIFY SETTING ${printSettings(settings)}`, {
    defines: tableOf(datasetId),
  });
  await engine.execute(`SYSTEM UNLOAD PRIMARY KEY ${table}`);
}

/** Adds columns; those that are there already stay as they are. Metadata only, no data is rewritten. */
export async function addColumns(engine: Engine, datasetId: number, columns: readonly NewColumn[]): Promise<void> {
  if (columns.length === 0) return;
  const actions = columns.map((column) => {
    const name = physicalName(column.field, column.type);
    return `ADD COLUMN IF NOT EXISTS ${definition(name, storedAs(column))}`;
  });
  await engine.execute(`ALTER TABLE ${quotedTable(datasetId)} ${actions.join(', ')}`, { defines: tableOf(datasetId) });
}

/** Removes a table at once, and its data as soon as nobody reads it. That may take long, so it runs apart from other statements. */
export const dropTable = (engine: Engine, datasetId: number): Promise<void> =>
  engine.execute(`DROP TABLE IF EXISTS ${quotedTable(datasetId)} SYNC`, { apart: 'removal' });

/** Rows the table holds of each log batch from one position to another: position → rows. */
export async function rowsPerBatch(
  engine: Engine,
  datasetId: number,
  from: bigint,
  upTo: bigint,
): Promise<ReadonlyMap<bigint, number>> {
  const sql =
    `SELECT toInt64(_seq), toInt64(count()) FROM ${quotedTable(datasetId)} ` +
    `WHERE _seq >= ${from} AND _seq <= ${upTo} GROUP BY _seq`;
  return new Map((await queryNumbers(engine, sql, 2)).map(([position, rows]) => [position!, Number(rows)]));
}

/** Those of the log batches, given in order of position, of which the table has rows. */
export async function batchesWithRows(
  engine: Engine,
  datasetId: number,
  positions: readonly bigint[],
): Promise<readonly bigint[]> {
  const found: bigint[] = [];
  for (let at = 0; at < positions.length; at += positionsPerQuery) {
    const some = positions.slice(at, at + positionsPerQuery);
    const sql =
      `SELECT toInt64(_seq), toInt64(count()) FROM ${quotedTable(datasetId)} ` +
      `WHERE _seq >= ${some[0]} AND _seq <= ${some.at(-1)} AND _seq IN (${some.join(', ')}) GROUP BY _seq`;
    const present = new Set((await queryNumbers(engine, sql, 2)).map(([position]) => position));
    found.push(...some.filter((position) => present.has(position)));
  }
  return found;
}

/** The engine reads statements up to a length. */
const positionsPerQuery = 1000;

/** Size and time range, from the engine's metadata. */
export async function tableSize(engine: Engine, datasetId: number): Promise<DatasetSize> {
  const [[bytes = 0n, rawBytes = 0n] = []] = await queryNumbers(
    engine,
    'SELECT toInt64(sum(bytes_on_disk)), toInt64(sum(data_uncompressed_bytes)) FROM system.parts ' +
      `WHERE active AND ${inSystem(datasetId)}`,
    2,
  );
  // The table is asked, because the figures of its parts still include deleted rows.
  const [[rows = 0n, minTime = 0n, maxTime = 0n] = []] = await queryNumbers(
    engine,
    `SELECT toInt64(count()), toUnixTimestamp64Nano(min(_time)), toUnixTimestamp64Nano(max(_time)) FROM ${quotedTable(datasetId)}`,
    3,
  );
  const size = { rows: Number(rows), bytes: Number(bytes), rawBytes: Number(rawBytes) };
  return rows === 0n ? size : { ...size, minTime, maxTime };
}

/**
 * The columns of fields in which no row has a value. They include columns of the table that are not known, because a vacuum that was cut short forgot
 * them before it removed them, and known columns that the table does not have yet.
 */
export async function emptyColumns(
  engine: Engine,
  datasetId: number,
  known: readonly FieldAndType[],
): Promise<readonly FieldAndType[]> {
  const names = await columnsOf(engine, quotedTable(datasetId));
  const there = new Set(names);
  const absent = known.filter(({ field, type }) => !there.has(physicalName(field, type)));
  const present = names.flatMap((name) => parsePhysicalName(name) ?? []);
  return [...absent, ...(await emptyOf(engine, datasetId, present))];
}

/** Those of the columns in which no row has a value. */
export async function emptyOf(
  engine: Engine,
  datasetId: number,
  columns: readonly FieldAndType[],
): Promise<readonly FieldAndType[]> {
  if (columns.length === 0) return [];
  const counts = columns.map(({ field, type }) => `toInt64(count(${quoteIdentifier(physicalName(field, type))}))`);
  const [row = []] = await queryNumbers(
    engine,
    `SELECT ${counts.join(', ')} FROM ${quotedTable(datasetId)}`,
    columns.length,
  );
  return columns.filter((_, i) => row[i] === 0n);
}

/** Removes columns and what they hold, their indexes first. The parts that have them are rewritten, so it runs apart from other statements. */
export async function dropColumns(engine: Engine, datasetId: number, columns: readonly FieldAndType[]): Promise<void> {
  if (columns.length === 0) return;
  const actions = columns.flatMap(({ field, type }) => {
    const name = physicalName(field, type);
    const drop = `DROP COLUMN IF EXISTS ${quoteIdentifier(name)}`;
    return type === 'string' ? [`DROP INDEX IF EXISTS ${quoteIdentifier(identityIndexName(name))}`, drop] : [drop];
  });
  const sql = `ALTER TABLE ${quotedTable(datasetId)} ${actions.join(', ')}`;
  await engine.execute(sql, { defines: tableOf(datasetId), apart: 'narrowing' });
}
