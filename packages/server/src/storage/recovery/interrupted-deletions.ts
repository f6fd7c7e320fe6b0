import type { Engine } from '@millrace/engine';
import { runEvery } from '../../run-every.js';
import type { StoredDataset } from '../fields/dataset.js';
import { unfinishedDeletions } from '../tables/all-tables.js';

/** How often an engine that came back is asked whether it has ended the deletions it was in. */
const ASK_MILLISECONDS = 500;

/**
 * A deletion that the end of the engine or of the server cut short goes on in the engine when it is back, without a word
 * to anybody. Until it is through, this tells of its dataset again and again that queries may see other events now.
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
    // Those that have ended since are told of for the last time.
    for (const id of new Set([...before, ...this.#going])) this.#datasets.get(id)?.changed();
    if (this.#going.length === 0) this.#rest();
  }

  #rest(): void {
    void this.#stopAsking?.();
    this.#stopAsking = undefined;
  }
}
