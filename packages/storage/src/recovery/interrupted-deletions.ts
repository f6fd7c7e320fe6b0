import type { Engine } from '@millrace/engine';
import { runEvery } from '@millrace/runtime/async/run-every';
import type { StoredDataset } from '../fields/dataset.js';
import { unfinishedDeletions } from '../tables/all-tables.js';

/** How often a restarted engine is queried for unfinished deletions. */
const ASK_MILLISECONDS = 500;

/**
 * A deletion interrupted by the end of the engine or of the server resumes when the engine is back,
 * without reporting its end. Until then, this marks its dataset as changed repeatedly, because
 * queries may see different events by now.
 */
export class InterruptedDeletions {
  readonly #engine: Engine;
  readonly #datasets: ReadonlyMap<number, StoredDataset>;
  readonly #stopListening: () => void;
  #unfinishedDeletions: readonly number[] = [];
  #stopAsking: (() => Promise<void>) | undefined;

  constructor(engine: Engine, datasets: ReadonlyMap<number, StoredDataset>) {
    this.#engine = engine;
    this.#datasets = datasets;
    this.#stopListening = engine.onReady(() => {
      this.#stopAsking ??= runEvery(ASK_MILLISECONDS, () => this.#ask());
    });
  }

  stop(): void {
    this.#stopListening();
    this.#rest();
  }

  /** Retries until the engine responds. */
  async #ask(): Promise<void> {
    const before = this.#unfinishedDeletions;
    this.#unfinishedDeletions = await unfinishedDeletions(this.#engine);
    // Datasets whose deletions have ended since are marked once again.
    for (const id of new Set([...before, ...this.#unfinishedDeletions])) this.#datasets.get(id)?.invalidate();
    if (this.#unfinishedDeletions.length === 0) this.#rest();
  }

  #rest(): void {
    void this.#stopAsking?.();
    this.#stopAsking = undefined;
  }
}
