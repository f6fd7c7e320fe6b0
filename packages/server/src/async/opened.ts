/** What has been opened, to be closed in reverse: at the end, or when a later step fails. */
export class Opened {
  readonly #closers: (() => Promise<void> | void)[] = [];

  add(close: () => Promise<void> | void): void {
    this.#closers.push(close);
  }

  /**
   * A second call finds nothing left to close. What cannot be closed keeps nothing else open.
   * @throws the first failure, when everything has been tried
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
   * Runs the steps that open; closes what they had opened when one fails, whose error is the one
   * that is thrown.
   */
  static async during<T>(steps: (opened: Opened) => Promise<T>): Promise<T> {
    const opened = new Opened();
    try {
      return await steps(opened);
    } catch (error) {
      await opened.close().catch(() => undefined);
      throw error;
    }
  }
}
