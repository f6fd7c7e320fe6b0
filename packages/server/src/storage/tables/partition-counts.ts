import type { Engine } from '@millrace/engine';
import { quoteString } from '@millrace/sql';
import { aboutDatasets, datasetIn } from './all-tables.js';
import { askShards, queryNumbers, queryRows } from './ask.js';
import { quotedTable } from './table-of-dataset.js';

/**
 * How many rows there are in each partition of all datasets, and which parts the engine has put
 * aside.
 */

export interface PartitionCount {
  readonly datasetId: number;
  readonly partition: number;
  /** Rows of its parts. */
  readonly rows: number;
  /**
   * Whether some of them are deleted: then `rows` falls when the parts are merged, and only a count
   * of the rows tells how many there are.
   */
  readonly hasDeleted: boolean;
  /** Changes whenever its parts do. */
  readonly state: bigint;
}

/** From what the engine knows of parts: a few milliseconds for a thousand of them. */
export async function countPartitions(engine: Engine): Promise<readonly PartitionCount[]> {
  const sql =
    `SELECT ${datasetIn('table')}, toInt64(partition_id), toInt64(sum(rows)), toInt64(max(has_lightweight_delete)), ` +
    `toInt64(sum(cityHash64(name))) FROM system.parts WHERE active AND ${aboutDatasets('table')} GROUP BY table, partition_id`;
  const rows = await askShards(engine, (shard) => queryNumbers(shard, sql, 5));
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

/**
 * Parts of datasets that the engine could not use and has put aside, as `table/part: reason`. Those
 * it made itself and needs no more have no reason.
 */
export async function partsAside(engine: Engine): Promise<readonly string[]> {
  const sql = `SELECT table, name, reason FROM system.detached_parts WHERE ${aboutDatasets('table')} AND reason LIKE '%broken%' ORDER BY table, name`;
  const rows = await askShards(engine, (shard) => queryRows<[string, string, string]>(shard, sql));
  return rows.map(([table, name, reason]) => `${table}/${name}: ${reason}`);
}
