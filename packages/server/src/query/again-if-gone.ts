import { EngineError, type EngineErrorCode } from '@millrace/engine';

const gone: ReadonlySet<EngineErrorCode> = new Set(['unknown-column', 'unknown-table']);

/**
 * What a query was compiled against may be gone when the engine reads it: a vacuum drops columns that no event uses, and datasets are deleted.
 * Such a query is tried once more from its text, against what is there then.
 * @param attempt looks at the catalogue, compiles and runs
 */
export async function againIfGone<T>(attempt: () => Promise<T>): Promise<T> {
  try {
    return await attempt();
  } catch (error) {
    if (!(error instanceof EngineError && gone.has(error.code))) throw error;
    return attempt();
  }
}
