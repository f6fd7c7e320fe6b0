/** Maximum milliseconds of long work per tick of the event loop, over all tasks. */
const longest = 10;

/** Takes the steps of long work with a breath between them. */
export async function runYielding<T>(steps: Generator<void, T>, yielder: Yielder): Promise<T> {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    await yielder.maybeYield();
  }
}

/**
 * Lets long tasks take turns: one runs per tick of the event loop, between all other work of the
 * loop. Otherwise each of fifty long responses would use its time in every tick.
 */
class LongWork {
  /** When long work began in this turn of the loop; undefined while there was none. */
  #began: number | undefined;
  readonly #waiters: (() => void)[] = [];
  #turnIsComing = false;

  /** Whether there is time left in this turn. */
  get hasTime(): boolean {
    if (this.#began !== undefined) return performance.now() - this.#began < longest;
    this.#begin();
    return true;
  }

  wait(): Promise<void> {
    this.#expectTurn();
    return new Promise((resolve) => this.#waiters.push(resolve));
  }

  #begin(): void {
    this.#began = performance.now();
    this.#expectTurn();
  }

  #expectTurn(): void {
    if (this.#turnIsComing) return;
    this.#turnIsComing = true;
    setImmediate(() => this.#turn());
  }

  #turn(): void {
    this.#turnIsComing = false;
    this.#began = undefined;
    const next = this.#waiters.shift();
    if (next === undefined) return;
    this.#begin();
    next();
  }
}

const longWork = new LongWork();

/** Yields to the event loop between chunks of a long task. Create it when the task begins. */
export class Yielder {
  constructor() {
    // From here on time counts.
    void longWork.hasTime;
  }

  /** Call it between two parts; waits only when long work has taken its time in this turn. */
  async maybeYield(): Promise<void> {
    if (!longWork.hasTime) await longWork.wait();
  }
}
