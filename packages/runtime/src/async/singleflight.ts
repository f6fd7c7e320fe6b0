/**
 * Loads a value that others change; one load serves all callers that wait before it begins
 * (singleflight).
 */
export class Singleflight<T> {
  readonly #look: () => Promise<T>;
  #currentRun: Promise<unknown> = Promise.resolve();
  #next: Promise<T> | undefined;

  constructor(look: () => Promise<T>) {
    this.#look = look;
  }

  /** The current value, including all changes before the call. */
  get(): Promise<T> {
    // A call during a load needs another one: the current load may have read older data.
    this.#next ??= this.#currentRun.then(() => {
      const look = this.#look();
      this.#next = undefined;
      this.#currentRun = look.catch(() => undefined);
      return look;
    });
    return this.#next;
  }
}
