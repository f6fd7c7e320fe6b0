import { fromFileSystem, LogError } from './errors.js';
import type { DirectoryLock, LogFileSystem } from './file-system.js';
import { frameHeaderBytes, segmentHeaderBytes } from './format.js';
import { groupBytes, type OutgoingFrame } from './group.js';
import type { LogLimits } from './limits.js';
import type { AppendResult, Log, LogStats } from './log.js';
import { type Frame, readFrames } from './read.js';
import type { Recovery } from './recovery.js';
import type { SegmentStore } from './store.js';

interface QueuedFrame extends OutgoingFrame {
  readonly resolve: () => void;
  readonly reject: (error: LogError) => void;
}

interface Parts {
  readonly store: SegmentStore;
  readonly fileSystem: LogFileSystem;
  readonly limits: LogLimits;
  readonly recovery: Recovery;
  readonly lock: DirectoryLock;
}

/** The log over its segments: group commit, and rejection of appends. */
export class SegmentLog implements Log {
  readonly #parts: Parts;
  #queue: QueuedFrame[] = [];
  #pendingFrames = 0;
  #pendingBytes = 0;
  #lastPosition: bigint;
  #commitPromise: Promise<void> | undefined;
  #closePromise: Promise<void> | undefined;
  #failure: LogError | undefined;
  /** Bytes of the group commit that failed. */
  #failedBytes = 0;
  #syncs = 0;
  #lastSyncMilliseconds = 0;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#lastPosition = this.#durablePosition;
  }

  get recovery(): Recovery {
    return this.#parts.recovery;
  }

  get #durablePosition(): bigint {
    return this.#parts.store.segments.at(-1)?.lastPosition ?? 0n;
  }

  append(chunks: readonly Uint8Array[]): AppendResult {
    const payloadBytes = chunks.reduce((sum, chunk) => sum + chunk.length, 0);
    const refusal = this.refusal(payloadBytes);
    if (refusal !== undefined) throw refusal;
    const position = ++this.#lastPosition;
    this.#pendingFrames++;
    this.#pendingBytes += payloadBytes;
    const durable = new Promise<void>((resolve, reject) => {
      this.#queue.push({ position, chunks, payloadBytes, resolve, reject });
    });
    this.#commitPromise ??= this.#commitWaiting();
    return { position, durable };
  }

  continueAfter(position: bigint): void {
    if (position > this.#lastPosition) this.#lastPosition = position;
  }

  refusal(bytes: number): LogError | undefined {
    const { maxFrameBytes, maxPendingBytes, maxLogBytes } = this.#parts.limits;
    if (this.#closePromise !== undefined) return this.#closedError();
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

  /**
   * Group commit: a write takes all appends that wait when it starts; appends that arrive during it
   * share the next write.
   */
  async #commitWaiting(): Promise<void> {
    const { maxGroupBytes, logSegmentBytes } = this.#parts.limits;
    // Lets every append of this turn of the event loop join the first group.
    await new Promise(setImmediate);
    while (this.#queue.length > 0) {
      const waiting = this.#queue;
      this.#queue = [];
      for (let from = 0; from < waiting.length;) {
        const to = groupEnd(waiting, from, Math.min(maxGroupBytes, logSegmentBytes));
        const failure = await this.#commit(waiting.slice(from, to));
        if (failure !== undefined) {
          this.#rejectAll([...waiting.slice(to), ...this.#queue], failure);
          this.#queue = [];
          break;
        }
        from = to;
      }
    }
    this.#commitPromise = undefined;
  }

  async #commit(group: readonly QueuedFrame[]): Promise<LogError | undefined> {
    const started = performance.now();
    try {
      await this.#parts.store.commit(group);
    } catch (error) {
      this.#failure = fromFileSystem(error, `writing to ${this.#parts.store.directory}`);
      this.#failedBytes = segmentHeaderBytes + groupBytes(group);
      this.#rejectAll(group, this.#failure);
      return this.#failure;
    }
    this.#failure = undefined;
    this.#syncs++;
    this.#lastSyncMilliseconds = performance.now() - started;
    this.#forget(group);
    for (const { resolve } of group) resolve();
    return undefined;
  }

  #rejectAll(frames: readonly QueuedFrame[], failure: LogError): void {
    this.#forget(frames);
    for (const { reject } of frames) reject(failure);
  }

  #forget(frames: readonly QueuedFrame[]): void {
    this.#pendingFrames -= frames.length;
    for (const { payloadBytes } of frames) this.#pendingBytes -= payloadBytes;
  }

  async tryAgain(): Promise<void> {
    if (this.#failure === undefined || this.#commitPromise !== undefined || this.#closePromise !== undefined) return;
    // Counts as a commit in flight, so that concurrent appends wait for it.
    this.#commitPromise = this.#tryOut().then(() => this.#commitWaiting());
    await this.#commitPromise;
  }

  async #tryOut(): Promise<void> {
    const { store, limits } = this.#parts;
    this.#failure = await store.tryOut(Math.min(this.#failedBytes, limits.maxGroupBytes)).then(
      () => undefined,
      (error: unknown) => fromFileSystem(error, `trying out ${store.directory}`),
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

  async renew(upTo: bigint, mark: readonly Uint8Array[]): Promise<void> {
    this.#assertOpen();
    if (upTo < this.#lastPosition || this.#commitPromise !== undefined || this.#failure !== undefined) return;
    this.#parts.store.beginAnew();
    await this.append(mark).durable;
    await this.release(upTo);
  }

  stats(): LogStats {
    const { segments, bytes } = this.#parts.store;
    return {
      bytes,
      segments: segments.length,
      firstPosition: segments[0]?.header.firstPosition ?? 0n,
      pendingFrames: this.#pendingFrames,
      pendingBytes: this.#pendingBytes,
      durablePosition: this.#durablePosition,
      lastPosition: this.#lastPosition,
      // Pending appends have the newest positions, without gaps: they end in order, and a failure
      // ends all of them.
      finishedPosition: this.#lastPosition - BigInt(this.#pendingFrames),
      lastSyncMilliseconds: this.#lastSyncMilliseconds,
      syncs: this.#syncs,
      failure: this.#failure,
    };
  }

  close(): Promise<void> {
    this.#closePromise ??= this.#close();
    return this.#closePromise;
  }

  async #close(): Promise<void> {
    await this.#commitPromise;
    await this.#parts.store.close();
    await this.#parts.lock.release();
  }

  #assertOpen(): void {
    if (this.#closePromise !== undefined) throw this.#closedError();
  }

  #closedError(): LogError {
    return new LogError('closed', `The log in ${this.#parts.store.directory} is closed.`);
  }
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
