/** What has been opened, to be closed in reverse: at the end, or when a later step fails. */
export class Opened {
  readonly #closers: (() => Promise<void> | void)[] = [];

  add(close: () => Promise<void> | void): void {
    this.#closers.push(close);
  }

  /** A second call finds nothing left to close. */
  async close(): Promise<void> {
    for (let close = this.#closers.pop(); close !== undefined; close = this.#closers.pop()) await close();
  }

  /** Runs the steps that open; closes what they had opened when one fails. */
  static async during<T>(steps: (opened: Opened) => Promise<T>): Promise<T> {
    const opened = new Opened();
    try {
      return await steps(opened);
    } catch (error) {
      await opened.close();
      throw error;
    }
  }
}
