import type { Connection, Database } from './database.js';

/**
 * Changes records of several collections in one transaction: after a crash there are all changes or
 * none.
 * @param collections whose records `work` changes
 */
export async function changeTogether<R>(
  database: Database,
  collections: readonly { recordWrite(): void }[],
  work: (connection: Connection) => Promise<R>,
): Promise<R> {
  try {
    return await database.transaction().execute(work);
  } finally {
    // Even when it failed: a commit may take effect and still report a failure.
    for (const collection of collections) collection.recordWrite();
  }
}
