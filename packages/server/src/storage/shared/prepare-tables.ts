import { setTimeout as sleep } from 'node:timers/promises';
import { type Engine, EngineError } from '@millrace/engine';
import type { Logger } from 'pino';
import type { Arrivals } from '../../metadata/postgres/arrivals.js';
import { requireKnown } from '../recovery/restore-datasets.js';
import { highestPosition, presentTables } from '../tables/all-tables.js';
import { createDatabase } from '../tables/table-of-dataset.js';
import { createFence } from './fence.js';
import { createSharedTable } from './shared-table.js';

interface PrepareOptions {
  readonly engine: Engine;
  readonly arrivals: Pick<Arrivals, 'goOnAbove' | 'settled'>;
  readonly logger: Logger;
  /** The numbers of all datasets, as they were known last. */
  readonly datasets: () => readonly number[];
  /** The highest that was ever given to one. */
  readonly highestId: number;
  /** Learns what other processes have changed. */
  readonly lookForNews: () => Promise<void>;
  /** How long something that passes is waited for, milliseconds. Default half a minute. */
  readonly patience?: number;
}

const usualPatience = 30_000;
const pauseMilliseconds = 250;

/**
 * Makes the tables that processes share, unless they are there. What fails because a replica hangs,
 * or another one becomes the home in the middle, is done again: each step may be repeated.
 * @throws EngineError, Error when there are tables of datasets that nobody knows
 */
export async function prepareTables(options: PrepareOptions): Promise<void> {
  const until = performance.now() + (options.patience ?? usualPatience);
  for (;;) {
    try {
      return await prepare(options);
    } catch (error) {
      const mayPass = error instanceof EngineError && error.code === 'unavailable';
      if (!mayPass || performance.now() > until) throw error;
      options.logger.warn({ reason: error.detail }, 'the tables cannot be made yet');
      await sleep(pauseMilliseconds);
    }
  }
}

async function prepare(options: PrepareOptions): Promise<void> {
  const { engine, datasets } = options;
  await createDatabase(engine);
  const there = await presentTables(engine);
  requireKnown(options, Math.max(0, ...there));
  await createFence(engine);
  if (there.size > 0) await goOnBehindEvents(options);
  for (const id of datasets()) if (!there.has(id)) await createSharedTable(engine, id);
}

/** A database that was put back gives positions again that events have. */
async function goOnBehindEvents({ engine, arrivals, lookForNews, logger }: PrepareOptions): Promise<void> {
  await lookForNews();
  const highest = await highestPosition(engine, arrivals.settled.last);
  if (highest > 0n && (await arrivals.goOnAbove(highest)))
    logger.warn('the metadata are older than the events; new ones go on behind those that are there');
}
