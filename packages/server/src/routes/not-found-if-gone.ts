import { EngineError } from '@millrace/engine';
import { httpError } from '@millrace/api/errors';
import type { DatasetRecord } from '@millrace/metadata/datasets';

/**
 * Maps the error of work on a dataset that was deleted in the meantime. Does not retry: another
 * dataset may have the name by then.
 * @throws HttpError `dataset-not-found` when its table was deleted
 */
export async function notFoundIfGone<T>({ name }: DatasetRecord, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof EngineError && error.code === 'unknown-table')
      throw httpError('dataset-not-found', { name }, { cause: error });
    throw error;
  }
}
