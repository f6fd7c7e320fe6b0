import type { Failure } from './encode.js';

/** The events that were not stored: all of them counted, the first ones listed. */
export class Failures {
  readonly #most: number;
  readonly list: Failure[] = [];
  count = 0;

  constructor(most: number) {
    this.#most = most;
  }

  /**
   * `describe` is only called for a failure that is listed.
   * @param isLast it says that others are missing, and is listed in the place of another one if
   * need be
   */
  add(index: number, offset: number, time: bigint, describe: () => string, isLast = false): void {
    this.count++;
    if (isLast && this.list.length === this.#most) this.list.pop();
    if (this.list.length < this.#most) this.list.push({ index, offset, time, error: describe() });
  }
}
