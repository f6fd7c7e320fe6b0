import { type Engine, EngineError, shardOf, shardsOf, UnknownShardError } from '@millrace/engine';
import type { Logger } from 'pino';
import { runEvery } from '@millrace/runtime/async/run-every';
import type { PositionAllocator, InflightInsert } from '@millrace/metadata/postgres/position-allocator';
import { failureDetail } from '../failure-detail.js';
import { deleteBatch } from '../tables/delete-matching.js';
import { rowsPerBatch } from '../tables/rows-of-batches.js';
import { tableOf } from '../tables/table-of-dataset.js';
import { fenceBelow } from './fence.js';

interface GivingUpDependencies {
  readonly engine: Engine;
  readonly logger: Logger;
  readonly arrivals: Pick<PositionAllocator, 'tidy' | 'stale' | 'giveUp' | 'prune'>;
  /** Whether this process is the leader. */
  readonly isLeader: () => boolean;
  /** Called with the number of fenced inserts. */
  readonly onFenced: (inserts: number) => void;
}

const lookMilliseconds = 2000;

/**
 * Fences positions of processes that died or hang in the middle of an insert, so that readers of
 * the ingest order need not wait for them. First the engine is fenced against later inserts below
 * them: a process that resumes gets new positions. Partially inserted batches are removed: they
 * were not acknowledged, and a process that resumes inserts them again at another position.
 * Positions of an unreachable shard have to wait.
 */
export async function fenceStaleInserts({
  engine,
  arrivals,
  logger,
}: Pick<GivingUpDependencies, 'engine' | 'logger'> & {
  readonly arrivals: Pick<PositionAllocator, 'stale' | 'giveUp'>;
}): Promise<number> {
  let given = 0;
  for (const [shard, stale] of byShard(engine, await arrivals.stale())) {
    if (shard.health().state !== 'ready') continue;
    const above = stale.reduce((max, { last }) => (last > max ? last : max), 0n) + 1n;
    await fenceBelow(shard, above);
    for (const each of stale) await removeHalves(shard, each);
    await arrivals.giveUp(stale);
    logger.info({ inserts: stale.length, below: String(above) }, 'fenced stale inserts');
    given += stale.length;
  }
  return given;
}

function byShard(engine: Engine, stale: readonly InflightInsert[]): ReadonlyMap<Engine, readonly InflightInsert[]> {
  const found = new Map<Engine, InflightInsert[]>();
  for (const each of stale) {
    const shard = shardHaving(engine, each.datasetId);
    if (shard === undefined) continue;
    const others = found.get(shard) ?? [];
    found.set(shard, others);
    others.push(each);
  }
  return found;
}

/**
 * The shard of a dataset; the first if the dataset was deleted long ago, because its table is in
 * none; undefined if this process does not use the shard yet.
 */
function shardHaving(engine: Engine, datasetId: number): Engine | undefined {
  try {
    return shardOf(engine, tableOf(datasetId));
  } catch (error) {
    if (error instanceof UnknownShardError) return undefined;
    return shardsOf(engine)[0]!;
  }
}

/** @throws EngineError */
async function removeHalves(engine: Engine, { datasetId, first, last, sizes }: InflightInsert): Promise<void> {
  const present = await rowsPerBatch(engine, datasetId, first, last).catch((error: unknown) => {
    // The dataset was deleted.
    if (error instanceof EngineError && error.code === 'unknown-table') return new Map<bigint, number>();
    throw error;
  });
  for (const [position, rows] of present)
    if (rows < (sizes[Number(position - first)] ?? 0)) await deleteBatch(engine, datasetId, position);
}

/** Fences stale inserts periodically; returns a function that stops it. */
export function startFencing({
  engine,
  arrivals,
  logger,
  isLeader,
  onFenced,
}: GivingUpDependencies): () => Promise<void> {
  return runEvery(
    lookMilliseconds,
    async () => {
      await arrivals.tidy();
      if (!isLeader()) return;
      await arrivals.prune();
      onFenced(await fenceStaleInserts({ engine, arrivals, logger }));
    },
    (error) => logger.warn(failureDetail(error), 'could not fence stale inserts'),
  );
}
