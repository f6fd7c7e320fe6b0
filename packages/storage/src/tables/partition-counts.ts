import type { Engine } from '@millrace/engine';
import { quoteString } from '@millrace/sql';
import { isDatasetTable, datasetIdOfTable } from './all-tables.js';
import { queryShards, queryNumbers, queryRows } from './query.js';
import { quotedTable } from './table-of-dataset.js';

/** Row counts per partition of all datasets, and the engine's detached parts. */

export interface PartitionCount {
  readonly datasetId: number;
  readonly partition: number;
  /** Rows of its parts. */
  readonly rows: number;
  /**
   * Whether some of them are deleted: then `rows` falls when the parts are merged, and only
   * counting the rows gives the present number.
   */
  readonly hasDeleted: boolean;
  /** Changes whenever its parts do. */
  readonly state: bigint;
}

/** Reads the engine's metadata of parts: a few milliseconds for a thousand of them. */
export async function countPartitions(engine: Engine): Promise<readonly PartitionCount[]> {
  const sql =
    `SELECT ${datasetIdOfTable('table')}, toInt64(partition_id), toInt64(sum(rows)), toInt64(max(has_lightweight_delete)), ` +
    `toInt64(sum(cityHash64(name))) FROM system.parts WHERE active AND ${isDatasetTable(engine, 'table')} GROUP BY table, partition_id`;
  const rows = await queryShards(engine, (shard) => queryNumbers(shard, sql, 5));
  return rows.map(([datasetId, partition, count, deleted, state]) => ({
    datasetId: Number(datasetId),
    partition: Number(partition),
    rows: Number(count),
    hasDeleted: deleted !== 0n,
    state: state!,
  }));
}

/** Counts the rows of one partition. */
export async function countPartition(engine: Engine, datasetId: number, partition: number): Promise<number> {
  const sql = `SELECT toInt64(count()) FROM ${quotedTable(datasetId)} WHERE _partition_id = ${quoteString(String(partition))}`;
  return Number((await queryNumbers(engine, sql, 1))[0]?.[0] ?? 0n);
}

/** A statement that detaches a part records no reason. */
const detachedByStart = 'damaged';

/**
 * Parts of datasets that the engine could not use, or that a start detached because they cannot be
 * read, as `table/part: reason`. Superfluous parts are left out; the engine has other reasons for
 * them.
 */
export async function detachedParts(engine: Engine): Promise<readonly string[]> {
  const sql = `SELECT table, name, reason FROM system.detached_parts WHERE ${isDatasetTable(engine, 'table')} AND (reason LIKE '%broken%' OR reason = '') ORDER BY table, name`;
  const rows = await queryShards(engine, (shard) => queryRows<[string, string, string]>(shard, sql));
  return rows.map(([table, name, reason]) => `${table}/${name}: ${reason === '' ? detachedByStart : reason}`);
}
