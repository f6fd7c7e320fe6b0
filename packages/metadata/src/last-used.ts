import type { Clock } from './clock.js';

/**
 * Maximum age of a stored last use before it is written again: a page sends requests every few
 * seconds, and a write for each would be too many.
 */
export const noteMilliseconds = 5 * 60_000;

/** Last uses, in milliseconds since the epoch; the database has them some minutes later. */
export class LastUsedTracker {
  readonly #clock: Clock;
  readonly #useTimes = new Map<string, number>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * Records a use.
   * @param written the last use according to the database; 0 if unknown
   * @returns whether to write this use to the database: once per time step, however many uses it
   * has
   */
  note(id: string, written = 0): boolean {
    const now = this.#clock();
    const before = this.#useTimes.get(id) ?? written;
    this.#useTimes.set(id, now);
    return Math.floor(now / noteMilliseconds) !== Math.floor(before / noteMilliseconds);
  }

  /** The later of the use in memory and the written one. */
  latest(id: string, written: number): number {
    return Math.max(this.#useTimes.get(id) ?? 0, written);
  }

  ids(): Iterable<string> {
    return this.#useTimes.keys();
  }

  forget(id: string): void {
    this.#useTimes.delete(id);
  }
}
