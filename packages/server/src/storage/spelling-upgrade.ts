import { type Engine, EngineError } from '@millrace/engine';
import type { Logger } from 'pino';
import type { Database } from '../metadata/database.js';
import { failureDetail } from './failure-detail.js';
import type { StoredDataset } from './fields/dataset.js';
import type { Flusher } from './insert/flusher.js';
import { rewriteOldSpellings } from './tables/old-spellings.js';
import type { QuietMerges } from './tables/quiet-merges.js';
import type { WordIndex } from './words/word-index.js';

interface SpellingUpgradeDependencies {
  readonly engine: Engine;
  readonly database: Database;
  readonly datasets: ReadonlyMap<number, Pick<StoredDataset, 'deletions' | 'changed'>>;
  readonly flusher: Pick<Flusher, 'flush'>;
  readonly merges: Pick<QuietMerges, 'interrupt'>;
  /** Absent if there is no index of words. */
  readonly words: Pick<WordIndex, 'hold' | 'release'> | undefined;
  readonly logger: Logger;
}

/**
 * Rewrites arrays and objects that an earlier version stored as clients spelled them, so that texts
 * are found in them, and equal values are equal texts. A migration of the metadata noted the
 * datasets that there were then. They are looked through in the background, one by one, and struck
 * off when they are done; wherever a crash or a failure ends this, the next start of the engine
 * begins again with the dataset that it was at.
 */
export class SpellingUpgrade {
  readonly #deps: SpellingUpgradeDependencies;
  #stopListening: () => void = () => undefined;
  #running = Promise.resolve();
  #stopped = false;

  constructor(deps: SpellingUpgradeDependencies) {
    this.#deps = deps;
  }

  /** Runs at every start of the engine from now on. */
  start(): void {
    this.#stopListening = this.#deps.engine.onReady(() => {
      this.#running = this.#running.then(() => this.run());
    });
  }

  /** Runs once. Failures are logged, never thrown. */
  async run(): Promise<void> {
    const { database, logger } = this.#deps;
    try {
      const old = await database.selectFrom('old_spellings').select('dataset_id').execute();
      for (const { dataset_id: id } of old) {
        if (this.#stopped) return;
        await this.#rewrite(id);
        if (this.#stopped) return;
        await database.deleteFrom('old_spellings').where('dataset_id', '=', id).execute();
      }
      if (old.length > 0)
        logger.info({ datasets: old.length }, 'arrays and objects of an earlier version are in one spelling');
    } catch (error) {
      if (this.#stopped) return;
      logger.warn(
        failureDetail(error),
        'arrays and objects of an earlier version keep their spelling for now; it is tried again at the next start',
      );
    }
  }

  /** Begins nothing more; resolves when the current step is done. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#stopListening();
    await this.#running;
  }

  /**
   * A rewrite is to the engine what a deletion is: they take turns, and neither runs beside a
   * merge.
   */
  async #rewrite(id: number): Promise<void> {
    const { engine, datasets, flusher, merges, words } = this.#deps;
    const dataset = datasets.get(id);
    if (dataset === undefined) return;
    await dataset.deletions.run(async () => {
      try {
        // What the log has of the earlier version comes in first.
        await flusher.flush(id);
        await merges.interrupt(id);
        // Arrays have other words afterwards: what a backslash stood for.
        await words?.hold(id);
        await rewriteOldSpellings(engine, id, () => !this.#stopped);
      } catch (error) {
        // A dataset that was deleted meanwhile is no failure.
        if (!(error instanceof EngineError && error.code === 'unknown-table')) throw error;
      } finally {
        words?.release(id);
        dataset.changed();
      }
    });
  }
}
