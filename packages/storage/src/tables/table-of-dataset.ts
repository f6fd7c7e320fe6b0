import {
  coldPolicy,
  durableTableSettings,
  type Engine,
  preferredTableSettings,
  printSettings,
  replicatedTableSettings,
  type Settings,
  shardOf,
  shardsOf,
  type TableName,
} from '@millrace/engine';
import { physicalName } from '@millrace/events';
import { quoteIdentifier, quoteString } from '@millrace/sql';
import type { FieldAndType } from '../fields/fields.js';
import { queryNumbers } from './query.js';
import { databaseIn, databaseOf } from './database-name.js';
import { identityIndexName } from './identifier-index.js';
import { forSpace, type NewColumn, type ColumnStorage, storedAs } from './new-column.js';
import { tableLayoutOf } from './metrics-table.js';
import { partitionKey } from './partitions.js';

/** The tables of datasets: names, columns, and schema statements. */

/** Columns of every dataset's table in addition to those of its fields, in their order. */
export const systemColumns: ReadonlyMap<string, ColumnStorage> = new Map([
  // Every range and every bin reads it, and T64 takes half the time of LZ4 after Delta.
  ['_time', { type: "DateTime64(9, 'UTC')", codec: 'T64' }],
  ['_sysTime', { type: "DateTime64(9, 'UTC')", codec: 'Delta, ZSTD(1)' }],
  ['_seq', { type: 'UInt64', codec: 'Delta, ZSTD(1)' }],
  ['_row', { type: 'UInt32', codec: 'Delta, ZSTD(1)' }],
  ['_overflow', { type: 'Map(String, String)', codec: 'ZSTD(1)' }],
]);

/** How a column is declared. */
function definition(name: string, { type, codec, compressBytes }: ColumnStorage): string {
  const sizes =
    compressBytes === undefined
      ? ''
      : ` SETTINGS (min_compress_block_size = ${compressBytes}, max_compress_block_size = ${compressBytes})`;
  return `${quoteIdentifier(name)} ${type} CODEC(${codec})${sizes}`;
}

/**
 * The table of a dataset. An ID is never reused, so a dataset recreated under an old name starts
 * empty.
 */
export const tableOf = (datasetId: number): TableName => ({
  database: databaseOf(datasetId),
  table: `d${datasetId}`,
});

/** The table of a dataset, quoted for a statement. */
export function quotedTable(datasetId: number): string {
  const { database, table } = tableOf(datasetId);
  return `${quoteIdentifier(database)}.${quoteIdentifier(table)}`;
}

/** The condition that selects the rows of a dataset's table from a system table of the engine. */
export function inSystem(datasetId: number): string {
  const { database, table } = tableOf(datasetId);
  return `database = ${quoteString(database)} AND table = ${quoteString(table)}`;
}

/** Creates the database of all tables that an engine shows. */
export const createDatabase = (engine: Engine): Promise<void> =>
  engine.execute(`CREATE DATABASE IF NOT EXISTS ${quoteIdentifier(databaseIn(engine))}`, { everywhere: true });

/** Recent events are queried most, so they are compressed for speed. */
const keptForSpeed = '7 DAY';

/**
 * Parts whose events are all older are compressed for space, by the merge that makes them or by a
 * separate one: a third less on disk, and about half more CPU for queries that read their strings.
 */
const squeezeOld = `TTL toDateTime(_time) + INTERVAL ${keptForSpeed} RECOMPRESS CODEC(${forSpace})`;

interface TableOptions {
  /** The kind of the dataset; events if omitted. */
  readonly kind?: string | undefined;
  /** More settings of the table. */
  readonly settings?: Settings;
}

/** Creates the table of a dataset unless it exists. */
export async function createTable(
  engine: Engine,
  datasetId: number,
  { kind, settings = {} }: TableOptions = {},
): Promise<void> {
  const layout = tableLayoutOf(kind);
  const columns = [...new Map([...systemColumns, ...layout.columns])].map(([name, column]) => definition(name, column));
  const table = tableOf(datasetId);
  const shard = shardOf(engine, table);
  await shard.execute(
    `CREATE TABLE IF NOT EXISTS ${quotedTable(datasetId)} (` +
      `${columns.join(', ')}, INDEX \`_seq\` \`_seq\` TYPE minmax GRANULARITY 1` +
      `) ENGINE = ${shard.replication?.engineOf(table) ?? 'MergeTree'} PARTITION BY ${partitionKey} ORDER BY (${layout.order}) ${squeezeOld} ` +
      `SETTINGS ${printSettings({ ...(await tableSettings(shard)), ...settings })}`,
    { defines: table, everywhere: true },
  );
}

/**
 * The settings of every table, in the order in which they are declared. Preferred ones that the
 * engine does not know are left out, because it would reject them.
 */
export async function tableSettings(engine: Engine): Promise<Settings> {
  const names = Object.keys(preferredTableSettings);
  const list = names.map(quoteString).join(', ');
  const sql =
    `SELECT toInt64(indexOf([${list}], name)) FROM system.merge_tree_settings WHERE name IN (${list}) ` +
    // Only if the engine has a bucket.
    `UNION ALL SELECT toInt64(0) FROM system.storage_policies WHERE policy_name = ${quoteString(coldPolicy)}`;
  // With several shards each must know it: all tables have the same settings.
  const ofShards = await Promise.all(shardsOf(engine).map((shard) => queryNumbers(shard, sql, 1)));
  const [first = [], ...others] = ofShards.map((rows) => rows.map(([place]) => Number(place)));
  const places = first.filter((place) => others.every((other) => other.includes(place)));
  const known = new Set(places.map((place) => names[place - 1]));
  const preferred = Object.entries(preferredTableSettings).filter(([name]) => known.has(name));
  return {
    ...durableTableSettings,
    ...Object.fromEntries(preferred),
    ...(engine.replication !== undefined && replicatedTableSettings),
    ...(places.includes(0) && { storage_policy: coldPolicy }),
  };
}

/**
 * Changes settings of a table; its other settings stay. Metadata only; it waits for neither merges
 * nor deletions. The primary keys of its parts are unloaded and read again when they are needed,
 * because a setting decides how much of them is in memory.
 */
export async function alterSettings(engine: Engine, datasetId: number, settings: Settings): Promise<void> {
  const table = quotedTable(datasetId);
  await engine.execute(`ALTER TABLE ${table} MODIFY SETTING ${printSettings(settings)}`, {
    defines: tableOf(datasetId),
    everywhere: true,
  });
  await engine.execute(`SYSTEM UNLOAD PRIMARY KEY ${table}`, { everywhere: true });
}

/** Adds columns; existing ones stay as they are. Metadata only, no data is rewritten. */
export async function addColumns(engine: Engine, datasetId: number, columns: readonly NewColumn[]): Promise<void> {
  if (columns.length === 0) return;
  const actions = columns.map((column) => {
    const name = physicalName(column.field, column.type);
    return `ADD COLUMN IF NOT EXISTS ${definition(name, storedAs(column))}`;
  });
  await engine.execute(`ALTER TABLE ${quotedTable(datasetId)} ${actions.join(', ')}`, { defines: tableOf(datasetId) });
}

/**
 * Removes a table at once, and its data as soon as it has no readers. That may take long, so it
 * runs apart from other statements.
 */
export const dropTable = (engine: Engine, datasetId: number): Promise<void> =>
  engine.execute(`DROP TABLE IF EXISTS ${quotedTable(datasetId)} SYNC`, { apart: 'removal', everywhere: true });

/**
 * Removes columns and their data, their indexes first. The parts that have them are rewritten, so
 * it runs apart from other statements.
 */
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

/** Drops the database of all tables that an engine shows, with the tables. */
export const dropDatabase = (engine: Engine): Promise<void> =>
  engine.execute(`DROP DATABASE IF EXISTS ${quoteIdentifier(databaseIn(engine))} SYNC`, {
    apart: 'removal',
    everywhere: true,
  });
