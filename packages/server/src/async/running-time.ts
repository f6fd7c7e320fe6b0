/**
 * How often the time is read if nobody asks for it, and the most that is counted between two
 * readings; milliseconds.
 */
const readEvery = 250;
const mostBetween = 1000;

/**
 * The time during which this process runs. While the machine is paused, the process stopped or its
 * thread busy, the system's clock goes on but nobody can do anything. At most a second of such a
 * pause is counted, whether timers or what has arrived meanwhile are handled first after it.
 */
export class RunningTime {
  #milliseconds = 0;
  #last = performance.now();
  #reading: NodeJS.Timeout | undefined;

  /** Milliseconds since an arbitrary moment. Exact only between `start` and `stop`. */
  now(): number {
    const at = performance.now();
    this.#milliseconds += Math.min(at - this.#last, mostBetween);
    this.#last = at;
    return this.#milliseconds;
  }

  start(): void {
    this.#reading ??= setInterval(() => this.now(), readEvery).unref();
  }

  stop(): void {
    clearInterval(this.#reading);
    this.#reading = undefined;
  }
}
