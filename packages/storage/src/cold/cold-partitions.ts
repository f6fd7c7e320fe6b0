import { coldDisk, coldPolicy, coldVolume, type Engine, EngineError, shardsOf } from '@millrace/engine';
import { quoteIdentifier, quoteString } from '@millrace/sql';
import { databaseIn } from '../tables/database-name.js';
import { isDatasetTable, datasetIdOfTable, highestPosition } from '../tables/all-tables.js';
import { queryReadyShards, queryNumbers, queryRows } from '../tables/query.js';
import { endedBefore, timesOf } from '../tables/partitions.js';
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
    `WHERE active AND ${isDatasetTable(engine, 'table')} AND ${endedBefore(time, 'partition_id')} ` +
    // Other tables have no policy with the bucket yet.
    `AND table IN (SELECT name FROM system.tables WHERE ${isDatasetTable(engine, 'name')} AND storage_policy = ${quoteString(coldPolicy)}) GROUP BY table, partition_id ` +
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

/** A probe that takes longer counts as failed. */
const probeSeconds = 10;

/**
 * Whether the cold disks of remote servers respond: reads a few bytes of one part on each shard,
 * past the cache.
 */
export async function canReadColdParts(engine: Engine): Promise<boolean> {
  const answers = await Promise.all(shardsOf(engine).map((shard) => canReadColdPart(shard).catch(isOtherProblem)));
  return answers.every(Boolean);
}

async function canReadColdPart(shard: Engine): Promise<boolean> {
  if (shard.health().state !== 'ready') return true;
  const sql = `SELECT table, name FROM system.parts WHERE active AND ${isDatasetTable(shard, 'table')} AND disk_name = ${quoteString(coldDisk)} ORDER BY modification_time LIMIT 1`;
  const [[table, part] = []] = await queryRows<[string, string]>(shard, sql);
  if (table === undefined || part === undefined) return true;
  const probe = `SELECT toInt64(count()) FROM (SELECT _seq FROM ${quoteIdentifier(databaseIn(shard))}.${quoteIdentifier(table)} WHERE _part = ${quoteString(part)} LIMIT 1)`;
  await queryNumbers(shard, probe, 1, { enable_filesystem_cache: 0 }, { maxSeconds: probeSeconds });
  return true;
}

/** Whether a failed probe says nothing about the disk. */
const isOtherProblem = (error: unknown): boolean =>
  !(error instanceof EngineError && (isObjectStorageError(error) || error.code === 'time-limit'));

/** Whether ClickHouse could not reach its object storage. */
export const isObjectStorageError = ({ detail }: EngineError): boolean => detail.startsWith('Code: 499.');

/** First and last day with events in the bucket. */
export interface DayRange {
  /** Such as `2026-01-31`. */
  readonly from: string;
  readonly to: string;
}

/** The cold days of each dataset. Partitions of a month or year count whole. */
export async function coldDays(engine: Engine): Promise<ReadonlyMap<number, DayRange>> {
  const sql =
    `SELECT DISTINCT ${datasetIdOfTable('table')}, toInt64(partition_id) FROM system.parts ` +
    `WHERE active AND ${isDatasetTable(engine, 'table')} AND disk_name = ${quoteString(coldDisk)}`;
  const found = new Map<number, DayRange>();
  for (const [dataset, partition] of await queryReadyShards(engine, (shard) => queryNumbers(shard, sql, 2))) {
    const { start, end } = timesOf(Number(partition));
    const [id, from, to] = [Number(dataset), dayOf(start), dayOf(end - 1n)];
    const before = found.get(id) ?? { from, to };
    found.set(id, { from: from < before.from ? from : before.from, to: to > before.to ? to : before.to });
  }
  return found;
}

const dayOf = (time: bigint): string => new Date(Number(time / 1_000_000n)).toISOString().slice(0, 10);

/** Bytes of events in the bucket. */
export async function coldTierBytes(engine: Engine): Promise<number> {
  const sql = `SELECT toInt64(sum(bytes_on_disk)) FROM system.parts WHERE active AND ${isDatasetTable(engine, 'table')} AND disk_name = ${quoteString(coldDisk)}`;
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
