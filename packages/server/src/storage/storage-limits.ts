import type { BudgetLimits } from '@millrace/events';

/** A minute longer than the engine can take to remove the parts that a merge replaced. */
export const logKeepMilliseconds = 3 * 60_000;

/** Sizes and times that the parts of a storage keep to. */
export interface StorageLimits {
  /** A dataset with this many bytes waiting is flushed at once. */
  readonly flushBytes: number;
  /** Nothing waits longer than this, milliseconds. */
  readonly flushMilliseconds: number;
  /** One insert takes at most this many bytes, unless a single batch is larger. */
  readonly insertBytes: number;
  /** Pause before a failed insert is tried again, milliseconds. */
  readonly retryMilliseconds: number;
  /**
   * Limit on bytes acknowledged and not yet in the engine; above it ingest is refused, and recovery
   * waits, until the engine has caught up.
   */
  readonly maxPendingBytes: number;
  /** How many physical columns a dataset may have. */
  readonly columns: BudgetLimits;
  /** How long answers to requests with an idempotency key are remembered. */
  readonly idempotencyWindow: number;
  /**
   * How long batches stay in the log after they were stored, milliseconds: longer than the engine
   * keeps the parts that a merge replaced.
   */
  readonly logKeepMilliseconds: number;
  /** While the log has more bytes than this, stored batches are released at once. */
  readonly logKeepBytes: number;
  /** While the disk of the log has less room than this, no events are taken. */
  readonly diskReserveBytes: number;
  /** A partition to which nothing was added for this long is merged into one part. */
  readonly mergeAfter: number;
  /** Partitions whose parts have more bytes together are left alone. 0 merges none. */
  readonly maxMergeBytes: number;
  /**
   * This many events that came last are searched without the index of words; more are added to it.
   * 0: there is no index.
   */
  readonly wordIndexRows: number;
  /** What words in memory may take, those of all datasets together. */
  readonly wordMemoryBytes: number;
}
