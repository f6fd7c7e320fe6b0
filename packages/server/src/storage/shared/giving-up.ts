import { type Engine, EngineError, shardOf, shardsOf } from '@millrace/engine';
import type { Logger } from 'pino';
import { runEvery } from '../../async/run-every.js';
import type { Arrivals, UnderWay } from '../../metadata/postgres/arrivals.js';
import { failureDetail } from '../failure-detail.js';
import { deleteBatch } from '../tables/delete-matching.js';
import { rowsPerBatch } from '../tables/rows-of-batches.js';
import { tableOf } from '../tables/table-of-dataset.js';
import { giveUpBelow } from './fence.js';

interface GivingUpDependencies {
  readonly engine: Engine;
  readonly logger: Logger;
  readonly arrivals: Pick<Arrivals, 'tidy' | 'stale' | 'giveUp' | 'prune'>;
  /** Whether this process does what one of them has to do. */
  readonly onDuty: () => boolean;
  /** Called with how many there were. */
  readonly gaveUp: (inserts: number) => void;
}

const lookMilliseconds = 2000;

/**
 * Gives up positions of processes that died or hang in the middle of an insert, so that those who
 * follow the order of arrival need not wait for them. First the engine is made certain to take
 * nothing more below them: whoever comes back takes other positions. Batches that are half in are
 * removed: nobody was promised them, and whoever comes back brings them in whole, elsewhere. What
 * is of a shard that does not answer has to wait.
 */
export async function giveUpStale({
  engine,
  arrivals,
  logger,
}: Pick<GivingUpDependencies, 'engine' | 'logger'> & {
  readonly arrivals: Pick<Arrivals, 'stale' | 'giveUp'>;
}): Promise<number> {
  let given = 0;
  for (const [shard, stale] of byShard(engine, await arrivals.stale())) {
    if (shard.health().state !== 'ready') continue;
    const above = stale.reduce((most, { last }) => (last > most ? last : most), 0n) + 1n;
    await giveUpBelow(shard, above);
    for (const each of stale) await removeHalves(shard, each);
    await arrivals.giveUp(stale);
    logger.info({ inserts: stale.length, below: String(above) }, 'inserts that nobody is at work on were given up');
    given += stale.length;
  }
  return given;
}

function byShard(engine: Engine, stale: readonly UnderWay[]): ReadonlyMap<Engine, readonly UnderWay[]> {
  const found = new Map<Engine, UnderWay[]>();
  for (const each of stale) {
    const shard = shardHaving(engine, each.datasetId);
    const others = found.get(shard) ?? [];
    found.set(shard, others);
    others.push(each);
  }
  return found;
}

/** Where the table of a dataset was that is long gone nobody knows: there is nothing in any. */
function shardHaving(engine: Engine, datasetId: number): Engine {
  try {
    return shardOf(engine, tableOf(datasetId));
  } catch {
    return shardsOf(engine)[0]!;
  }
}

/** @throws EngineError */
async function removeHalves(engine: Engine, { datasetId, first, last, sizes }: UnderWay): Promise<void> {
  const present = await rowsPerBatch(engine, datasetId, first, last).catch((error: unknown) => {
    // The dataset was deleted.
    if (error instanceof EngineError && error.code === 'unknown-table') return new Map<bigint, number>();
    throw error;
  });
  for (const [position, rows] of present)
    if (rows < (sizes[Number(position - first)] ?? 0)) await deleteBatch(engine, datasetId, position);
}

/** Does so again and again; returns what stops it. */
export function keepGivingUp({ engine, arrivals, logger, onDuty, gaveUp }: GivingUpDependencies): () => Promise<void> {
  return runEvery(
    lookMilliseconds,
    async () => {
      await arrivals.tidy();
      if (!onDuty()) return;
      await arrivals.prune();
      gaveUp(await giveUpStale({ engine, arrivals, logger }));
    },
    (error) => logger.warn(failureDetail(error), 'inserts that nobody is at work on could not be given up'),
  );
}
