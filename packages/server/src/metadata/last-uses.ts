import type { Clock } from './clock.js';

/**
 * How old the note of a last use may become before it is written again: a page asks every few
 * seconds, and a write for each would be one too many.
 */
export const noteMilliseconds = 5 * 60_000;

/**
 * When things were used last, in milliseconds since the epoch; the database has it some minutes
 * later.
 */
export class LastUses {
  readonly #clock: Clock;
  readonly #used = new Map<string, number>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * Notes that something is used.
   * @param written when it was used last, as the database has it; 0 if that is not known
   * @returns whether that is to be written: by whole steps, so that the same step is written once,
   * however many uses come in it
   */
  note(id: string, written = 0): boolean {
    const now = this.#clock();
    const before = this.#used.get(id) ?? written;
    this.#used.set(id, now);
    return Math.floor(now / noteMilliseconds) !== Math.floor(before / noteMilliseconds);
  }

  /** The later one of what is known here and what was written. */
  latest(id: string, written: number): number {
    return Math.max(this.#used.get(id) ?? 0, written);
  }

  ids(): Iterable<string> {
    return this.#used.keys();
  }

  forget(id: string): void {
    this.#used.delete(id);
  }
}
