import { EngineError, type EngineErrorCode } from '@millrace/engine';
import { DatasetDeleted } from '../storage/readers.js';

const gone: ReadonlySet<EngineErrorCode> = new Set(['unknown-column', 'unknown-table']);

/**
 * What a query was compiled against may be gone when the engine reads it: a vacuum drops columns that no event uses, and datasets are deleted.
 * Such a query is tried once more from its text, against what is there then, and after every deletion of a dataset that it reads: with a wildcard it may
 * read many, and goes on with those that are left.
 * @param attempt looks at the catalogue, compiles and runs
 */
export async function againIfGone<T>(attempt: () => Promise<T>): Promise<T> {
  let tried = false;
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (error instanceof DatasetDeleted) continue;
      if (tried || !(error instanceof EngineError && gone.has(error.code))) throw error;
      tried = true;
    }
  }
}
