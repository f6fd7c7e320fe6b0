import type { LogError } from './errors.js';
import type { Frame } from './read.js';
import type { Recovery } from './recovery.js';

/** A reserved place in the log. */
export interface AppendResult {
  /**
   * Above every earlier position of this log; never handed out again, even if `durable` rejects.
   */
  readonly position: bigint;
  /**
   * Resolves once the bytes are synced to disk; rejects with a LogError when that failed. A
   * rejected append is never read, unless the process crashes before a later append succeeds: then
   * it may return, complete.
   */
  readonly durable: Promise<void>;
}

export interface LogStats {
  /**
   * File bytes on disk, including those of released frames in segments that are not deleted yet.
   */
  readonly bytes: number;
  readonly segments: number;
  /** The oldest position in the files; 0 if there are none. */
  readonly firstPosition: bigint;
  /** Appends whose sync has not finished, and their payload bytes. */
  readonly pendingFrames: number;
  readonly pendingBytes: number;
  /** The newest position known to be on disk; 0 in an empty log. */
  readonly durablePosition: bigint;
  /** The newest position handed out, or given to `continueAfter`; 0 in an empty log. */
  readonly lastPosition: bigint;
  /**
   * All appends up to this position are finished: each is on disk or has failed, or precedes this
   * log.
   */
  readonly finishedPosition: bigint;
  /** Milliseconds the latest write + sync took. */
  readonly lastSyncMilliseconds: number;
  /** Group commits since the log was opened. */
  readonly syncs: number;
  /** Why the latest group commit failed; undefined after a successful commit or `tryAgain`. */
  readonly failure: LogError | undefined;
}

export interface Log {
  readonly recovery: Recovery;
  /**
   * Reserves the next position and queues the bytes (all chunks make one payload; it may be empty).
   * The chunks must not change until `durable` settles.
   * @throws LogError from `refusal`, before anything is taken
   */
  append(chunks: readonly Uint8Array[]): AppendResult;
  /**
   * Makes positions continue above this one unless they already do. Give the highest position the
   * log's reader has seen, so that a position is never handed out twice, even if the directory was
   * lost or emptied.
   */
  continueAfter(position: bigint): void;
  /**
   * Why an append of so many bytes would be refused now: `log-full`, `overloaded`,
   * `frame-too-large`, `closed`.
   */
  refusal(bytes: number): LogError | undefined;
  /**
   * The frames from `from` (default: the oldest) to the newest durable one at the time of the call,
   * in order.
   */
  read(from?: bigint): AsyncIterable<Frame>;
  /**
   * The frame at a position; undefined when it is not on disk (released, burnt, or not durable
   * yet).
   */
  readAt(position: bigint): Promise<Frame | undefined>;
  /**
   * Promises that no frame up to and including `upTo` is needed any more; whole segments below are
   * deleted.
   */
  release(upTo: bigint): Promise<void>;
  /**
   * Releases everything on disk, including the newest segment. `mark` is the first frame of a new
   * segment, at the position after `upTo`, because a log finds its position by its newest frame.
   * Does nothing if `upTo` is below the newest position handed out, while an append is in flight,
   * and after a failure.
   */
  renew(upTo: bigint, mark: readonly Uint8Array[]): Promise<void>;
  stats(): LogStats;
  /**
   * After a failure, tests whether the disk now accepts the failed writes (at most
   * `maxGroupBytes`), so that `stats` can report the recovery before the next append. Does nothing
   * without a failure or while a write is in flight. Never rejects.
   */
  tryAgain(): Promise<void>;
  /** Waits for the queued appends, then closes the files and releases the lock. Idempotent. */
  close(): Promise<void>;
}
