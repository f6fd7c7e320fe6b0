import type { Engine } from '@millrace/engine';
import type { Logger } from 'pino';
import { runEvery } from '@millrace/runtime/async/run-every';
import { failureDetail } from '../failure-detail.js';
import type { StoredDataset } from '../fields/dataset.js';
import type { StorageLimits } from '../storage-limits.js';
import { isDatasetTable, datasetIdOfTable } from '../tables/all-tables.js';
import { queryNumbers } from '../tables/query.js';
import { quotedTable } from '../tables/table-of-dataset.js';
import { dropOldWords } from './term-table.js';
import type { WordIndex } from './term-index.js';

/** During continuous ingest, this many times as many events accumulate before they are indexed. */
const whileBusy = 32;
/**
 * How long a few unindexed events of a large dataset may wait: one late event alone makes a search
 * read the whole time range between it and the others.
 */
const longMilliseconds = 10 * 60_000;
/** Pause after a failure. */
const restMilliseconds = 60_000;
/** How often the sizes of all datasets are read, and old terms are dropped. */
const sizesMilliseconds = 60 * 60_000;

interface Dependencies {
  readonly engine: Engine;
  readonly logger: Logger;
  readonly limits: StorageLimits;
  readonly index: WordIndex;
  readonly datasets: ReadonlyMap<number, StoredDataset>;
  /** The watermark of a dataset. */
  readonly watermark: (datasetId: number) => bigint;
  /** Whether the backlog is so large that indexing has to wait. */
  readonly busy: () => boolean;
}

/**
 * Adds the terms of events to the index once a dataset is idle, in steps of a fraction of a second.
 * So ingest pays nothing for it, and a search reads the newest events without an index. Tables of
 * earlier versions get their terms this way, too.
 */
export class IndexBuilder {
  readonly #deps: Dependencies;
  #stopTimer: () => Promise<void> = async () => undefined;
  readonly #stopListening: () => void;
  /**
   * Datasets with events that are not indexed, each with its next check, by `performance.now()`.
   */
  readonly #candidates = new Map<number, number>();
  /** Datasets with new events since the last check, or with many that are not indexed. */
  #soon = new Set<number>();
  #sizesAt = 0;
  #isRunning = false;
  #isStopped = false;

  constructor(deps: Dependencies) {
    this.#deps = deps;
    this.#stopListening = deps.engine.onReady(() => (this.#sizesAt = 0));
  }

  /**
   * Call it once the backlog has every batch of the log that is not in the engine. It loads the
   * state of large datasets at once: otherwise the first query of each would wait for that, four
   * statements.
   */
  start(): void {
    const { limits, logger } = this.#deps;
    this.#stopTimer = runEvery(
      limits.mergeAfter / 4,
      () => this.#check(),
      (error) => logger.debug({ ...failureDetail(error) }, 'could not extend the term index'),
      { atOnce: true },
    );
  }

  /** Whether the events due soon are all covered. */
  get done(): boolean {
    return !this.#isRunning && this.#soon.size === 0 && this.#sizesAt > performance.now();
  }

  /** Events came. */
  add(datasetId: number): void {
    this.#candidates.set(datasetId, 0);
    this.#soon.add(datasetId);
  }

  /** Begins no more steps, and waits for the running one. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#stopListening();
    await this.#stopTimer();
  }

  async #check(): Promise<void> {
    if (this.#isStopped || this.#deps.busy()) return;
    this.#isRunning = true;
    try {
      // The resulting work can wait for the next check: a start has other work for the engine.
      if (this.#sizesAt <= performance.now()) return await this.#askSizes();
      for (const [datasetId, after] of this.#candidates) if (after <= performance.now()) await this.#cover(datasetId);
    } finally {
      this.#isRunning = false;
    }
  }

  async #askSizes(): Promise<void> {
    const { engine, datasets, limits, index } = this.#deps;
    const sizes = await queryNumbers(
      engine,
      `SELECT ${datasetIdOfTable('table')} AS id, toInt64(sum(rows)) FROM system.parts WHERE active AND ${isDatasetTable(engine, 'table')} GROUP BY id`,
      2,
    );
    const large = sizes.flatMap(([id, rows]) =>
      id !== undefined && rows !== undefined && rows >= limits.wordIndexRows && datasets.has(Number(id))
        ? [Number(id)]
        : [],
    );
    for (const id of large) {
      this.add(id);
      await index.learn(id);
    }
    for (const id of large) {
      const [[oldest] = []] = await queryNumbers(
        engine,
        `SELECT toUnixTimestamp64Nano(min(_time)) FROM ${quotedTable(id)}`,
        1,
      );
      if (oldest !== undefined) await dropOldWords(engine, id, oldest);
    }
    this.#sizesAt = performance.now() + sizesMilliseconds;
  }

  async #cover(datasetId: number): Promise<void> {
    const { index, datasets, watermark, busy, limits, logger } = this.#deps;
    const fewRows = limits.wordIndexRows;
    const dataset = datasets.get(datasetId);
    if (dataset === undefined) {
      this.#candidates.delete(datasetId);
      this.#soon.delete(datasetId);
      return;
    }
    const { rows, since, cameAt, exists } = await index.state(datasetId);
    const now = performance.now();
    const isQuiet = now - cameAt >= limits.mergeAfter;
    const isLate = exists && now - since >= longMilliseconds;
    if (rows < fewRows && !isLate) this.#soon.delete(datasetId);
    if (rows === 0) this.#candidates.delete(datasetId);
    const isDue = rows >= fewRows * whileBusy || (rows >= fewRows && isQuiet) || isLate;
    if (this.#isStopped || busy()) return;
    try {
      if (isDue) await index.cover(dataset, watermark(datasetId), () => !this.#isStopped && !busy());
      else if (isQuiet && exists) await index.keep(datasetId);
    } catch (error) {
      this.#soon.delete(datasetId);
      this.#candidates.set(datasetId, performance.now() + restMilliseconds);
      logger.debug({ dataset: datasetId, ...failureDetail(error) }, 'could not extend the term index');
    }
  }
}
