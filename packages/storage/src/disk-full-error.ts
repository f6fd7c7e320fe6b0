import { EngineError } from '@millrace/engine';

/** What a full disk prevents: reading acknowledged events, or deleting some of the old ones. */
type PreventedWork = 'reading' | 'deleting';

/**
 * The disk of the engine is full, so acknowledged events stay in the log. It is still an error of
 * the engine for callers that only retry.
 */
export class DiskFullError extends EngineError {
  readonly prevents: PreventedWork;
  constructor(prevents: PreventedWork, cause: EngineError) {
    super('disk-full', cause.detail);
    this.prevents = prevents;
  }
}

/** @throws DiskFullError in place of an engine's `disk-full` */
export function namingFullDisk<T>(prevents: PreventedWork, work: Promise<T>): Promise<T> {
  return work.catch((error: unknown) => {
    throw error instanceof EngineError && error.code === 'disk-full' ? new DiskFullError(prevents, error) : error;
  });
}
