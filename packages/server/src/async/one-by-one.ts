/** Work that is done one piece after the other. */
export interface Turns {
  /**
   * Runs `work` when everything before it is over, however that ended. Within it nothing else may
   * be run here: it would wait for itself.
   */
  run<T>(work: () => Promise<T>): Promise<T>;
}

/** The same for each of many things: work on one waits for nothing that is done to another. */
export interface TurnsFor<K> {
  run<T>(thing: K, work: () => Promise<T>): Promise<T>;
}

/** Turns within this process, in the order in which the work came. */
export class OneByOne implements Turns {
  #last: Promise<unknown> = Promise.resolve();

  run<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#last.then(work);
    this.#last = result.catch(() => undefined);
    return result;
  }
}

/** Turns for each thing within this process. */
export class OneByOneFor<K> implements TurnsFor<K> {
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
