import { EngineError } from '@millrace/engine';

/** A dataset was deleted that somebody reads, or is about to. */
export class DatasetDeleted extends EngineError {
  constructor() {
    super('unknown-table', 'the dataset was deleted');
  }
}

interface Reading {
  readonly signal: AbortSignal;
  /** The error that a failure stands for. */
  meant(error: unknown): unknown;
  over(): void;
}

/**
 * Who reads which dataset. The engine removes a table only when nobody reads it, so whoever reads a
 * dataset that is deleted has to stop.
 */
export class Readers {
  readonly #present: { has(datasetId: number): boolean };
  /** Stops each reader of a dataset. */
  readonly #stops = new Map<number, Set<() => void>>();

  /** @param present the datasets that can be read */
  constructor(present: { has(datasetId: number): boolean }) {
    this.#present = present;
  }

  /** Stops everybody who reads a dataset. It must no longer be present, or others may begin. */
  stop(datasetId: number): void {
    for (const stop of this.#stops.get(datasetId) ?? []) stop();
  }

  /**
   * Reads datasets until the outer signal aborts or one of them is deleted.
   * @param read asks the engine, and stops when its signal aborts
   * @throws DatasetDeleted if one of them is deleted, or was before; whatever `read` throws
   */
  async during<T>(
    datasetIds: readonly number[],
    outer: AbortSignal,
    read: (signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    const reading = this.#begin(datasetIds, outer);
    try {
      return await read(reading.signal);
    } catch (error) {
      throw reading.meant(error);
    } finally {
      reading.over();
    }
  }

  /** The same for what is read in pieces, until the last piece has been taken. */
  async *stream(
    datasetIds: readonly number[],
    outer: AbortSignal,
    read: (signal: AbortSignal) => AsyncIterable<Uint8Array>,
  ): AsyncGenerator<Uint8Array> {
    const reading = this.#begin(datasetIds, outer);
    try {
      yield* read(reading.signal);
    } catch (error) {
      throw reading.meant(error);
    } finally {
      reading.over();
    }
  }

  #begin(datasetIds: readonly number[], outer: AbortSignal): Reading {
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
      meant: (error) => (signal.aborted && !outer.aborted ? new DatasetDeleted() : error),
      over: () => {
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
