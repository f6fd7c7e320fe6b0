interface Waiting<T> {
  readonly who: T;
  readonly go: () => void;
}

/**
 * Runs a limited number of things at once. The others wait in order of arrival, but those that are
 * urgent when a slot becomes free go first.
 */
export class Slots<T> {
  readonly #urgent: (who: T) => boolean;
  readonly #waiting: Waiting<T>[] = [];
  #free: number;

  constructor(atOnce: number, urgent: (who: T) => boolean) {
    this.#free = atOnce;
    this.#urgent = urgent;
  }

  /** Runs `work` when there is a slot for it. */
  async run<R>(who: T, work: () => Promise<R>): Promise<R> {
    if (this.#free > 0) this.#free--;
    else await new Promise<void>((go) => this.#waiting.push({ who, go }));
    try {
      return await work();
    } finally {
      this.#pass();
    }
  }

  #pass(): void {
    const urgent = this.#waiting.findIndex(({ who }) => this.#urgent(who));
    const [next] = this.#waiting.splice(Math.max(urgent, 0), 1);
    if (next === undefined) this.#free++;
    else next.go();
  }
}
