import { coldDisk, coldPolicy, coldVolume, type Engine, shardsOf } from '@millrace/engine';
import { quoteString } from '@millrace/sql';
import { aboutDatasets, datasetIn, highestPosition } from './all-tables.js';
import { askReadyShards, queryNumbers, queryRows } from './ask.js';
import { endedBefore } from './partitions.js';
import { quotedTable } from './table-of-dataset.js';

/** Partitions of the tables of datasets that lie in a bucket, or should. */

interface Partition {
  readonly datasetId: number;
  readonly partition: bigint;
}

/** A condition, for an aggregation of parts, that some are in the bucket. */
export const someCold = `max(disk_name = ${quoteString(coldDisk)})`;

/**
 * Partitions that end before a time and have parts on the local disk, the oldest first.
 * @param time nanoseconds since the epoch
 * @param restSeconds for how long nothing must have been written in a partition: what is to be
 * merged is merged before
 */
export async function partitionsToMove(
  engine: Engine,
  time: bigint,
  restSeconds: number,
): Promise<readonly Partition[]> {
  const sql =
    `SELECT ${datasetIn('table')}, toInt64(partition_id) FROM system.parts ` +
    `WHERE active AND ${aboutDatasets('table')} AND ${endedBefore(time, 'partition_id')} ` +
    // Others do not know the bucket yet.
    `AND table IN (SELECT name FROM system.tables WHERE ${aboutDatasets('name')} AND storage_policy = ${quoteString(coldPolicy)}) GROUP BY table, partition_id ` +
    `HAVING min(disk_name = ${quoteString(coldDisk)}) = 0 ` +
    `AND abs(dateDiff('second', max(modification_time), now())) >= ${restSeconds} ORDER BY partition_id, table`;
  const rows = await askReadyShards(engine, (shard) => queryNumbers(shard, sql, 2));
  return rows.map(([datasetId, partition]) => ({ datasetId: Number(datasetId), partition: partition! }));
}

/**
 * Moves all parts of a partition into the bucket. Whoever reads them goes on; each part is in one
 * of the two places at any time.
 */
export const movePartition = (engine: Engine, { datasetId, partition }: Partition): Promise<void> =>
  engine.execute(
    `ALTER TABLE ${quotedTable(datasetId)} MOVE PARTITION ID ${quoteString(String(partition))} ` +
      `TO VOLUME ${quoteString(coldVolume)}`,
    { apart: 'moving' },
  );

/**
 * Has the engine read what a start of the server needs of every part, so that it is in the cache:
 * then a start can do without the bucket. What a move wrote is not there by itself.
 */
export const readWhatStartsNeed = async (engine: Engine): Promise<void> =>
  void (await highestPosition(engine, 2n ** 63n - 1n));

/** Bytes of events in the bucket. */
export async function coldBytes(engine: Engine): Promise<number> {
  const sql = `SELECT toInt64(sum(bytes_on_disk)) FROM system.parts WHERE active AND ${aboutDatasets('table')} AND disk_name = ${quoteString(coldDisk)}`;
  const sums = await askReadyShards(engine, (shard) => queryNumbers(shard, sql, 1));
  return sums.reduce((all, [bytes = 0n]) => all + Number(bytes), 0);
}

/**
 * The volumes of a policy that knows a bucket, with their disks, as a server elsewhere names them.
 */
const wantedVolumes = JSON.stringify([
  ['default', ['default']],
  [coldVolume, [coldDisk]],
]);

/** Whether a server elsewhere has a storage policy by which old events can move. */
export async function hasColdPolicy(engine: Engine): Promise<boolean> {
  const sql = `SELECT volume_name, disks FROM system.storage_policies WHERE policy_name = ${quoteString(coldPolicy)} ORDER BY volume_priority`;
  const found = await Promise.all(shardsOf(engine).map((shard) => queryRows(shard, sql)));
  return found.every((volumes) => JSON.stringify(volumes) === wantedVolumes);
}
