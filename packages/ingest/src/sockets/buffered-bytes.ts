import { CorruptDataError } from '../bytes/corrupt-data-error.js';

/** Bounds the memory of incomplete messages of all connections. */
export class BufferedBytes<Holder> {
  readonly #most: number;
  readonly #held = new Map<Holder, number>();
  #all = 0;

  constructor(most: number) {
    this.#most = most;
  }

  /**
   * Sets the buffered bytes of a connection. The connection with the most may go on above the
   * limit: otherwise none could finish.
   * @throws CorruptDataError if all connections together exceed the limit
   */
  note(holder: Holder, bytes: number): void {
    this.#all += bytes - (this.#held.get(holder) ?? 0);
    this.#held.set(holder, bytes);
    if (this.#all <= this.#most || [...this.#held.values()].every((other) => other <= bytes)) return;
    throw new CorruptDataError('unfinished messages of all connections take too much memory; send it again later');
  }

  forget(holder: Holder): void {
    this.#all -= this.#held.get(holder) ?? 0;
    this.#held.delete(holder);
  }
}
