import { fromFileSystem, LogError } from './errors.js';
import type { DirectoryLock, LogFileSystem } from './file-system.js';
import { frameHeaderBytes, segmentHeaderBytes } from './format.js';
import { groupBytes, type OutgoingFrame } from './group.js';
import { type LogLimits, resolveLimits } from './limits.js';
import { nodeFileSystem } from './node-file-system.js';
import { type Frame, readFrames } from './read.js';
import { recover, type Recovery } from './recovery.js';
import { SegmentStore } from './store.js';

export interface LogOptions {
  /** Created when missing. Holds nothing but the log. */
  readonly directory: string;
  readonly limits?: Partial<LogLimits>;
  /** Positions continue above this one even if the log itself ends earlier. Give the highest position the log's reader
   *  has seen, so that a position is never handed out twice, even if the directory was lost or emptied. */
  readonly startAfter?: bigint;
  readonly fileSystem?: LogFileSystem;
  /** A monotone clock in milliseconds, for the latency figures only. */
  readonly now?: () => number;
}

/** A reserved place in the log. */
export interface Appended {
  /** Above every earlier position of this log; never handed out again, even if `durable` rejects. */
  readonly position: bigint;
  /** Resolves once the bytes are synced to disk; rejects with a LogError when that failed. A rejected append is
   *  never read, unless the process crashes before a later append succeeds: then it may come back, whole. */
  readonly durable: Promise<void>;
}

export interface LogStats {
  /** Frames and file bytes on disk, including released frames in segments that are not deleted yet. */
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
  /** Why the latest group commit failed; undefined as soon as one, or a `tryAgain`, succeeds. */
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
  /** Makes positions continue above this one unless they already do: `startAfter` for a caller that learns it only after opening. */
  continueAfter(position: bigint): void;
  /** Why an append of so many bytes would be refused now: `log-full`, `overloaded`, `frame-too-large`, `closed`. */
  refusal(bytes: number): LogError | undefined;
  /** The frames from `from` (default: the oldest) to the newest durable one at the time of the call, in order. */
  read(from?: bigint): AsyncIterable<Frame>;
  /** The frame at a position; undefined when it is not on disk (released, burnt, or not durable yet). */
  readAt(position: bigint): Promise<Frame | undefined>;
  /** Promises that no frame up to and including `upTo` is needed any more; whole segments below are deleted. */
  release(upTo: bigint): Promise<void>;
  stats(): LogStats;
  /**
   * After a failure, tests whether the disk would now accept what it refused (at most `maxGroupBytes` of it), so that `stats` can report
   * the recovery before the next append. Does nothing while all is well or a write is under way. Never rejects.
   */
  tryAgain(): Promise<void>;
  /** Waits for the queued appends, then closes the files and releases the lock. Idempotent. */
  close(): Promise<void>;
}

/**
 * Opens (or creates) the log in a directory and recovers it.
 * @throws LogError `locked`, `corrupt` (with file, offset and what to do), `unsupported-version`, `invalid-setting`, `io`
 */
export async function openLog(options: LogOptions): Promise<Log> {
  const { directory, fileSystem = nodeFileSystem, startAfter = 0n, now = () => performance.now() } = options;
  const limits = resolveLimits(options.limits);
  let lock: DirectoryLock | undefined;
  try {
    await fileSystem.makeDirectory(directory);
    lock = await fileSystem.lock(directory);
    const { segments, recovery } = await recover(fileSystem, directory);
    const store = new SegmentStore(fileSystem, directory, limits.segmentBytes, segments);
    await store.resume();
    return new SegmentLog({ store, fileSystem, limits, recovery, lock, startAfter, now });
  } catch (error) {
    await lock?.release();
    throw fromFileSystem(error, `opening ${directory}`);
  }
}

interface Waiting extends OutgoingFrame {
  readonly resolve: () => void;
  readonly reject: (error: LogError) => void;
}

interface Parts {
  readonly store: SegmentStore;
  readonly fileSystem: LogFileSystem;
  readonly limits: LogLimits;
  readonly recovery: Recovery;
  readonly lock: DirectoryLock;
  readonly startAfter: bigint;
  readonly now: () => number;
}

class SegmentLog implements Log {
  readonly #parts: Parts;
  #waiting: Waiting[] = [];
  #pendingFrames = 0;
  #pendingBytes = 0;
  #lastPosition: bigint;
  #committing: Promise<void> | undefined;
  #closing: Promise<void> | undefined;
  #failure: LogError | undefined;
  /** Bytes of the group commit that failed. */
  #failedBytes = 0;
  #syncs = 0;
  #lastSyncMilliseconds = 0;
  #lastGroupFrames = 0;

  constructor(parts: Parts) {
    this.#parts = parts;
    const durable = this.#durablePosition;
    this.#lastPosition = durable > parts.startAfter ? durable : parts.startAfter;
  }

  get directory(): string {
    return this.#parts.store.directory;
  }

  get limits(): LogLimits {
    return this.#parts.limits;
  }

  get recovery(): Recovery {
    return this.#parts.recovery;
  }

  get #durablePosition(): bigint {
    return this.#parts.store.segments.at(-1)?.lastPosition ?? 0n;
  }

  append(chunks: readonly Uint8Array[]): Appended {
    const payloadBytes = chunks.reduce((sum, chunk) => sum + chunk.length, 0);
    const refusal = this.refusal(payloadBytes);
    if (refusal !== undefined) throw refusal;
    const position = ++this.#lastPosition;
    this.#pendingFrames++;
    this.#pendingBytes += payloadBytes;
    const durable = new Promise<void>((resolve, reject) => {
      this.#waiting.push({ position, chunks, payloadBytes, resolve, reject });
    });
    this.#committing ??= this.#commitWaiting();
    return { position, durable };
  }

  continueAfter(position: bigint): void {
    if (position > this.#lastPosition) this.#lastPosition = position;
  }

  refusal(bytes: number): LogError | undefined {
    const { maxFrameBytes, maxPendingBytes, maxLogBytes } = this.limits;
    if (this.#closing !== undefined) return closed(this.directory);
    if (bytes > maxFrameBytes) {
      return new LogError('frame-too-large', `One append of ${bytes} bytes is above maxFrameBytes (${maxFrameBytes}).`);
    }
    if (this.#pendingBytes > 0 && this.#pendingBytes + bytes > maxPendingBytes) {
      return new LogError(
        'overloaded',
        `${this.#pendingBytes} bytes wait for the disk; maxPendingBytes is ${maxPendingBytes}.`,
      );
    }
    const pending = this.#pendingBytes + bytes + (this.#pendingFrames + 1) * frameHeaderBytes;
    const total = this.#parts.store.bytes + pending + segmentHeaderBytes;
    if (total > maxLogBytes) {
      return new LogError(
        'log-full',
        `The log would hold ${total} bytes; maxLogBytes is ${maxLogBytes}. Release positions first.`,
      );
    }
    return undefined;
  }

  /** Group commit: a write takes everything that is waiting when it starts; what arrives meanwhile shares the next one. */
  async #commitWaiting(): Promise<void> {
    const { maxGroupBytes, segmentBytes } = this.limits;
    // Lets every append of this turn of the event loop join the first group.
    await new Promise(setImmediate);
    while (this.#waiting.length > 0) {
      const waiting = this.#waiting;
      this.#waiting = [];
      for (let from = 0; from < waiting.length;) {
        const to = groupEnd(waiting, from, Math.min(maxGroupBytes, segmentBytes));
        const failure = await this.#commit(waiting.slice(from, to));
        if (failure !== undefined) {
          this.#rejectAll([...waiting.slice(to), ...this.#waiting], failure);
          this.#waiting = [];
          break;
        }
        from = to;
      }
    }
    this.#committing = undefined;
  }

  async #commit(group: readonly Waiting[]): Promise<LogError | undefined> {
    const started = this.#parts.now();
    try {
      await this.#parts.store.commit(group);
    } catch (error) {
      this.#failure = fromFileSystem(error, `writing to ${this.directory}`);
      this.#failedBytes = segmentHeaderBytes + groupBytes(group);
      this.#rejectAll(group, this.#failure);
      return this.#failure;
    }
    this.#failure = undefined;
    this.#syncs++;
    this.#lastSyncMilliseconds = this.#parts.now() - started;
    this.#lastGroupFrames = group.length;
    this.#forget(group);
    for (const { resolve } of group) resolve();
    return undefined;
  }

  #rejectAll(frames: readonly Waiting[], failure: LogError): void {
    this.#forget(frames);
    for (const { reject } of frames) reject(failure);
  }

  #forget(frames: readonly Waiting[]): void {
    this.#pendingFrames -= frames.length;
    for (const { payloadBytes } of frames) this.#pendingBytes -= payloadBytes;
  }

  async tryAgain(): Promise<void> {
    if (this.#failure === undefined || this.#committing !== undefined || this.#closing !== undefined) return;
    // Counts as a commit under way, so that appends made meanwhile wait for it.
    this.#committing = this.#tryOut().then(() => this.#commitWaiting());
    await this.#committing;
  }

  async #tryOut(): Promise<void> {
    const { store, limits } = this.#parts;
    this.#failure = await store.tryOut(Math.min(this.#failedBytes, limits.maxGroupBytes)).then(
      () => undefined,
      (error: unknown) => fromFileSystem(error, `trying out ${this.directory}`),
    );
  }

  read(from = 0n): AsyncIterable<Frame> {
    this.#assertOpen();
    return readFrames(this.#parts.fileSystem, this.#parts.store, from, this.#durablePosition);
  }

  async readAt(position: bigint): Promise<Frame | undefined> {
    this.#assertOpen();
    for await (const frame of readFrames(this.#parts.fileSystem, this.#parts.store, position, position)) return frame;
    return undefined;
  }

  async release(upTo: bigint): Promise<void> {
    this.#assertOpen();
    await this.#parts.store.release(upTo);
  }

  stats(): LogStats {
    const { segments, bytes } = this.#parts.store;
    return {
      frames: segments.reduce((sum, segment) => sum + segment.frames, 0),
      bytes,
      segments: segments.length,
      pendingFrames: this.#pendingFrames,
      pendingBytes: this.#pendingBytes,
      oldestPosition: segments[0]?.header.firstPosition,
      durablePosition: this.#durablePosition,
      lastPosition: this.#lastPosition,
      lastSyncMilliseconds: this.#lastSyncMilliseconds,
      lastGroupFrames: this.#lastGroupFrames,
      syncs: this.#syncs,
      failure: this.#failure,
    };
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    await this.#committing;
    await this.#parts.store.close();
    await this.#parts.lock.release();
  }

  #assertOpen(): void {
    if (this.#closing !== undefined) throw closed(this.directory);
  }
}

function closed(directory: string): LogError {
  return new LogError('closed', `The log in ${directory} is closed.`);
}

/** The end of the longest run from `from` that fits in a group; at least one frame. */
function groupEnd(frames: readonly OutgoingFrame[], from: number, maxGroupBytes: number): number {
  let bytes = 0;
  let to = from;
  while (to < frames.length) {
    bytes += frameHeaderBytes + frames[to]!.payloadBytes;
    if (to > from && bytes > maxGroupBytes) break;
    to++;
  }
  return to;
}
