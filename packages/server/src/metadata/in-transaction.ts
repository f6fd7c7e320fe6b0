/** What a transaction needs of the SQLite client. */
export interface TransactionTarget {
  readonly inTransaction: boolean;
  exec(sql: string): unknown;
}

/**
 * Begins a transaction that holds the lock for changes from the start: one that took it later would
 * fail if another process changed something meanwhile.
 */
export const begin = 'BEGIN IMMEDIATE';

/** Runs work in a transaction: all that it changes, or nothing, is there afterwards. */
export function inTransaction<T>(target: TransactionTarget, work: () => T): T {
  target.exec(begin);
  try {
    const result = work();
    target.exec('COMMIT');
    return result;
  } catch (error) {
    // When the disk is full, SQLite has rolled back by itself; to do it again would fail and hide
    // the cause.
    if (target.inTransaction) target.exec('ROLLBACK');
    throw error;
  }
}
