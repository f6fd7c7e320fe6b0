/** The part of the SQLite client that a transaction uses. */
export interface TransactionTarget {
  readonly inTransaction: boolean;
  exec(sql: string): unknown;
}

/**
 * Begins a transaction that holds the write lock from the start: taking it later would fail after a
 * concurrent change by another process.
 */
export const begin = 'BEGIN IMMEDIATE';

/** Runs work in a transaction, atomically. */
export function inTransaction<T>(target: TransactionTarget, work: () => T): T {
  target.exec(begin);
  try {
    const result = work();
    target.exec('COMMIT');
    return result;
  } catch (error) {
    // When the disk is full, SQLite has already rolled back; a second rollback would fail and hide
    // the cause.
    if (target.inTransaction) target.exec('ROLLBACK');
    throw error;
  }
}
