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
