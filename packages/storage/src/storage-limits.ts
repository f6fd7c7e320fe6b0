import type { BudgetLimits } from '@millrace/events';

/** A minute longer than the engine can take to remove the parts that a merge replaced. */
export const logKeepMilliseconds = 3 * 60_000;

/** Limits and intervals of a storage. */
export interface StorageLimits {
  /** A dataset with this many pending bytes is flushed at once. */
  readonly flushBytes: number;
  /** Maximum delay of a flush, milliseconds. */
  readonly flushMilliseconds: number;
  /** Up to this size, the batches of a dataset wait longer than `flushMilliseconds`. */
  readonly trickle: { readonly bytes: number; readonly batches: number; readonly milliseconds: number };
  /** Maximum bytes of one insert, unless a single batch is larger. */
  readonly insertBytes: number;
  /** Pause before a failed insert is retried, milliseconds. */
  readonly retryMilliseconds: number;
  /**
   * Maximum bytes acknowledged and not yet in the engine; above it ingest is rejected, and recovery
   * waits, until the engine has caught up.
   */
  readonly maxPendingBytes: number;
  /** Limits of physical columns per dataset. */
  readonly columns: BudgetLimits;
  /** How long responses to requests with an idempotency key are stored. */
  readonly idempotencyWindow: number;
  /** Maximum of these responses per dataset. */
  readonly idempotencyKeys: number;
  /**
   * How long batches stay in the log after they were stored, milliseconds: longer than the engine
   * keeps the parts that a merge replaced.
   */
  readonly logKeepMilliseconds: number;
  /** Above this size of the log, stored batches are truncated at once. */
  readonly logKeepBytes: number;
  /** Below this free space on the log's disk, ingest is rejected. */
  readonly diskReserveBytes: number;
  /** A partition idle for this long is merged into one part. */
  readonly mergeAfter: number;
  /** Partitions with more bytes are not merged. 0 disables merges. */
  readonly maxMergeBytes: number;
  /**
   * Number of newest events searched without the term index; more are added to it. 0 disables the
   * index.
   */
  readonly wordIndexRows: number;
  /** Maximum memory for the term indexes of all datasets. */
  readonly wordMemoryBytes: number;
}
