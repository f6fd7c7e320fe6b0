import type { Failure } from './encode.js';

/** The events that were not stored: their number, and the first ones in detail. */
export class Failures {
  readonly #max: number;
  readonly list: Failure[] = [];
  count = 0;

  constructor(max: number) {
    this.#max = max;
  }

  /**
   * `describe` is only called for a failure that is listed.
   * @param isLast it says that others are missing, and is listed in the place of another one if
   * need be
   */
  add(index: number, offset: number, time: bigint, describe: () => string, isLast = false): void {
    this.count++;
    if (isLast && this.list.length === this.#max) this.list.pop();
    if (this.list.length < this.#max) this.list.push({ index, offset, time, error: describe() });
  }
}
