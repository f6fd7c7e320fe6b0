/** A running request. */
interface RunningRequest {
  readonly signal: AbortSignal;
  /** Call it when the request is over. */
  readonly end: () => void;
}

/**
 * The requests in progress. Closing the engine waits for them and stops requests that take too
 * long.
 */
export class RunningRequests {
  /** Functions that stop a request, one for each. */
  readonly #stops = new Set<() => void>();
  #idle: () => void = () => undefined;

  /** @param outer stops the request too */
  begin(outer: AbortSignal | undefined): RunningRequest {
    const stopping = new AbortController();
    const stop = (): void => stopping.abort();
    if (outer?.aborted === true) stop();
    outer?.addEventListener('abort', stop, { once: true });
    this.#stops.add(stop);
    const end = (): void => {
      outer?.removeEventListener('abort', stop);
      this.#stops.delete(stop);
      if (this.#stops.size === 0) this.#idle();
    };
    return { signal: stopping.signal, end };
  }

  async run<T>(outer: AbortSignal | undefined, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const { signal, end } = this.begin(outer);
    try {
      return await work(signal);
    } finally {
      end();
    }
  }

  /** Waits until none runs; after the time, stops the rest. */
  async finish(milliseconds: number): Promise<void> {
    if (this.#stops.size === 0) return;
    const idle = new Promise<void>((resolve) => (this.#idle = resolve));
    const late = setTimeout(this.#idle, milliseconds);
    await idle;
    clearTimeout(late);
    for (const stop of this.#stops) stop();
  }
}
