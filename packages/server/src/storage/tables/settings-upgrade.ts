import { type Engine, EngineError, printSettings, type Settings } from '@millrace/engine';
import type { Logger } from 'pino';
import { tablesWithout } from './all-tables.js';
import type { SettingsRecord } from './settings-record.js';
import { alterSettings, tableSettings } from './table.js';

export interface SettingsUpgradeDependencies {
  readonly engine: Engine;
  readonly record: SettingsRecord;
  readonly logger: Logger;
}

/**
 * Gives tables that an earlier version made the settings they would be made with today. It works beside everything else, table by table, and
 * begins when the engine is ready; one that fails is tried again when the engine has started again, or this server.
 *
 * Which settings all tables are known to have is in the metadata, written when the last of them has them: a start that finds there what it wants
 * asks no table. Wherever a crash ends this, the next start asks them all and changes the rest. So what somebody else sets on a server of a cluster
 * stays until a version wants another value, and settings that no version wants are never touched.
 */
export class SettingsUpgrade {
  readonly #deps: SettingsUpgradeDependencies;
  #stopListening: () => void = () => undefined;
  #running = Promise.resolve();
  #stopped = false;

  constructor(deps: SettingsUpgradeDependencies) {
    this.#deps = deps;
  }

  /** From now on, whenever the engine starts: also when that is before it is known here that it ended. */
  start(): void {
    this.#stopListening = this.#deps.engine.onReady(() => {
      this.#running = this.#running.then(() => this.run());
    });
  }

  /** Once. What goes wrong is logged, never thrown. */
  async run(): Promise<void> {
    if (this.#stopped) return;
    const { engine, record, logger } = this.#deps;
    try {
      const wanted = await tableSettings(engine);
      const text = printSettings(wanted);
      if ((await record.read()) === text) return;
      const datasets = await tablesWithout(engine, wanted);
      const failures = await this.#alter(datasets, wanted);
      if (this.#stopped) return;
      if (failures.length > 0) throw failures[0]!;
      await record.write(text);
      if (datasets.length > 0)
        logger.info({ tables: datasets.length }, 'tables of an earlier version have the settings of this one');
    } catch (error) {
      if (this.#stopped) return;
      const detail = error instanceof EngineError ? { code: error.code, detail: error.detail } : { err: error };
      logger.warn(
        detail,
        'tables of an earlier version keep its settings for now; it is tried again at the next start',
      );
    }
  }

  /** Resolves when the table is done at which it is; begins no other. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#stopListening();
    await this.#running;
  }

  /** What went wrong; one table does not keep the others from it. */
  async #alter(datasets: readonly number[], wanted: Settings): Promise<readonly unknown[]> {
    const failures: unknown[] = [];
    for (const id of datasets) {
      if (this.#stopped) break;
      try {
        await alterSettings(this.#deps.engine, id, wanted);
      } catch (error) {
        // The dataset went meanwhile.
        if (!(error instanceof EngineError && error.code === 'unknown-table')) failures.push(error);
      }
    }
    return failures;
  }
}
