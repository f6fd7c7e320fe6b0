import { httpError } from '../errors.js';

/**
 * Who runs next: a number of turns at once, and between those who wait the turns go round, so that one who asks a lot makes
 * nobody else wait for more than one turn of theirs.
 */
export class Turns {
  #free: number;
  /** Who waits, in the order in which they are served next. */
  readonly #waiting = new Map<string, Set<() => void>>();

  constructor(atOnce: number) {
    this.#free = atOnce;
  }

  /**
   * Runs `work` when it is its turn.
   * @throws HttpError `query-cancelled` when the signal aborts before
   */
  async run<T>(who: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    await this.#take(who, signal);
    try {
      return await work();
    } finally {
      this.#pass();
    }
  }

  #take(who: string, signal: AbortSignal): Promise<void> | void {
    if (signal.aborted) throw httpError('query-cancelled', {});
    if (this.#free > 0) {
      this.#free--;
      return;
    }
    return new Promise((resolve, reject) => {
      const queue = this.#waiting.get(who) ?? new Set();
      this.#waiting.set(who, queue);
      const start = (): void => {
        signal.removeEventListener('abort', leave);
        resolve();
      };
      const leave = (): void => {
        queue.delete(start);
        if (queue.size === 0 && this.#waiting.get(who) === queue) this.#waiting.delete(who);
        reject(httpError('query-cancelled', {}));
      };
      signal.addEventListener('abort', leave, { once: true });
      queue.add(start);
    });
  }

  #pass(): void {
    for (const [who, queue] of this.#waiting) {
      const [start] = queue;
      if (start === undefined) continue;
      queue.delete(start);
      // To the end of the round.
      this.#waiting.delete(who);
      if (queue.size > 0) this.#waiting.set(who, queue);
      start();
      return;
    }
    this.#free++;
  }
}
