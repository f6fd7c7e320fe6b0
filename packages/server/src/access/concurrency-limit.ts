/** How many things each caller does at once. */
export class ConcurrencyLimit {
  readonly #limit: number;
  readonly #running = new Map<string, number>();
  #total = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Things running for all callers. */
  get total(): number {
    return this.#total;
  }

  /** Lets the caller begin one more; what is returned ends it. `undefined` when the caller has enough running. */
  enter(caller: string): (() => void) | undefined {
    const running = this.#running.get(caller) ?? 0;
    if (running >= this.#limit) return undefined;
    this.#running.set(caller, running + 1);
    this.#total++;
    let left = false;
    return () => {
      if (left) return;
      left = true;
      this.#total--;
      const now = this.#running.get(caller)! - 1;
      if (now === 0) this.#running.delete(caller);
      else this.#running.set(caller, now);
    };
  }
}
