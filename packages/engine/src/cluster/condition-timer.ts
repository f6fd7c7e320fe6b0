/** Measures how long conditions have held, on the monotonic clock. */
export class ConditionTimer {
  readonly #since = new Map<string, number>();

  /**
   * Milliseconds since the condition first held; 0 if it does not hold, or did not at the last
   * call.
   */
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
