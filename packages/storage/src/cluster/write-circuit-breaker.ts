import type { EngineError } from '@millrace/engine';

/** Shorter failures are retried. */
const passingMilliseconds = 1000;
/** After this long without an attempt, one is allowed. */
const restMilliseconds = 2000;

/**
 * Circuit breaker: whether an engine reports repeatedly that it can store nothing of a dataset,
 * because its replicas have no Keeper or no quorum. Then clients get the error at once instead of
 * after the timeout. An unreachable leader does not count: it is replaced soon.
 */
export class WriteCircuitBreaker {
  /** Time of the first failure since the last success. */
  #since: number | undefined;
  #last = -Infinity;
  #tryCount = 0;

  get isSo(): boolean {
    const now = performance.now();
    const isLasting = this.#since !== undefined && now - this.#since >= passingMilliseconds;
    return isLasting && (this.#tryCount > 0 || now - this.#last < restMilliseconds);
  }

  /** Counts a running insert, with all its attempts. */
  async run<T>(work: Promise<T>): Promise<T> {
    this.#tryCount++;
    try {
      return await work;
    } finally {
      this.#tryCount--;
    }
  }

  recordFailure({ code, detail }: EngineError): void {
    if (code !== 'unavailable' || !detail.startsWith('Code: ')) return;
    this.#last = performance.now();
    this.#since ??= this.#last;
  }

  recordSuccess(): void {
    this.#since = undefined;
  }
}
