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
 * Lets long tasks take turns: together they run for a few milliseconds per turn of the event loop,
 * between all other work of the loop. Otherwise each of fifty long responses would use its time in
 * every turn. A task that waited runs first in its turn, so it may use all of the time; tasks that
 * need less share it, or thousands of them would wait for as many turns.
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
    this.#resumeNext();
  }

  #resumeNext(): void {
    if (this.#waiters.length === 0 || !this.hasTime) return;
    this.#waiters.shift()?.();
    // A microtask is queued behind the task, and the tick comes when the task waits again.
    queueMicrotask(() => process.nextTick(() => this.#resumeNext()));
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
