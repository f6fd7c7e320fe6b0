/** Readers-writer lock: many tasks together, or one exclusively. */
export class Gate {
  #passingCount = 0;
  #closePromise: Promise<void> | undefined;
  #empty: () => void = () => undefined;

  get closed(): boolean {
    return this.#closePromise !== undefined;
  }

  async pass<T>(task: () => Promise<T>): Promise<T> {
    while (this.#closePromise !== undefined) await this.#closePromise;
    this.#passingCount++;
    try {
      return await task();
    } finally {
      this.#passingCount--;
      if (this.#passingCount === 0) this.#empty();
    }
  }

  /** Runs a task alone. Only one caller at a time may use this. */
  async alone(task: () => Promise<void>): Promise<void> {
    let open = (): void => undefined;
    this.#closePromise = new Promise((resolve) => (open = resolve));
    try {
      if (this.#passingCount > 0) await new Promise<void>((resolve) => (this.#empty = resolve));
      await task();
    } finally {
      this.#closePromise = undefined;
      open();
    }
  }
}
