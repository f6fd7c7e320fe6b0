import { EngineError } from '@millrace/engine';
import { type DayRange, isObjectStorageError } from './cold-partitions.js';

/** A query needs events in object storage, which does not respond. */
export class ColdUnavailableError extends EngineError {
  readonly days: DayRange;

  constructor(days: DayRange, cause: EngineError) {
    super('unavailable', cause.detail, cause.outcome);
    this.days = days;
  }
}

/** State of the cold tier at its last check. */
export interface ColdTier {
  /** Whether the object storage did not respond. */
  readonly away: boolean;
  /** The days of some datasets that it has; undefined if it has none. */
  daysOf(datasetIds: readonly number[]): DayRange | undefined;
}

/** @throws ColdUnavailableError in place of an error that the object storage caused */
export function namingColdDays<T>(
  cold: ColdTier | undefined,
  datasetIds: readonly number[],
  work: Promise<T>,
): Promise<T> {
  return work.catch((error: unknown) => {
    if (cold === undefined || !(error instanceof EngineError)) throw error;
    const mayBeCold = cold.away && (error.code === 'time-limit' || error.code === 'unavailable');
    const days = isObjectStorageError(error) || mayBeCold ? cold.daysOf(datasetIds) : undefined;
    throw days === undefined ? error : new ColdUnavailableError(days, error);
  });
}
