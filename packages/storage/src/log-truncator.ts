import { type Log, LogError } from '@millrace/log';
import type { Logger } from 'pino';
import { runEvery } from '@millrace/runtime/async/run-every';
import { writeMark } from './frame.js';
import type { TruncationCheckpoint } from './truncation-checkpoint.js';
import type { Backlog } from './insert/backlog.js';
import type { StorageLimits } from './storage-limits.js';

interface LogKeeperOptions {
  readonly log: Log;
  readonly backlog: Backlog;
  readonly logger: Logger;
  readonly limits: StorageLimits;
  /** Free space on the log's disk; unlimited if left out. */
  readonly freeBytes?: (() => Promise<number>) | undefined;
  /**
   * Awaited before the log is truncated, so that only the engine has the batches. Never rejects.
   */
  readonly beforeRelease: () => Promise<void>;
  readonly checkpoint: Pick<TruncationCheckpoint, 'begin' | 'catchUp' | 'note'>;
}

const checkMilliseconds = 10_000;
/**
 * The newest segment is deleted too after an idle period as long as batches are kept: it may be as
 * large as all events of a small server. With less than this it stays, and saves a sync.
 */
const minBytes = 256 * 1024;
/**
 * A failed log counts as broken until a retry succeeds. Clients send no events to an unhealthy
 * server, so the log itself retries.
 */
const tryAgainMilliseconds = 2000;
/** Between looks at the free space while events arrive, and while there is too little. */
const lookMilliseconds = 500;

/**
 * Truncates the log: deletes segments whose batches are all in the engine. They are kept a while
 * longer, as a second copy of data that the engine may be merging, unless they take too much space.
 * It also makes a failed log retry.
 */
export class LogTruncator {
  readonly #options: LogKeeperOptions;
  #stops: readonly (() => Promise<void>)[] = [];
  /** Stored positions by time, oldest first. */
  readonly #history: { readonly at: number; readonly upTo: bigint }[] = [];
  /** Free space at the last look, and how it may have shrunk since. */
  #space = { free: Infinity, pending: 0, appended: 0 };
  #wasShort = false;
  /** The next look at the free space; undefined while nothing arrives. */
  #nextLook: NodeJS.Timeout | undefined;
  #isStopped = false;

  constructor(options: LogKeeperOptions) {
    this.#options = options;
  }

  /** Call it once the backlog has every batch of the log that is not in the engine. */
  start(): void {
    this.#stops = [
      runEvery(checkMilliseconds, () => this.#check()),
      runEvery(tryAgainMilliseconds, () => this.#options.log.tryAgain()),
    ];
    this.#lookSoon();
  }

  /** Why ingest is stopped, although the log may still be writable. */
  get refusal(): LogError | undefined {
    return this.isShort
      ? new LogError(
          'disk-full',
          `less than ${this.#options.limits.diskReserveBytes} bytes are left on the disk of the log, besides what pending events need`,
        )
      : undefined;
  }

  /**
   * Whether the free space is used up, except for the reserve and what pending batches need in the
   * engine: at most their bytes in memory, and the file through which the engine reads an insert.
   */
  get isShort(): boolean {
    const { backlog, limits } = this.#options;
    const { free, pending, appended } = this.#space;
    // Batches inserted since the last look have moved from the backlog to the disk.
    const needed = Math.max(pending, backlog.bytes);
    return free - appended < limits.diskReserveBytes + needed + Math.min(needed, limits.insertBytes);
  }

  /** Every position up to this one is in the engine, or will never be. */
  get #storedUpTo(): bigint {
    const { log, backlog } = this.#options;
    return (backlog.oldest ?? log.stats().durablePosition + 1n) - 1n;
  }

  /**
   * Truncates the log up to the last stored batch: for a clean stop, and when the log or its disk
   * is full. Never rejects.
   */
  async makeRoom(): Promise<void> {
    this.#history.length = 0;
    await this.#release(this.#storedUpTo);
  }

  /**
   * Call it once a batch is durable, before it is acknowledged. Never rejects.
   * @param bytes size of the batch in the log
   */
  begin(bytes: number): Promise<void> {
    this.#space.appended += bytes;
    this.#lookSoon();
    return this.#noteWrites(this.#options.checkpoint.begin());
  }

  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#nextLook);
    for (const stop of this.#stops) void stop();
  }

  #lookSoon(): void {
    if (this.#nextLook !== undefined || this.#isStopped || this.#options.freeBytes === undefined) return;
    this.#nextLook = setTimeout(() => {
      const look = this.#checkSpace().catch(() => undefined);
      void look.finally(() => {
        this.#nextLook = undefined;
        if (this.isShort) this.#lookSoon();
      });
    }, lookMilliseconds).unref();
  }

  async #checkSpace(): Promise<void> {
    const { freeBytes, logger, limits, backlog } = this.#options;
    if (freeBytes === undefined) return;
    const free = await freeBytes();
    this.#space = { free, pending: backlog.bytes, appended: 0 };
    const { isShort } = this;
    if (isShort && !this.#wasShort)
      logger.warn(
        { free, reserved: limits.diskReserveBytes, pending: backlog.bytes },
        'disk full: ingest stopped until space is free; trim a dataset or delete other files',
      );
    this.#wasShort = isShort;
    if (isShort) await this.makeRoom();
  }

  async #check(): Promise<void> {
    const { log, limits, checkpoint } = this.#options;
    this.#lookSoon();
    await this.#noteWrites(checkpoint.catchUp());
    if (log.stats().bytes > limits.logKeepBytes) return this.makeRoom();
    // The monotonic clock: after setting back a wall clock, the log would be kept for that much
    // longer.
    const now = performance.now();
    this.#history.push({ at: now, upTo: this.#storedUpTo });
    let upTo: bigint | undefined;
    while (this.#history[0] !== undefined && this.#history[0].at <= now - limits.logKeepMilliseconds)
      upTo = this.#history.shift()?.upTo;
    if (upTo !== undefined) await this.#release(upTo, true);
  }

  /**
   * If the checkpoint fails, on a full disk for example, truncation continues, because it frees
   * space.
   */
  async #noteWrites(noting: Promise<void>): Promise<void> {
    await noting.catch((error: unknown) => {
      this.#options.logger.warn({ err: error }, 'log truncation checkpoint failed');
    });
  }

  /** @param wholly whether the newest segment may be replaced too, which takes a write */
  async #release(upTo: bigint, wholly = false): Promise<void> {
    const { log, beforeRelease, checkpoint } = this.#options;
    await beforeRelease();
    await this.#noteWrites(checkpoint.note(upTo));
    try {
      await log.release(upTo);
      await this.#noteWrites(checkpoint.catchUp());
      if (wholly) await this.#renew(upTo);
    } catch (error) {
      this.#options.logger.error({ err: error }, 'could not delete a log segment');
    }
  }

  /**
   * Deletes the newest segment too, but only after recording it: otherwise a start would report it
   * as missing.
   */
  async #renew(upTo: bigint): Promise<void> {
    const { log, checkpoint } = this.#options;
    const { bytes, lastPosition } = log.stats();
    if (bytes <= minBytes || upTo < lastPosition) return;
    await checkpoint.note(upTo, { newest: true });
    await log.renew(upTo, writeMark());
  }
}
