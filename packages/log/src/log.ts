import type { LogError } from './errors.js';
import type { LogFileSystem } from './file-system.js';
import type { LogLimits } from './limits.js';

export interface LogOptions {
  /** Created when missing. Holds nothing but the log. */
  readonly directory: string;
  readonly limits?: Partial<LogLimits>;
  /** Positions continue above this one even if the log remembers less. Give the highest position the log's reader has
   *  seen, so that a lost or emptied directory can never hand out a position twice. */
  readonly startAfter?: bigint;
  readonly fileSystem?: LogFileSystem;
  /** A monotone clock in milliseconds, for the latency figures only. */
  readonly now?: () => number;
}

/** One append as it is read back. */
export interface Frame {
  readonly position: bigint;
  readonly payload: Uint8Array;
}

/** A reserved place in the log. */
export interface Appended {
  /** Above every earlier position of this log; never handed out again, even if `durable` rejects. */
  readonly position: bigint;
  /** Resolves once the bytes are synced to disk; rejects with a LogError when they are not (and never will be read). */
  readonly durable: Promise<void>;
}

/** What a power cut left half-written at the end of the newest segment, and recovery removed. */
export interface TornTail {
  readonly file: string;
  readonly offset: number;
  readonly bytes: number;
  readonly reason: string;
}

/** What `openLog` found. */
export interface Recovery {
  readonly segments: number;
  readonly frames: number;
  readonly bytes: number;
  readonly cut?: TornTail;
}

export interface LogStats {
  /** Frames and file bytes on disk, released ones in not yet deleted segments included. */
  readonly frames: number;
  readonly bytes: number;
  readonly segments: number;
  /** Appends whose sync has not finished, and their payload bytes. */
  readonly pendingFrames: number;
  readonly pendingBytes: number;
  /** Position of the oldest frame still on disk; undefined in an empty log. */
  readonly oldestPosition: bigint | undefined;
  /** The newest position known to be on disk; 0 in an empty log. */
  readonly durablePosition: bigint;
  /** The newest position handed out; 0 in an empty log. */
  readonly lastPosition: bigint;
  /** Milliseconds the latest write + sync took, and how many frames shared it. */
  readonly lastSyncMilliseconds: number;
  readonly lastGroupFrames: number;
  /** Group commits since the log was opened. */
  readonly syncs: number;
  /** Why the latest group commit failed; undefined as soon as one succeeds. */
  readonly failure: LogError | undefined;
}

export interface Log {
  readonly directory: string;
  readonly limits: LogLimits;
  readonly recovery: Recovery;
  /**
   * Reserves the next position and queues the bytes (all chunks make one payload; it may be empty).
   * The chunks must not change until `durable` settles.
   * @throws LogError from `refusal`, before anything is taken
   */
  append(chunks: readonly Uint8Array[]): Appended;
  /** Why an append of so many bytes would be refused now: `log-full`, `overloaded`, `frame-too-large`, `closed`. */
  refusal(bytes: number): LogError | undefined;
  /** The frames from `from` (default: the oldest) to the newest durable one at the time of the call, in order. */
  read(from?: bigint): AsyncIterable<Frame>;
  /** The frame at a position; undefined when it is not on disk (released, burnt, or not durable yet). */
  readAt(position: bigint): Promise<Frame | undefined>;
  /** Promises that no frame up to and including `upTo` is needed any more; whole segments below are deleted. */
  release(upTo: bigint): Promise<void>;
  stats(): LogStats;
  /** Waits for the queued appends, then lets go of the files and the lock. Idempotent. */
  close(): Promise<void>;
}

/**
 * Opens (or creates) the log in a directory and recovers it.
 * @throws LogError `locked`, `corrupt` (with file, offset and what to do), `unsupported-version`, `invalid-setting`, `io`
 */
export declare function openLog(options: LogOptions): Promise<Log>;
