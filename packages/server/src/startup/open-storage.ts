import { statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { type Engine, EngineError, shardsOf } from '@millrace/engine';
import { addressesOf } from '@millrace/http/settings/clickhouse-settings';
import type { Log } from '@millrace/log';
import type { PositionAllocator } from '@millrace/metadata/postgres/position-allocator';
import type { ClusterNode } from '@millrace/metadata/nodes/cluster-node';
import type { EventStorage } from '@millrace/storage/event-storage';
import type { RecoveryReport } from '@millrace/storage/recovery/recovery';
import { SharedStorage } from '@millrace/storage/cluster/cluster-storage';
import { Storage } from '@millrace/storage/storage';
import { hasColdPolicy } from '@millrace/storage/cold/cold-partitions';
import { shardTarget } from '@millrace/storage/placement';
import { SettingError } from '@millrace/http/settings/settings';
import { coldLimits, storageLimits } from './event-limits.js';
import { ClickHouseAwayError } from './open-engine.js';
import { learnShards } from './learn-shards.js';
import type { SharedParts } from './shared-parts.js';
import type { Base } from './types.js';

/**
 * Where events are stored: an engine with this process's log in front, or an engine shared by
 * several processes. The opener closes it.
 */
export type EventStores = {
  /** May still be starting. */
  readonly engine: Promise<Engine>;
  /** Parts of the first organization, for a further one. */
  readonly shared?: SharedParts;
} & (
  | { readonly kind: 'logged'; readonly log: Log }
  | {
      readonly kind: 'shared';
      readonly node: ClusterNode;
      readonly arrivals: PositionAllocator;
      /** Opens a further shard. @throws SettingError, Error when it is unreachable */
      readonly openShard: (addresses: string, number: number) => Promise<Engine>;
    }
);

/** @throws SettingError, ClickHouseAwayError */
export async function openStorage(base: Base, stores: EventStores, engine: Engine): Promise<EventStorage> {
  try {
    return await openOver(base, stores, engine);
  } catch (error) {
    const { clickhouseUrl } = base.settings;
    // It was reachable a moment ago, and may be again for the next start.
    if (clickhouseUrl === undefined || !(error instanceof EngineError) || error.code !== 'unavailable') throw error;
    throw new ClickHouseAwayError(addressesOf(clickhouseUrl).join(', '), error);
  }
}

async function openOver(base: Base, stores: EventStores, engine: Engine): Promise<EventStorage> {
  if (base.settings.coldInClickhouse && !(await hasColdPolicy(engine)))
    throw new SettingError(
      'coldInClickhouse',
      'the ClickHouse server has no storage policy millrace_cold with two volumes: default, with the disk default, and cold, with a disk of the name millrace_cold; docs/scaling.md shows one',
    );
  const datasets = placeAll(base, engine, stores.kind === 'shared');
  return stores.kind === 'logged'
    ? openLogged(base, { log: stores.log, datasets }, engine)
    : openShared(base, stores, engine);
}

/**
 * Registers the location of the tables of all datasets; returns their IDs.
 * @throws SettingError when one is on a shard whose address is missing
 */
function placeAll({ metadata }: Pick<Base, 'metadata'>, engine: Engine, isShared: boolean): readonly number[] {
  const shards = shardsOf(engine).length;
  return metadata.datasets.list().map((dataset) => {
    // A node learns the addresses of a new shard soon.
    if (dataset.shard > shards && !isShared)
      throw new SettingError(
        'clickhouseUrl',
        `dataset '${dataset.name}' is on shard ${dataset.shard}, and ${shards === 1 ? 'one shard is' : `${shards} shards are`} named; name the addresses of all of them`,
      );
    return shardTarget(engine, dataset);
  });
}

/** Metrics of both kinds of storage. */
const storageMetrics = ({ metrics }: Base) => ({
  flushed: (outcome: 'stored' | 'failed', seconds: number): void => {
    metrics.count('flushes_total', 1, { outcome });
    if (outcome === 'stored') metrics.observe('flush_seconds', seconds);
  },
  merged: (outcome: 'merged' | 'failed', seconds: number): void => {
    metrics.count('merges_total', 1, { outcome });
    metrics.observe('merge_seconds', seconds);
  },
});

/** The kinds of datasets by their IDs. */
const kindIn =
  ({ metadata }: Pick<Base, 'metadata'>) =>
  (datasetId: number): string | undefined =>
    metadata.datasets.list().find((record) => record.datasetId === datasetId)?.kind;

async function openLogged(
  base: Base,
  { log, datasets }: { readonly log: Log; readonly datasets: readonly number[] },
  engine: Engine,
): Promise<EventStorage> {
  const { settings, metadata, logger } = base;
  const { storage, recovery } = await Storage.open({
    engine,
    log,
    database: metadata.database,
    ...storageMetrics(base),
    ...coldLimits(base),
    moved: (outcome) => base.metrics.count('cold_moves_total', 1, { outcome }),
    logger,
    limits: storageLimits(base),
    freeBytes: async () => {
      const { bavail, bsize } = await statfs(join(settings.dataDir, 'log'));
      return bavail * bsize;
    },
    retentionClock: base.retentionClock,
    datasets,
    kindOf: kindIn(base),
    highestId: await metadata.datasets.highestId(),
  });
  report(base, log, recovery);
  return storage;
}

async function openShared(
  base: Base,
  { node, arrivals, openShard }: Extract<EventStores, { kind: 'shared' }>,
  engine: Engine,
): Promise<EventStorage> {
  const { settings, metadata, logger, retentionClock } = base;
  const lookForNews = async (): Promise<void> => metadata.upToDate();
  const storage = await SharedStorage.open({
    engine,
    database: metadata.database,
    ...storageMetrics(base),
    ...coldLimits(base),
    moved: (outcome) => base.metrics.count('cold_moves_total', 1, { outcome }),
    logger,
    limits: {
      ...storageLimits(base),
      acceptMilliseconds: settings.acceptTimeout,
      groupMilliseconds: settings.groupTime,
    },
    retentionClock,
    epoch: node.epoch,
    onFenced: (inserts) => base.metrics.count('inserts_fenced_total', inserts),
    isKnown: () => node.isKnown,
    remarks: () => node.remarks,
    arrivals,
    turns: (kind) => metadata.turns(kind),
    isLeader: () => node.isLeader(),
    datasets: () => placeAll(base, engine, true),
    usableShards: () => node.sharedShards,
    kindOf: kindIn(base),
    highestId: await metadata.datasets.highestId(),
    lookForNews,
  });
  metadata.onNews((changed) => storage.refresh(changed));
  // Changes made while it was being opened were not reported.
  await storage.refresh(new Set(['datasets', 'field_news']));
  node.useShards(shardsOf(engine).length, learnShards({ node, engine, storage, openShard, logger }));
  node.onHeartbeat(lookForNews);
  return storage;
}

function report({ logger }: Base, log: Log, recovery: RecoveryReport): void {
  const { cut } = log.recovery;
  if (cut !== undefined) logger.warn({ ...cut }, 'truncated a torn, unacknowledged frame at the end of the log');
  if (recovery.replayed > 0) logger.info({ ...recovery }, 'replaying unflushed events from the log');
}
