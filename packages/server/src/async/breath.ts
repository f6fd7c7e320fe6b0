/**
 * Longest that long work goes on in one turn of the event loop, whoever does it, in milliseconds.
 */
const longest = 10;

/** Takes the steps of long work with a breath between them. */
export async function taken<T>(steps: Generator<void, T>, breath: Breath): Promise<T> {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    await breath.take();
  }
}

/**
 * Who does long work takes turns: one goes on in each turn of the event loop, between everything
 * else that is to be done there. Without that, each of fifty long answers would take its time in
 * every turn.
 */
class LongWork {
  /** When long work began in this turn of the loop; undefined while there was none. */
  #began: number | undefined;
  readonly #waiting: (() => void)[] = [];
  #turnIsComing = false;

  /** Whether there is time left in this turn. */
  get hasTime(): boolean {
    if (this.#began !== undefined) return performance.now() - this.#began < longest;
    this.#begin();
    return true;
  }

  wait(): Promise<void> {
    this.#expectTurn();
    return new Promise((resolve) => this.#waiting.push(resolve));
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
    const next = this.#waiting.shift();
    if (next === undefined) return;
    this.#begin();
    next();
  }
}

const longWork = new LongWork();

/** Lets everybody else have a turn between the parts of long work. Make it when the work begins. */
export class Breath {
  constructor() {
    // From here on time counts.
    void longWork.hasTime;
  }

  /** Call it between two parts; waits only when long work has taken its time in this turn. */
  async take(): Promise<void> {
    if (!longWork.hasTime) await longWork.wait();
  }
}
