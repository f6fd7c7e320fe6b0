import { type Engine, ShardedEngine } from '@millrace/engine';
import { shardAddresses } from '@millrace/http/settings/clickhouse-settings';
import { database } from '@millrace/storage/tables/database-name';

/**
 * Name of a database's owner on a shard. The first shard uses the plain name, so that shards can be
 * added later.
 */
export const nameOnShard = (owner: string, shard: number): string => (shard === 1 ? owner : `${owner}-${shard}`);

/** The number of the shard that an owner has called so; undefined if it is none of its. */
export function shardCalled(owner: string, name: string): number | undefined {
  if (name === owner) return 1;
  const number = name.startsWith(`${owner}-`) ? name.slice(owner.length + 1) : '';
  return /^\d+$/.test(number) ? Number(number) : undefined;
}

/**
 * Opens the engines of all shards in the setting and combines them.
 * @param open opens one shard
 * @param isGrowing whether shards may be added later
 */
export async function openShards(
  url: string,
  open: (addresses: readonly string[], shard: number) => Promise<Engine>,
  isGrowing = false,
): Promise<Engine> {
  const opening = await Promise.allSettled(shardAddresses(url).map((addresses, i) => open(addresses, i + 1)));
  const engines = opening.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
  const failed = opening.find((each) => each.status === 'rejected');
  if (failed !== undefined) {
    await Promise.all(engines.map((engine) => engine.close()));
    throw failed.reason;
  }
  const [first, ...others] = engines;
  return others.length === 0 && !isGrowing ? first! : new ShardedEngine(engines, database);
}
