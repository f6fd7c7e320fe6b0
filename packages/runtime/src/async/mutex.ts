/** Work that is done one piece after the other. */
export interface Lock {
  /**
   * Runs `work` after all earlier work has ended, successfully or not. `work` must not call `run`
   * itself: it would wait for itself.
   */
  run<T>(work: () => Promise<T>): Promise<T>;
}

/** A mutex per key: work on one key does not wait for work on others. */
export interface KeyedLock<K> {
  run<T>(thing: K, work: () => Promise<T>): Promise<T>;
}

/** Mutex within this process: runs tasks one at a time, in arrival order. */
export class Mutex implements Lock {
  #last: Promise<unknown> = Promise.resolve();

  run<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#last.then(work);
    this.#last = result.catch(() => undefined);
    return result;
  }
}

/** A mutex per key within this process. */
export class KeyedMutex<K> implements KeyedLock<K> {
  readonly #last = new Map<K, Promise<unknown>>();

  run<T>(thing: K, work: () => Promise<T>): Promise<T> {
    const result = (this.#last.get(thing) ?? Promise.resolve()).then(work);
    const last = result
      .catch(() => undefined)
      .finally(() => {
        if (this.#last.get(thing) === last) this.#last.delete(thing);
      });
    this.#last.set(thing, last);
    return result;
  }
}
