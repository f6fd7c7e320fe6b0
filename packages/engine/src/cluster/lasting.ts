/** For how long things have been so, on the monotonic clock. */
export class Lasting {
  readonly #since = new Map<string, number>();

  /** Milliseconds since it was first said to be so; 0 if it is not, or was not the last time. */
  for(what: string, isSo: boolean): number {
    if (!isSo) {
      this.#since.delete(what);
      return 0;
    }
    const now = performance.now();
    const since = this.#since.get(what) ?? now;
    this.#since.set(what, since);
    return now - since;
  }
}
