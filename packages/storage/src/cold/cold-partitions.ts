import { coldDisk, coldPolicy, coldVolume, type Engine, shardsOf } from '@millrace/engine';
import { quoteString } from '@millrace/sql';
import { isDatasetTable, datasetIdOfTable, highestPosition } from '../tables/all-tables.js';
import { queryReadyShards, queryNumbers, queryRows } from '../tables/query.js';
import { endedBefore } from '../tables/partitions.js';
import { quotedTable } from '../tables/table-of-dataset.js';

/** Partitions of datasets in a bucket, or due to move there. */

interface Partition {
  readonly datasetId: number;
  readonly partition: bigint;
}

/** A condition, for an aggregation of parts, that some are in the bucket. */
export const hasColdParts = `max(disk_name = ${quoteString(coldDisk)})`;

/**
 * Partitions that end before a time and have parts on the local disk, oldest first.
 * @param time nanoseconds since the epoch
 * @param restSeconds minimum age of a partition's newest part, so that merges come first
 */
export async function partitionsToMove(
  engine: Engine,
  time: bigint,
  restSeconds: number,
): Promise<readonly Partition[]> {
  const sql =
    `SELECT ${datasetIdOfTable('table')}, toInt64(partition_id) FROM system.parts ` +
    `WHERE active AND ${isDatasetTable('table')} AND ${endedBefore(time, 'partition_id')} ` +
    // Other tables have no policy with the bucket yet.
    `AND table IN (SELECT name FROM system.tables WHERE ${isDatasetTable('name')} AND storage_policy = ${quoteString(coldPolicy)}) GROUP BY table, partition_id ` +
    `HAVING min(disk_name = ${quoteString(coldDisk)}) = 0 ` +
    `AND abs(dateDiff('second', max(modification_time), now())) >= ${restSeconds} ORDER BY partition_id, table`;
  const rows = await queryReadyShards(engine, (shard) => queryNumbers(shard, sql, 2));
  return rows.map(([datasetId, partition]) => ({ datasetId: Number(datasetId), partition: partition! }));
}

/**
 * Moves all parts of a partition into the bucket. Reads continue during the move; each part is in
 * one of the two places at any time.
 */
export const movePartition = (engine: Engine, { datasetId, partition }: Partition): Promise<void> =>
  engine.execute(
    `ALTER TABLE ${quotedTable(datasetId)} MOVE PARTITION ID ${quoteString(String(partition))} ` +
      `TO VOLUME ${quoteString(coldVolume)}`,
    { apart: 'moving' },
  );

/**
 * Makes the engine read the data that a server start needs of every part, to cache it: then a start
 * works without the bucket. Writes to the bucket do not fill the cache.
 */
export const readWhatStartsNeed = async (engine: Engine): Promise<void> =>
  void (await highestPosition(engine, 2n ** 63n - 1n));

/** Bytes of events in the bucket. */
export async function coldTierBytes(engine: Engine): Promise<number> {
  const sql = `SELECT toInt64(sum(bytes_on_disk)) FROM system.parts WHERE active AND ${isDatasetTable('table')} AND disk_name = ${quoteString(coldDisk)}`;
  const sums = await queryReadyShards(engine, (shard) => queryNumbers(shard, sql, 1));
  return sums.reduce((all, [bytes = 0n]) => all + Number(bytes), 0);
}

/** The volumes of a policy with a bucket, with their disks, as named on a remote server. */
const wantedVolumes = JSON.stringify([
  ['default', ['default']],
  [coldVolume, [coldDisk]],
]);

/** Whether a remote server has a storage policy for moving old events. */
export async function hasColdPolicy(engine: Engine): Promise<boolean> {
  const sql = `SELECT volume_name, disks FROM system.storage_policies WHERE policy_name = ${quoteString(coldPolicy)} ORDER BY volume_priority`;
  const found = await Promise.all(shardsOf(engine).map((shard) => queryRows(shard, sql)));
  return found.every((volumes) => JSON.stringify(volumes) === wantedVolumes);
}
