/** Stack of opened resources, closed in reverse order: at the end, or when a later step fails. */
export class CloseStack {
  readonly #closers: (() => Promise<void> | void)[] = [];

  add(close: () => Promise<void> | void): void {
    this.#closers.push(close);
  }

  /**
   * Closes everything, even if some of it fails. A second call does nothing.
   * @throws the first failure, after all closers have run
   */
  async close(): Promise<void> {
    const failures: unknown[] = [];
    for (let close = this.#closers.pop(); close !== undefined; close = this.#closers.pop()) {
      try {
        await close();
      } catch (error) {
        failures.push(error);
      }
    }
    if (failures.length > 0) throw failures[0];
  }

  /**
   * Runs steps that open resources. When one fails, closes the opened ones and rethrows the error.
   */
  static async run<T>(steps: (opened: CloseStack) => Promise<T>): Promise<T> {
    const opened = new CloseStack();
    try {
      return await steps(opened);
    } catch (error) {
      await opened.close().catch(() => undefined);
      throw error;
    }
  }
}
