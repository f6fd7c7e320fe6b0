import { type Log, LogError } from '@millrace/log';
import type { Logger } from 'pino';
import { runEvery } from '../async/run-every.js';
import { writeMark } from './frame.js';
import type { GivenUp } from './given-up.js';
import type { Backlog } from './insert/backlog.js';
import type { StorageLimits } from './storage-limits.js';

interface LogKeeperOptions {
  readonly log: Log;
  readonly backlog: Backlog;
  readonly logger: Logger;
  readonly limits: StorageLimits;
  /** How much room the disk of the log has; without it, enough. */
  readonly freeBytes?: (() => Promise<number>) | undefined;
  /** Awaited before anything is given up that only the engine has then. Never rejects. */
  readonly beforeRelease: () => Promise<void>;
  readonly givenUp: Pick<GivenUp, 'catchUp' | 'note'>;
}

const checkMilliseconds = 10_000;
/**
 * The newest segment goes too when nothing has come for as long as batches are kept: it may be as
 * large as all events of a small server. With less than this it stays, and saves a sync.
 */
const leastBytes = 256 * 1024;
/**
 * A log that has failed counts as out of order until it is known to work. Clients that only send
 * events to a healthy server would never find that out, so it is tried.
 */
const tryAgainMilliseconds = 2000;
const lookMilliseconds = 500;

/**
 * Lets the log delete segments whose batches are all in the engine. They are kept a while longer
 * than needed, as a second copy of what the engine may be merging, unless they take too much room.
 * It also has a log that has failed try itself again.
 */
export class LogKeeper {
  readonly #options: LogKeeperOptions;
  #stops: readonly (() => Promise<void>)[] = [];
  /** Up to which position everything was stored at which time, oldest first. */
  readonly #history: { readonly at: number; readonly upTo: bigint }[] = [];
  #isShort = false;

  constructor(options: LogKeeperOptions) {
    this.#options = options;
  }

  /** Call it once the backlog has every batch of the log that is not in the engine. */
  start(): void {
    this.#stops = [
      runEvery(checkMilliseconds, () => this.#check()),
      runEvery(tryAgainMilliseconds, () => this.#options.log.tryAgain()),
      runEvery(lookMilliseconds, () => this.#look()),
    ];
  }

  /** Why no more events are to be taken, although the log may be able to write them. */
  get refusal(): LogError | undefined {
    return this.#isShort
      ? new LogError(
          'disk-full',
          `less than ${this.#options.limits.diskReserveBytes} bytes are left on the disk of the log`,
        )
      : undefined;
  }

  /** Every position up to this one is in the engine, or will never be. */
  get #storedUpTo(): bigint {
    const { log, backlog } = this.#options;
    return (backlog.oldest ?? log.stats().durablePosition + 1n) - 1n;
  }

  /**
   * Releases everything that is stored: for a clean stop, and when the log or its disk is full.
   * Never rejects.
   */
  async makeRoom(): Promise<void> {
    this.#history.length = 0;
    await this.#release(this.#storedUpTo);
  }

  stop(): void {
    for (const stop of this.#stops) void stop();
  }

  async #look(): Promise<void> {
    const { freeBytes, logger, limits } = this.#options;
    if (freeBytes === undefined) return;
    const free = await freeBytes();
    const isShort = free < limits.diskReserveBytes;
    if (isShort && !this.#isShort)
      logger.warn({ free, reserved: limits.diskReserveBytes }, 'the disk is full: no events are taken');
    this.#isShort = isShort;
    if (isShort) await this.makeRoom();
  }

  async #check(): Promise<void> {
    const { log, limits, givenUp } = this.#options;
    await this.#noted(givenUp.catchUp());
    if (log.stats().bytes > limits.logKeepBytes) return this.makeRoom();
    // The monotonic clock: a wall clock that is set back would keep the log for that much longer.
    const now = performance.now();
    this.#history.push({ at: now, upTo: this.#storedUpTo });
    let upTo: bigint | undefined;
    while (this.#history[0] !== undefined && this.#history[0].at <= now - limits.logKeepMilliseconds)
      upTo = this.#history.shift()?.upTo;
    if (upTo !== undefined) await this.#release(upTo, true);
  }

  /** A full disk is no reason to keep what makes room on it. */
  async #noted(noting: Promise<void>): Promise<void> {
    await noting.catch((error: unknown) => {
      this.#options.logger.warn({ err: error }, 'what the log gives up could not be noted');
    });
  }

  /** @param wholly whether what is kept may begin anew, which takes a write */
  async #release(upTo: bigint, wholly = false): Promise<void> {
    const { log, beforeRelease, givenUp } = this.#options;
    await beforeRelease();
    await this.#noted(givenUp.note(upTo));
    try {
      await log.release(upTo);
      await this.#noted(givenUp.catchUp());
      if (wholly) await this.#renew(upTo);
    } catch (error) {
      this.#options.logger.error({ err: error }, 'the log could not delete a segment');
    }
  }

  /** The newest segment goes as well. Not without a note: a start would miss it. */
  async #renew(upTo: bigint): Promise<void> {
    const { log, givenUp } = this.#options;
    const { bytes, lastPosition } = log.stats();
    if (bytes <= leastBytes || upTo < lastPosition) return;
    await givenUp.note(upTo, { newest: true });
    await log.renew(upTo, writeMark());
  }
}
