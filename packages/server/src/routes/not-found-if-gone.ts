import { EngineError } from '@millrace/engine';
import { httpError } from '../errors.js';
import type { DatasetRecord } from '../metadata/datasets.js';

/**
 * What becomes of work on a dataset that may be deleted before the end. It is not tried again:
 * another dataset may have the name by then.
 * @throws HttpError `dataset-not-found` when its table is gone
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
