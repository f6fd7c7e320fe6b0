import { EngineError } from '@millrace/engine';

/** A dataset was deleted before or during a read. */
export class DatasetDeleted extends EngineError {
  constructor() {
    super('unknown-table', 'the dataset was deleted');
  }
}

interface ActiveRead {
  readonly signal: AbortSignal;
  /** Converts a failure to the error for the caller. */
  toCallerError(error: unknown): unknown;
  end(): void;
}

/**
 * Active readers of each dataset. The engine removes a table only when it has no readers, so
 * readers of a deleted dataset have to stop.
 */
export class ActiveReaders {
  readonly #present: { has(datasetId: number): boolean };
  /** Stops each reader of a dataset. */
  readonly #stops = new Map<number, Set<() => void>>();

  /** @param present the datasets that can be read */
  constructor(present: { has(datasetId: number): boolean }) {
    this.#present = present;
  }

  /**
   * Stops all readers of a dataset. The dataset must no longer be present, or new readers may
   * begin.
   */
  stop(datasetId: number): void {
    for (const stop of this.#stops.get(datasetId) ?? []) stop();
  }

  /**
   * Reads datasets until the outer signal aborts or one of them is deleted.
   * @param read queries the engine, and stops when its signal aborts
   * @throws DatasetDeleted if one of them is deleted, or was before; errors of `read`
   */
  async run<T>(
    datasetIds: readonly number[],
    outer: AbortSignal,
    read: (signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    const reading = this.#begin(datasetIds, outer);
    try {
      return await read(reading.signal);
    } catch (error) {
      throw reading.toCallerError(error);
    } finally {
      reading.end();
    }
  }

  /** Runs a streaming read, which stays registered until its last chunk was taken. */
  async *stream(
    datasetIds: readonly number[],
    outer: AbortSignal,
    read: (signal: AbortSignal) => AsyncIterable<Uint8Array>,
  ): AsyncGenerator<Uint8Array> {
    const reading = this.#begin(datasetIds, outer);
    try {
      yield* read(reading.signal);
    } catch (error) {
      throw reading.toCallerError(error);
    } finally {
      reading.end();
    }
  }

  #begin(datasetIds: readonly number[], outer: AbortSignal): ActiveRead {
    if (!datasetIds.every((id) => this.#present.has(id))) throw new DatasetDeleted();
    const controller = new AbortController();
    const { signal } = controller;
    const stop = (): void => controller.abort();
    if (outer.aborted) stop();
    else outer.addEventListener('abort', stop, { once: true });
    for (const id of datasetIds) {
      const stops = this.#stops.get(id) ?? new Set();
      this.#stops.set(id, stops.add(stop));
    }
    return {
      signal,
      toCallerError: (error) => (signal.aborted && !outer.aborted ? new DatasetDeleted() : error),
      end: () => {
        outer.removeEventListener('abort', stop);
        for (const id of datasetIds) {
          const stops = this.#stops.get(id);
          stops?.delete(stop);
          if (stops?.size === 0) this.#stops.delete(id);
        }
      },
    };
  }
}
