import type { Engine } from '@millrace/engine';
import type { Logger } from 'pino';
import { runEvery } from '../../async/run-every.js';
import type { Arrivals } from '../../metadata/postgres/arrivals.js';
import { failureDetail } from '../failure-detail.js';
import { giveUpBelow } from './fence.js';

interface GivingUpDependencies {
  readonly engine: Engine;
  readonly logger: Logger;
  readonly arrivals: Pick<Arrivals, 'tidy' | 'stale' | 'giveUp' | 'prune'>;
  /** Whether this process does what one of them has to do. */
  readonly onDuty: () => boolean;
}

const lookMilliseconds = 2000;

/**
 * Gives up positions of processes that died or hang in the middle of an insert, so that those who
 * follow the order of arrival need not wait for them. First the engine is made certain to take
 * nothing more below them: whoever comes back takes other positions.
 */
export async function giveUpStale({
  engine,
  arrivals,
  logger,
}: Pick<GivingUpDependencies, 'engine' | 'logger'> & {
  readonly arrivals: Pick<Arrivals, 'stale' | 'giveUp'>;
}): Promise<void> {
  const stale = await arrivals.stale();
  if (stale.length === 0) return;
  const above = stale.reduce((most, { last }) => (last > most ? last : most), 0n) + 1n;
  await giveUpBelow(engine, above);
  await arrivals.giveUp(stale);
  logger.info({ inserts: stale.length, below: String(above) }, 'inserts that nobody is at work on were given up');
}

/** Does so again and again; returns what stops it. */
export function keepGivingUp({ engine, arrivals, logger, onDuty }: GivingUpDependencies): () => Promise<void> {
  return runEvery(
    lookMilliseconds,
    async () => {
      await arrivals.tidy();
      if (!onDuty()) return;
      await arrivals.prune();
      if (engine.health().state === 'ready') await giveUpStale({ engine, arrivals, logger });
    },
    (error) => logger.warn(failureDetail(error), 'inserts that nobody is at work on could not be given up'),
  );
}
