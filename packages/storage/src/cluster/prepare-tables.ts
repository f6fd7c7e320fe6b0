import { setTimeout as sleep } from 'node:timers/promises';
import { type Engine, EngineError } from '@millrace/engine';
import type { Logger } from 'pino';
import type { PositionAllocator } from '@millrace/metadata/postgres/position-allocator';
import { requireDataset } from '../recovery/restore-datasets.js';
import { highestPosition, presentTables } from '../tables/all-tables.js';
import { createDatabase } from '../tables/table-of-dataset.js';
import { createFence } from './fence.js';
import { createSharedTable } from './cluster-table.js';

interface PrepareOptions {
  readonly engine: Engine;
  readonly arrivals: Pick<PositionAllocator, 'goOnAbove' | 'watermark'>;
  readonly logger: Logger;
  /** The IDs of all datasets, as of the last check. */
  readonly datasets: () => readonly number[];
  /** The kind of a dataset. Default: all have events. */
  readonly kindOf?: (datasetId: number) => string | undefined;
  /** The highest dataset ID ever assigned. */
  readonly highestId: number;
  /** Loads changes of other processes. */
  readonly lookForNews: () => Promise<void>;
  /** How long temporary failures are retried, milliseconds. Default half a minute. */
  readonly patience?: number;
}

const usualPatience = 30_000;
const pauseMilliseconds = 250;

/**
 * Creates the tables that processes share, unless they exist. Failures while a replica hangs or the
 * leader changes are retried: each step may be repeated.
 * @throws EngineError, Error when there are tables of unknown datasets
 */
export async function prepareTables(options: PrepareOptions): Promise<void> {
  const until = performance.now() + (options.patience ?? usualPatience);
  for (;;) {
    try {
      return await prepare(options);
    } catch (error) {
      const mayPass = error instanceof EngineError && error.code === 'unavailable';
      if (!mayPass || performance.now() > until) throw error;
      options.logger.warn({ reason: error.detail }, 'could not create tables; retrying');
      await sleep(pauseMilliseconds);
    }
  }
}

async function prepare(options: PrepareOptions): Promise<void> {
  const { engine, datasets, kindOf = () => undefined } = options;
  await createDatabase(engine);
  const there = await presentTables(engine);
  requireDataset(options, Math.max(0, ...there));
  await createFence(engine);
  if (there.size > 0) await goOnBehindEvents(options);
  for (const id of datasets()) if (!there.has(id)) await createSharedTable(engine, id, kindOf(id));
}

/** A restored database would assign positions of existing events again. */
async function goOnBehindEvents({ engine, arrivals, lookForNews, logger }: PrepareOptions): Promise<void> {
  await lookForNews();
  const highest = await highestPosition(engine, arrivals.watermark.last);
  if (highest > 0n && (await arrivals.goOnAbove(highest)))
    logger.warn('metadata is older than the events; new positions continue after the stored ones');
}
