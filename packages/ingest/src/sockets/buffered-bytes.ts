import { CorruptDataError } from '../bytes/corrupt-data-error.js';

/** Bounds the memory of incomplete messages of all connections. */
export class BufferedBytes<Holder> {
  readonly #max: number;
  readonly #bufferedBytes = new Map<Holder, number>();
  #all = 0;

  constructor(max: number) {
    this.#max = max;
  }

  /**
   * Sets the buffered bytes of a connection. The connection with the most may go on above the
   * limit: otherwise none could finish.
   * @throws CorruptDataError if all connections together exceed the limit
   */
  note(holder: Holder, bytes: number): void {
    this.#all += bytes - (this.#bufferedBytes.get(holder) ?? 0);
    this.#bufferedBytes.set(holder, bytes);
    if (this.#all <= this.#max || [...this.#bufferedBytes.values()].every((other) => other <= bytes)) return;
    throw new CorruptDataError('unfinished messages of all connections take too much memory; send it again later');
  }

  forget(holder: Holder): void {
    this.#all -= this.#bufferedBytes.get(holder) ?? 0;
    this.#bufferedBytes.delete(holder);
  }
}
