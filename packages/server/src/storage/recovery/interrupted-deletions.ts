import type { Engine } from '@millrace/engine';
import { runEvery } from '../../async/run-every.js';
import type { StoredDataset } from '../fields/dataset.js';
import { unfinishedDeletions } from '../tables/all-tables.js';

/**
 * How often an engine that has started again is asked whether its unfinished deletions are done.
 */
const ASK_MILLISECONDS = 500;

/**
 * A deletion cut short by the end of the engine or of the server goes on when the engine is back,
 * without reporting to anybody. Until it is done, this marks its dataset as changed again and
 * again, because queries may see different events by now.
 */
export class InterruptedDeletions {
  readonly #engine: Engine;
  readonly #datasets: ReadonlyMap<number, StoredDataset>;
  readonly #stopListening: () => void;
  #going: readonly number[] = [];
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

  /** An engine that does not answer is asked again. */
  async #ask(): Promise<void> {
    const before = this.#going;
    this.#going = await unfinishedDeletions(this.#engine);
    // Datasets whose deletions have ended since are marked for the last time.
    for (const id of new Set([...before, ...this.#going])) this.#datasets.get(id)?.changed();
    if (this.#going.length === 0) this.#rest();
  }

  #rest(): void {
    void this.#stopAsking?.();
    this.#stopAsking = undefined;
  }
}
