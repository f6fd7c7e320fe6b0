import { type Engine, EngineError, printSettings, type Settings } from '@millrace/engine';
import type { Logger } from 'pino';
import { failureDetail } from '../failure-detail.js';
import { tablesWithout } from './all-tables.js';
import type { SettingsRecord } from './settings-record.js';
import { alterSettings, tableSettings } from './table-of-dataset.js';

interface SettingsUpgradeDependencies {
  readonly engine: Engine;
  readonly record: SettingsRecord;
  readonly logger: Logger;
}

/**
 * Gives tables made by an earlier version the settings they would be made with today. It works in
 * the background, table by table, and begins when the engine is ready; a table that fails is tried
 * again after the next start of the engine or of this server.
 *
 * The metadata record which settings all tables are known to have, written when the last table has
 * them: a start that finds the current settings there queries no table. After a crash the next
 * start checks all tables and changes the rest. So a setting that an operator changes on a remote
 * server stays until a version requires another value, and settings that no version requires are
 * never touched.
 */
export class SettingsUpgrade {
  readonly #deps: SettingsUpgradeDependencies;
  #stopListening: () => void = () => undefined;
  #runPromise = Promise.resolve();
  #isStopped = false;

  constructor(deps: SettingsUpgradeDependencies) {
    this.#deps = deps;
  }

  /**
   * Runs at every start of the engine from now on, even before the previous run has noticed the
   * engine's end.
   */
  start(): void {
    this.#stopListening = this.#deps.engine.onReady(() => {
      this.#runPromise = this.#runPromise.then(() => this.run());
    });
  }

  /** Runs once. Failures are logged, never thrown. */
  async run(): Promise<void> {
    if (this.#isStopped) return;
    const { engine, record, logger } = this.#deps;
    try {
      const wanted = await tableSettings(engine);
      const text = printSettings(wanted);
      if ((await record.read()) === text) return;
      const began = performance.now();
      const datasets = await tablesWithout(engine, wanted);
      const failures = await this.#alter(datasets, wanted);
      if (this.#isStopped) return;
      if (failures.length > 0) throw failures[0]!;
      await record.write(text);
      if (datasets.length > 0)
        logger.info(
          { tables: datasets.length, seconds: Math.round(performance.now() - began) / 1000 },
          "applied this version's settings to existing tables",
        );
    } catch (error) {
      if (this.#isStopped) return;
      logger.warn(
        failureDetail(error),
        "could not apply this version's settings to existing tables; retrying at the next start",
      );
    }
  }

  /** Begins no other table; resolves when the current one is done. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#stopListening();
    await this.#runPromise;
  }

  /** Changes the tables and returns the failures: one table's failure does not stop the others. */
  async #alter(datasets: readonly number[], wanted: Settings): Promise<readonly unknown[]> {
    const failures: unknown[] = [];
    for (const id of datasets) {
      if (this.#isStopped) break;
      try {
        await alterSettings(this.#deps.engine, id, wanted);
      } catch (error) {
        // A dataset that was deleted in the meantime is no failure.
        if (!(error instanceof EngineError && error.code === 'unknown-table')) failures.push(error);
      }
    }
    return failures;
  }
}
