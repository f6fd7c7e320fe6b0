import { type Engine, EngineError } from '@millrace/engine';
import type { Logger } from 'pino';
import type { Database } from '@millrace/metadata/database';
import { failureDetail } from './failure-detail.js';
import type { StoredDataset } from './fields/dataset.js';
import type { Flusher } from './insert/flusher.js';
import { rewriteOldSpellings } from './tables/rewrite-canonical-json.js';
import type { IdleMerges } from './tables/idle-merges.js';
import type { WordIndex } from './term-index/term-index.js';

interface SpellingUpgradeDependencies {
  readonly engine: Engine;
  readonly database: Database;
  readonly datasets: ReadonlyMap<number, Pick<StoredDataset, 'deletions' | 'invalidate'>>;
  readonly flusher: Pick<Flusher, 'flush'>;
  readonly merges: Pick<IdleMerges, 'interrupt'>;
  /** Absent if there is no term index. */
  readonly words: Pick<WordIndex, 'lock' | 'release'> | undefined;
  readonly logger: Logger;
}

/**
 * Rewrites arrays and objects that an earlier version stored in the client's form to the canonical
 * form, so that searches find their texts, and equal values are equal texts. A migration of the
 * metadata listed the datasets of that time. They are rewritten in the background, one by one, and
 * removed from the list when done; after a crash or failure the next start of the engine continues
 * with the same dataset.
 */
export class CanonicalJsonMigration {
  readonly #deps: SpellingUpgradeDependencies;
  #stopListening: () => void = () => undefined;
  #runPromise = Promise.resolve();
  #isStopped = false;

  constructor(deps: SpellingUpgradeDependencies) {
    this.#deps = deps;
  }

  /** Runs at every start of the engine from now on. */
  start(): void {
    this.#stopListening = this.#deps.engine.onReady(() => {
      this.#runPromise = this.#runPromise.then(() => this.run());
    });
  }

  /** Runs once. Failures are logged, never thrown. */
  async run(): Promise<void> {
    const { database, logger } = this.#deps;
    try {
      const old = await database.selectFrom('old_spellings').select('dataset_id').execute();
      for (const { dataset_id: id } of old) {
        if (this.#isStopped) return;
        await this.#rewrite(id);
        if (this.#isStopped) return;
        await database.deleteFrom('old_spellings').where('dataset_id', '=', id).execute();
      }
      if (old.length > 0)
        logger.info({ datasets: old.length }, 'converted arrays and objects of an earlier version to canonical form');
    } catch (error) {
      if (this.#isStopped) return;
      logger.warn(
        failureDetail(error),
        'could not convert arrays and objects of an earlier version to canonical form; retrying at the next start',
      );
    }
  }

  /** Begins no further step; resolves when the current one is done. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#stopListening();
    await this.#runPromise;
  }

  /**
   * The engine runs a rewrite like a deletion: they are serialized, and neither runs during a
   * merge.
   */
  async #rewrite(id: number): Promise<void> {
    const { engine, datasets, flusher, merges, words } = this.#deps;
    const dataset = datasets.get(id);
    if (dataset === undefined) return;
    await dataset.deletions.run(async () => {
      try {
        // Batches of the earlier version in the log are inserted first.
        await flusher.flush(id);
        await merges.interrupt(id);
        // Arrays have other terms afterwards, because escaped characters are replaced.
        await words?.lock(id);
        await rewriteOldSpellings(engine, id, () => !this.#isStopped);
      } catch (error) {
        // A dataset that was deleted in the meantime is no failure.
        if (!(error instanceof EngineError && error.code === 'unknown-table')) throw error;
      } finally {
        words?.release(id);
        dataset.invalidate();
      }
    });
  }
}
