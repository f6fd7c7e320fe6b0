import type { Engine } from '@millrace/engine';
import type { Logger } from 'pino';
import { runEvery } from '../../async/run-every.js';
import { failureDetail } from '../failure-detail.js';
import type { StoredDataset } from '../fields/dataset.js';
import type { StorageLimits } from '../storage-limits.js';
import { aboutDatasets, datasetIn } from '../tables/all-tables.js';
import { queryNumbers } from '../tables/ask.js';
import { quotedTable } from '../tables/table-of-dataset.js';
import { dropOldWords } from './word-table.js';
import type { WordIndex } from './word-index.js';

/**
 * While events come in all the time, this many times as many are not covered as otherwise, before
 * it is done in between.
 */
const whileBusy = 32;
/**
 * For so long a few events of a dataset that has many are not covered: one late event alone makes a
 * search read all that lies between it and the others.
 */
const longMilliseconds = 10 * 60_000;
/** After a failure there is no other try for so long. */
const restMilliseconds = 60_000;
/** How often the sizes of all datasets are asked for, and words that are too old looked for. */
const sizesMilliseconds = 60 * 60_000;

interface Dependencies {
  readonly engine: Engine;
  readonly logger: Logger;
  readonly limits: StorageLimits;
  readonly index: WordIndex;
  readonly datasets: ReadonlyMap<number, StoredDataset>;
  /** The position up to which no batch of a dataset is on its way. */
  readonly settled: (datasetId: number) => bigint;
  /** Whether so much waits to be stored that this has to wait. */
  readonly busy: () => boolean;
}

/**
 * Adds the words of events to the index once no more come in, in steps of a fraction of a second.
 * So ingest pays nothing for it, and a search reads the events that came last as if there were no
 * index. Tables of earlier versions get their words this way, too.
 */
export class CoverWords {
  readonly #deps: Dependencies;
  #stopLooking: () => Promise<void> = async () => undefined;
  readonly #stopListening: () => void;
  /**
   * Datasets with events that are not covered, each with the time before which there is no need to
   * look, by `performance.now()`.
   */
  readonly #candidates = new Map<number, number>();
  /**
   * Datasets into which events came since the last look, or which have many that are not covered.
   */
  #soon = new Set<number>();
  #sizesAt = 0;
  #running = false;
  #stopped = false;

  constructor(deps: Dependencies) {
    this.#deps = deps;
    this.#stopListening = deps.engine.onReady(() => (this.#sizesAt = 0));
  }

  /**
   * Call it once the backlog has every batch of the log that is not in the engine. It finds out at
   * once what is known of the words of large datasets: otherwise the first question about each
   * would wait for that, four statements.
   */
  start(): void {
    const { limits, logger } = this.#deps;
    this.#stopLooking = runEvery(
      limits.mergeAfter / 4,
      () => this.#look(),
      (error) => logger.debug({ ...failureDetail(error) }, 'words of events were not added to their index'),
      { atOnce: true },
    );
  }

  /** Whether everything that is to be covered soon has been. */
  get done(): boolean {
    return !this.#running && this.#soon.size === 0 && this.#sizesAt > performance.now();
  }

  /** Events came. */
  added(datasetId: number): void {
    this.#candidates.set(datasetId, 0);
    this.#soon.add(datasetId);
  }

  /** Begins no more steps, and waits for the one that runs. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#stopListening();
    await this.#stopLooking();
  }

  async #look(): Promise<void> {
    if (this.#stopped || this.#deps.busy()) return;
    this.#running = true;
    try {
      // What there is to do then can wait for the next look: others want the engine at a start.
      if (this.#sizesAt <= performance.now()) return await this.#askSizes();
      for (const [datasetId, after] of this.#candidates) if (after <= performance.now()) await this.#cover(datasetId);
    } finally {
      this.#running = false;
    }
  }

  async #askSizes(): Promise<void> {
    const { engine, datasets, limits, index } = this.#deps;
    const sizes = await queryNumbers(
      engine,
      `SELECT ${datasetIn('table')} AS id, toInt64(sum(rows)) FROM system.parts WHERE active AND ${aboutDatasets('table')} GROUP BY id`,
      2,
    );
    const large = sizes.flatMap(([id, rows]) =>
      id !== undefined && rows !== undefined && rows >= limits.wordIndexRows && datasets.has(Number(id))
        ? [Number(id)]
        : [],
    );
    for (const id of large) {
      this.added(id);
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
    const { index, datasets, settled, busy, limits, logger } = this.#deps;
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
    if (this.#stopped || busy()) return;
    try {
      if (isDue) await index.cover(dataset, settled(datasetId), () => !this.#stopped && !busy());
      else if (isQuiet && exists) await index.keep(datasetId);
    } catch (error) {
      this.#soon.delete(datasetId);
      this.#candidates.set(datasetId, performance.now() + restMilliseconds);
      logger.debug({ dataset: datasetId, ...failureDetail(error) }, 'words of events were not added to their index');
    }
  }
}
