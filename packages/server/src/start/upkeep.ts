import type { Logger } from 'pino';
import { applyRetention, finishCreations, finishDeletions } from '../datasets/lifecycle.js';
import type { DatasetRef } from '../metadata/datasets.js';
import type { Deps } from '../routes/deps.js';

/** What a server does by itself for its datasets. */

/** Removes events past their retention. */
export async function removeOld(deps: Deps, logger: Logger, signal: AbortSignal): Promise<void> {
  const failed = ({ name }: DatasetRef, error: unknown): void =>
    logger.warn({ dataset: name, err: error }, 'events past their retention could not be removed');
  const removed = await applyRetention(deps, deps.clock, failed, signal);
  if (removed > 0) logger.info({ events: removed }, 'removed events past their retention');
}

/** Finishes the creations and deletions of datasets that failed half-way. */
export async function finishChanges(deps: Deps, logger: Logger): Promise<void> {
  await finishCreations(deps, ({ name }, error) =>
    logger.warn({ dataset: name, err: error }, 'a dataset still has no place for events'),
  );
  await finishDeletions(deps, ({ name }, error) =>
    logger.warn({ dataset: name, err: error }, 'the events of a deleted dataset could not be removed'),
  );
}
