import { monitorEventLoopDelay } from 'node:perf_hooks';

/** Milliseconds between checks. Each check wakes the process. */
const resolution = 100;
/** There are no checks unless the lag has been read within the last minutes. */
const idleMilliseconds = 5 * 60_000;

const slotCount = 4;

/** The maximum delay of timers in the last minute: the same for all who read it. */
export class EventLoopLag {
  readonly #delay = monitorEventLoopDelay({ resolution });
  readonly #slotMilliseconds: number;
  /** Maxima of the last parts of the minute, nanoseconds; the newest last. */
  #slots: readonly number[] = [];
  #rotation: NodeJS.Timeout | undefined;
  #stop: NodeJS.Timeout | undefined;

  /** @param slotMilliseconds a quarter of the time that the lag covers */
  constructor(slotMilliseconds = 15_000) {
    this.#slotMilliseconds = slotMilliseconds;
  }

  /** Seconds; 0 at the first call, which begins the checks. */
  read(): number {
    this.#begin();
    const longest = Math.max(...this.#slots, this.#delay.max);
    // Node records the time between two checks, not how late the second was.
    return Math.max(0, longest / 1e6 - resolution) / 1000;
  }

  #begin(): void {
    this.#delay.enable();
    clearTimeout(this.#stop);
    this.#stop = setTimeout(() => this.close(), idleMilliseconds).unref();
    this.#rotation ??= setInterval(() => this.#rotate(), this.#slotMilliseconds).unref();
  }

  #rotate(): void {
    this.#slots = [...this.#slots, this.#delay.max].slice(1 - slotCount);
    this.#delay.reset();
  }

  /** Ends the checks; they begin again with the next call of `read`. */
  close(): void {
    this.#delay.disable();
    this.#delay.reset();
    clearTimeout(this.#stop);
    clearInterval(this.#rotation);
    this.#rotation = undefined;
    this.#slots = [];
  }
}
