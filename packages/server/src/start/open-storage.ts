import { statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { type Engine, shardsOf } from '@millrace/engine';
import type { Log } from '@millrace/log';
import { MetadataError } from '../metadata/metadata-error.js';
import type { Arrivals } from '../metadata/postgres/arrivals.js';
import type { Member } from '../nodes/member.js';
import type { EventStorage } from '../storage/event-storage.js';
import type { RecoveryReport } from '../storage/recovery/recovery.js';
import { SharedStorage } from '../storage/shared/shared-storage.js';
import { Storage } from '../storage/storage.js';
import { hasColdPolicy } from '../storage/tables/cold-partitions.js';
import { placed } from '../storage/placement.js';
import { SettingError } from '../settings/settings.js';
import { coldLimits, storageLimits } from './event-limits.js';
import type { Base } from './parts.js';

/**
 * What the events are in, closed by whoever opened it: an engine with a log of this process in
 * front, or one that several processes share.
 */
export type EventStores =
  | { readonly kind: 'logged'; readonly log: Log; /** May still be starting. */ readonly engine: Promise<Engine> }
  | { readonly kind: 'shared'; readonly node: Member; readonly arrivals: Arrivals; readonly engine: Promise<Engine> };

/** @throws SettingError */
export async function openStorage(base: Base, stores: EventStores, engine: Engine): Promise<EventStorage> {
  if (base.settings.coldInClickhouse && !(await hasColdPolicy(engine)))
    throw new SettingError(
      'coldInClickhouse',
      'the ClickHouse server has no storage policy millrace_cold with two volumes: default, with the disk default, and cold, with a disk of the name millrace_cold; docs/cold.md shows one',
    );
  const datasets = placeAll(base, engine);
  return stores.kind === 'logged'
    ? openLogged(base, { log: stores.log, datasets }, engine)
    : openShared(base, stores, engine);
}

/**
 * Says where the tables of all datasets are; returns their numbers.
 * @throws SettingError when that is on a shard whose address is not named
 */
function placeAll({ metadata }: Pick<Base, 'metadata'>, engine: Engine): readonly number[] {
  const shards = shardsOf(engine).length;
  return metadata.datasets.list().map((dataset) => {
    if (dataset.shard > shards)
      throw new SettingError(
        'clickhouseUrl',
        `dataset '${dataset.name}' is on shard ${dataset.shard}, and ${shards === 1 ? 'one shard is' : `${shards} shards are`} named; name the addresses of all of them`,
      );
    return placed(engine, dataset);
  });
}

/** What both count. */
const counted = ({ metrics }: Base) => ({
  flushed: (outcome: 'stored' | 'failed', seconds: number): void => {
    metrics.count('flushes_total', 1, { outcome });
    if (outcome === 'stored') metrics.observe('flush_seconds', seconds);
  },
  merged: (outcome: 'merged' | 'failed', seconds: number): void => {
    metrics.count('merges_total', 1, { outcome });
    metrics.observe('merge_seconds', seconds);
  },
});

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
    ...counted(base),
    ...coldLimits(base),
    moved: (outcome) => base.metrics.count('cold_moves_total', 1, { outcome }),
    logger,
    limits: storageLimits(base),
    freeBytes: async () => {
      const { bavail, bsize } = await statfs(join(settings.dataDir, 'log'));
      return bavail * bsize;
    },
    aging: base.aging,
    datasets,
    highestId: await metadata.datasets.highestId(),
  });
  report(base, log, recovery);
  return storage;
}

async function openShared(
  base: Base,
  { node, arrivals }: Extract<EventStores, { kind: 'shared' }>,
  engine: Engine,
): Promise<EventStorage> {
  const { settings, metadata, logger, aging } = base;
  const lookForNews = async (): Promise<void> => metadata.upToDate();
  const storage = await SharedStorage.open({
    engine,
    database: metadata.database,
    ...counted(base),
    ...coldLimits(base),
    moved: (outcome) => base.metrics.count('cold_moves_total', 1, { outcome }),
    logger,
    limits: {
      ...storageLimits(base),
      acceptMilliseconds: settings.acceptTimeout,
      groupMilliseconds: settings.groupTime,
    },
    aging,
    epoch: node.epoch,
    gaveUp: (inserts) => base.metrics.count('inserts_given_up_total', inserts),
    isKnown: () => node.isKnown,
    remarks: () => node.remarks,
    arrivals,
    turns: (kind) => metadata.turns(kind),
    onDuty: () => node.onDuty(),
    datasets: () => placeNews(base, engine),
    highestId: await metadata.datasets.highestId(),
    lookForNews,
  });
  metadata.onNews((changed) => storage.refresh(changed));
  // What changed while it was opened nobody has told.
  await storage.refresh(new Set(['datasets', 'field_news']));
  node.keepUp(lookForNews);
  return storage;
}

/** @throws MetadataError when there are some on a shard that this node was not told of */
function placeNews(base: Base, engine: Engine): readonly number[] {
  try {
    return placeAll(base, engine);
  } catch (error) {
    throw new MetadataError('left-behind', error);
  }
}

function report({ logger }: Base, log: Log, recovery: RecoveryReport): void {
  const { cut } = log.recovery;
  if (cut !== undefined)
    logger.warn({ ...cut }, 'the log ended in a half-written frame, which nobody was promised; it was cut off');
  if (recovery.replayed > 0) logger.info({ ...recovery }, 'events of the log that the engine lacked are queued');
}
