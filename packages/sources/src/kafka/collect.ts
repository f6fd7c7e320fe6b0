/** An iterator that can be read with a time limit; the next value stays pending. */
export class TimedReader<T> {
  readonly #iterator: AsyncIterator<T>;
  #next: Promise<IteratorResult<T>> | undefined;

  constructor(values: AsyncIterable<T>) {
    this.#iterator = values[Symbol.asyncIterator]();
  }

  /** The next value; `late` if it takes longer, `end` if there is none. */
  async read(milliseconds: number): Promise<{ readonly value: T } | 'late' | 'end'> {
    this.#next ??= this.#iterator.next();
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<'late'>((resolve) => {
      timer = setTimeout(() => resolve('late'), milliseconds);
    });
    try {
      const got = await Promise.race([this.#next, late]);
      if (got === 'late') return 'late';
      this.#next = undefined;
      return got.done === true ? 'end' : { value: got.value };
    } finally {
      clearTimeout(timer);
    }
  }

  /** Ends the iterator. A pending value is dropped. */
  close(): void {
    this.#next?.catch(() => undefined);
    void this.#iterator.return?.();
  }
}
