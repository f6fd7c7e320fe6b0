import type { Log } from '@millrace/log';
import type { Logger } from 'pino';
import type { Flusher } from './flusher.js';

export interface LogKeeperOptions {
  readonly log: Log;
  readonly flusher: Flusher;
  readonly logger: Logger;
  /** Batches stay in the log for so long after they were stored, milliseconds: longer than the engine keeps merged parts. */
  readonly keepMilliseconds: number;
  /** Above so many bytes stored batches are let go at once. */
  readonly keepBytes: number;
}

const checkMilliseconds = 10_000;

/**
 * Lets the log delete segments whose batches are all in the engine. They are kept a while longer than needed, as a second
 * copy of what the engine may be merging, unless they take too much room.
 */
export class LogKeeper {
  readonly #options: LogKeeperOptions;
  readonly #timer: NodeJS.Timeout;
  /** What was stored when, oldest first. */
  readonly #history: { readonly at: number; readonly upTo: bigint }[] = [];

  constructor(options: LogKeeperOptions) {
    this.#options = options;
    this.#timer = setInterval(() => void this.#check(), checkMilliseconds);
    this.#timer.unref();
  }

  /** Every position up to this one is in the engine, or will never be. */
  get storedUpTo(): bigint {
    const { log, flusher } = this.#options;
    return (flusher.oldestWaiting ?? log.stats().durablePosition + 1n) - 1n;
  }

  /** Lets go of everything that is stored; for a clean stop. */
  async releaseAll(): Promise<void> {
    await this.#options.log.release(this.storedUpTo);
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  async #check(): Promise<void> {
    const { log, keepMilliseconds, keepBytes, logger } = this.#options;
    const now = Date.now();
    this.#history.push({ at: now, upTo: this.storedUpTo });
    try {
      if (log.stats().bytes > keepBytes) {
        this.#history.length = 0;
        await this.releaseAll();
        return;
      }
      let upTo: bigint | undefined;
      while (this.#history[0] !== undefined && this.#history[0].at <= now - keepMilliseconds)
        upTo = this.#history.shift()?.upTo;
      if (upTo !== undefined) await log.release(upTo);
    } catch (error) {
      logger.error({ err: error }, 'the log could not delete a segment');
    }
  }
}
