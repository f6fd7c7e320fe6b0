/** Work that is done one piece after the other, in the order in which it came. */
export class OneByOne {
  #last: Promise<unknown> = Promise.resolve();

  /** Runs `work` when everything before it is over, however that ended. Within it nothing else may be run here: it would wait for itself. */
  run<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#last.then(work);
    this.#last = result.catch(() => undefined);
    return result;
  }
}

/** The same for each of many things: work on one waits for nothing that is done to another. */
export class OneByOneFor<K> {
  readonly #last = new Map<K, Promise<unknown>>();

  /** Runs `work` when everything before it on the same thing is over, however that ended. */
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
