/** Readers-writer lock: many tasks together, or one exclusively. */
export class Gate {
  #passing = 0;
  #closed: Promise<void> | undefined;
  #empty: () => void = () => undefined;

  get closed(): boolean {
    return this.#closed !== undefined;
  }

  async pass<T>(task: () => Promise<T>): Promise<T> {
    while (this.#closed !== undefined) await this.#closed;
    this.#passing++;
    try {
      return await task();
    } finally {
      this.#passing--;
      if (this.#passing === 0) this.#empty();
    }
  }

  /** Runs a task alone. Only one caller at a time may use this. */
  async alone(task: () => Promise<void>): Promise<void> {
    let open = (): void => undefined;
    this.#closed = new Promise((resolve) => (open = resolve));
    try {
      if (this.#passing > 0) await new Promise<void>((resolve) => (this.#empty = resolve));
      await task();
    } finally {
      this.#closed = undefined;
      open();
    }
  }
}
