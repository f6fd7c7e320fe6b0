import { type Engine, EngineError, shardsOf } from '@millrace/engine';
import { quoteString } from '@millrace/sql';
import type { EventShards } from '@millrace/metadata/datasets/event-data';
import type { DatasetRef } from '@millrace/metadata/datasets';
import { wordTableOf } from './term-index/term-table.js';
import { queryNumbers } from './tables/query.js';
import { databaseIn } from './tables/database-name.js';
import { tableOf } from './tables/table-of-dataset.js';

/** The shard of a dataset's tables, if there are several. */

/**
 * Registers the shard of a dataset's tables; returns the dataset ID.
 * @throws EngineError `unavailable` when there is only one shard, and the dataset is on another
 */
export function shardTarget({ sharding }: Engine, { datasetId, shard = 1 }: DatasetRef): number {
  if (sharding !== undefined) for (const table of [tableOf, wordTableOf]) sharding.place(table(datasetId), shard);
  else if (shard > 1) throw new EngineError('unavailable', `there is no shard ${shard}`);
  return datasetId;
}

/** Smaller differences are ignored. */
const roundedBytes = 2 ** 30;

/** @param usable how many shards may get new datasets. Default: all */
export const eventShards = (engine: Engine, usable = () => shardsOf(engine).length): EventShards => ({
  ready: () => shardsOf(engine).map((shard) => shard.health().state === 'ready'),
  usable,
  emptiest: (present) => emptiest(engine, present, usable()),
});

/**
 * The responding shard with the fewest bytes of events, or if they are about equal, with the fewest
 * datasets.
 */
async function emptiest({ sharding }: Engine, present: readonly DatasetRef[], usable: number): Promise<number> {
  if (sharding === undefined) return 1;
  const found = await Promise.all(
    sharding.shards.slice(0, usable).map((shard, i) => measureShard(shard, i + 1, present)),
  );
  const [first] = found.flat().toSorted((a, b) => a.bytes - b.bytes || a.datasets - b.datasets);
  if (first === undefined) throw new EngineError('unavailable', 'no shard answers');
  return first.number;
}

interface ShardSize {
  readonly number: number;
  readonly bytes: number;
  readonly datasets: number;
}

/** Empty if the shard does not respond. */
async function measureShard(
  shard: Engine,
  number: number,
  present: readonly DatasetRef[],
): Promise<readonly ShardSize[]> {
  if (shard.health().state !== 'ready') return [];
  const sql = `SELECT toInt64(sum(bytes_on_disk)) FROM system.parts WHERE active AND database = ${quoteString(databaseIn(shard))}`;
  try {
    const [[bytes = 0n] = []] = await queryNumbers(shard, sql, 1);
    const datasets = present.filter((dataset) => (dataset.shard ?? 1) === number).length;
    return [{ number, bytes: Math.floor(Number(bytes) / roundedBytes), datasets }];
  } catch (error) {
    if (error instanceof EngineError) return [];
    throw error;
  }
}
