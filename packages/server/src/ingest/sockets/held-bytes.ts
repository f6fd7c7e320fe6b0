import { DamagedError } from '../bytes/damaged-error.js';

/**
 * What connections hold of messages that are not complete, so that many together take no more
 * memory than they may.
 */
export class HeldBytes<Holder> {
  readonly #most: number;
  readonly #held = new Map<Holder, number>();
  #all = 0;

  constructor(most: number) {
    this.#most = most;
  }

  /**
   * Notes how much a connection holds. The one that holds most may go on: otherwise nobody would
   * ever be done.
   * @throws DamagedError if all hold too much
   */
  note(holder: Holder, bytes: number): void {
    this.#all += bytes - (this.#held.get(holder) ?? 0);
    this.#held.set(holder, bytes);
    if (this.#all <= this.#most || [...this.#held.values()].every((other) => other <= bytes)) return;
    throw new DamagedError('unfinished messages of all connections take too much memory; send it again later');
  }

  forget(holder: Holder): void {
    this.#all -= this.#held.get(holder) ?? 0;
    this.#held.delete(holder);
  }
}
