import type { Log } from './log.js';

/**
 * Listeners that are called when the engine is ready. An exception in one affects neither the
 * others nor the engine.
 */
export class ReadyListeners {
  readonly #listeners = new Set<() => void>();
  readonly #log: Log;

  constructor(log: Log) {
    this.#log = log;
  }

  /**
   * @param isReady whether the engine is ready now; if so, the listener is called soon after this
   * call
   * @returns a function that removes it
   */
  add(listener: () => void, isReady: boolean): () => void {
    this.#listeners.add(listener);
    if (isReady) queueMicrotask(() => this.#listeners.has(listener) && this.#tell(listener));
    return () => this.#listeners.delete(listener);
  }

  tellAll(): void {
    for (const listener of this.#listeners) this.#tell(listener);
  }

  #tell(listener: () => void): void {
    try {
      listener();
    } catch (error) {
      this.#log('error', 'a listener that waits for the engine to be ready failed', { reason: String(error) });
    }
  }
}
