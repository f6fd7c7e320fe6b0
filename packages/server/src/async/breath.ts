/** Longest that work on a large answer goes on before others get their turn, milliseconds. */
const longest = 15;

/** Takes the steps of long work with a breath between them. */
export async function taken<T>(steps: Generator<void, T>, breath: Breath): Promise<T> {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    await breath.take();
  }
}

/** Lets everybody else have a turn between the parts of long work. */
export class Breath {
  #since = performance.now();

  /** Call it between two parts; waits only if the parts since the last wait took long. */
  async take(): Promise<void> {
    if (performance.now() - this.#since < longest) return;
    await new Promise((resolve) => setImmediate(resolve));
    this.#since = performance.now();
  }
}
