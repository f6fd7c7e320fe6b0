/** A look at something that others change: one serves all who ask before it begins. */
export class SharedLook<T> {
  readonly #look: () => Promise<T>;
  #running: Promise<unknown> = Promise.resolve();
  #next: Promise<T> | undefined;

  constructor(look: () => Promise<T>) {
    this.#look = look;
  }

  /** What there is, with everything that was there before the call. */
  now(): Promise<T> {
    // Whoever comes while a look is under way needs another one: that one may have seen what was
    // before.
    this.#next ??= this.#running.then(() => {
      const look = this.#look();
      this.#next = undefined;
      this.#running = look.catch(() => undefined);
      return look;
    });
    return this.#next;
  }
}
