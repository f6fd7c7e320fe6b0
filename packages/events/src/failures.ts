import type { Failure } from './encode.js';

/** The events that were not stored: all of them counted, the first ones listed. */
export class Failures {
  readonly #most: number;
  readonly list: Failure[] = [];
  count = 0;

  constructor(most: number) {
    this.#most = most;
  }

  /** `describe` is only called for a failure that is listed. */
  add(index: number, offset: number, time: bigint, describe: () => string): void {
    this.count++;
    if (this.list.length < this.#most) this.list.push({ index, offset, time, error: describe() });
  }
}
