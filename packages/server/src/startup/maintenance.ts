import type { Logger } from 'pino';
import { applyRetention, finishCreations, finishDeletions } from '@millrace/metadata/datasets/lifecycle';
import type { DatasetRef } from '@millrace/metadata/datasets';
import type { Deps } from '../routes/deps.js';

/** Scheduled maintenance of datasets. */

/** Removes events past their retention. */
export async function removeOld(deps: Deps, logger: Logger, signal: AbortSignal): Promise<void> {
  const recordFailure = ({ name }: DatasetRef, error: unknown): void =>
    logger.warn({ dataset: name, err: error }, 'retention failed');
  const removed = await applyRetention(deps, deps.clock, recordFailure, signal);
  if (removed > 0) logger.info({ events: removed }, 'deleted expired events');
}

/** Finishes the creations and deletions of datasets that failed half-way. */
export async function finishChanges(deps: Deps, logger: Logger): Promise<void> {
  await finishCreations(deps, ({ name }, error) =>
    logger.warn({ dataset: name, err: error }, 'could not create the table of a dataset'),
  );
  await finishDeletions(deps, ({ name }, error) =>
    logger.warn({ dataset: name, err: error }, 'could not delete the events of a deleted dataset'),
  );
}
