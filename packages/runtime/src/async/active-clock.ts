/**
 * How often the time is read without calls, and the maximum counted between two reads;
 * milliseconds.
 */
const readEvery = 250;
const maxGapMilliseconds = 1000;

/**
 * The time during which this process can run. While the machine is paused, the process stopped or
 * its thread busy, the system's clock continues but the process cannot act. At most a second of
 * such a pause is counted, whether timers or pending input are handled first after it.
 */
export class ActiveClock {
  #milliseconds = 0;
  #last = performance.now();
  #timer: NodeJS.Timeout | undefined;

  /** Milliseconds since an arbitrary moment. Exact only between `start` and `stop`. */
  now(): number {
    const at = performance.now();
    this.#milliseconds += Math.min(at - this.#last, maxGapMilliseconds);
    this.#last = at;
    return this.#milliseconds;
  }

  start(): void {
    this.#timer ??= setInterval(() => this.now(), readEvery).unref();
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}
