import type { DataHealth, DatasetSize, EventShards, StoredFields } from '../datasets/event-data.js';
import type { DatasetRef } from '../metadata/datasets.js';
import { Backlog } from './insert/backlog.js';
import { StoredDataset } from './fields/dataset.js';
import { Deletions } from './deletions.js';
import { Flusher } from './insert/flusher.js';
import { GivenUp } from './given-up.js';
import { Inserter } from './insert/inserter.js';
import { dataHealth, shardsAway } from './health-reasons.js';
import { Intake } from './intake.js';
import type { Accounts, EventStorage } from './event-storage.js';
import { InterruptedDeletions } from './recovery/interrupted-deletions.js';
import { Inventory } from './inventory/inventory.js';
import { LogKeeper } from './log-keeper.js';
import { OneByOneFor } from '../async/one-by-one.js';
import { Questions } from './questions.js';
import { Readers } from './readers.js';
import { ColdMoves } from './tables/cold-moves.js';
import { QuietMerges } from './tables/quiet-merges.js';
import { DatasetFields } from './fields/fields.js';
import { storedFields } from './fields/readings.js';
import { PartlyIn } from './insert/partly-in.js';
import { RefusedRetries } from './insert/refused-retries.js';
import { recover, type RecoveryReport } from './recovery/recovery.js';
import { runEvery } from '../async/run-every.js';
import { restoreDatasets } from './recovery/restore-datasets.js';
import type { StorageOptions } from './storage-options.js';
import { openStores, type Stores } from './stores.js';
import { SpellingUpgrade } from './spelling-upgrade.js';
import { SettingsUpgrade } from './tables/settings-upgrade.js';
import { eventShards, placed } from './placement.js';
import { createTable, dropTable } from './tables/table-of-dataset.js';
import { tableSize } from './tables/table-size.js';
import { verify, type VerifyReport } from './verify.js';
import { CoverWords } from './words/cover-words.js';
import { WordIndex } from './words/word-index.js';
import { dropWordTable, dropWordTables } from './words/word-table.js';

/**
 * Events at rest: the log in front, the engine behind it, and the parts that work between them.
 * Once `append` resolves, events are on disk, and every query that calls `flush` first sees them.
 */
export class Storage implements EventStorage, Accounts {
  readonly #options: StorageOptions & Stores;
  readonly #datasets: Map<number, StoredDataset>;
  readonly #backlog: Backlog;
  readonly #partlyIn = new PartlyIn();
  readonly #flusher: Flusher;
  readonly #keeper: LogKeeper;
  readonly #interrupted: InterruptedDeletions;
  readonly #merges: QuietMerges;
  readonly #settings: SettingsUpgrade;
  readonly #spellings: SpellingUpgrade;
  /** Undefined where no events move to a bucket. */
  #cold: ColdMoves | undefined;
  /** Batches that were refused before the start are tried again. */
  readonly retries: RefusedRetries;
  readonly #removals = new OneByOneFor<number>();
  /** Notices when events are gone that nobody deleted. */
  readonly inventory: Inventory;
  #stopExpiring: () => Promise<void> = async () => undefined;
  readonly words: WordIndex | undefined;
  readonly #covering: CoverWords | undefined;
  /** The way in for events. */
  readonly intake: Intake;
  /** The way to ask the engine about datasets. */
  readonly questions: Questions;
  /** Whoever reads datasets at length says so here, and is stopped when one of them is deleted. */
  readonly readers: Readers;
  /** The way out for events and columns. */
  readonly deletions: Deletions;
  readonly accounts: Accounts = this;
  readonly shards: EventShards;
  readonly knowsVersions = true;

  private constructor(
    options: StorageOptions & Stores,
    datasets: Map<number, StoredDataset>,
    backlog: Backlog,
    inventory: Inventory,
  ) {
    this.#options = options;
    this.shards = eventShards(options.engine);
    this.#datasets = datasets;
    this.#backlog = backlog;
    this.inventory = inventory;
    const { engine, log, logger, limits, fieldStore, answers, refused } = options;
    const { flushed = () => undefined, merged = () => undefined } = options;
    const busy = (): boolean => backlog.bytes > limits.flushBytes;
    const merges = new QuietMerges({ engine, logger, limits, busy, merged });
    const words = limits.wordIndexRows > 0 ? new WordIndex(engine, limits.wordMemoryBytes, logger) : undefined;
    this.words = words;
    const inserting = {
      engine,
      log,
      logger,
      limits,
      fieldStore,
      answers,
      refused,
      partlyIn: this.#partlyIn,
      ...(words !== undefined && { words }),
      flushed,
      stored: (datasetId: number) => {
        merges.added();
        inventory.added();
        this.#covering?.added(datasetId);
      },
    };
    const { pins } = options;
    const inserter = new Inserter({ ...inserting, backlog, ...(pins !== undefined && { pins: pins.log }) });
    const flusher = new Flusher({ engine, logger, backlog, inserter, limits, flushed });
    const keeper = new LogKeeper({
      log,
      backlog,
      logger,
      limits,
      freeBytes: options.freeBytes,
      beforeRelease: () => inventory.look(),
      givenUp: new GivenUp(log, options.fieldStore),
    });
    this.intake = new Intake({ log, backlog, flusher, keeper, answers, datasets, limits });
    this.retries = new RefusedRetries({
      ...inserting,
      flusher,
      datasets,
      ...(pins !== undefined && { pins: pins.refused }),
    });
    this.questions = new Questions(backlog, log, this.#partlyIn, refused, datasets);
    this.readers = new Readers(datasets);
    const { questions } = this;
    if (words !== undefined) {
      const settled = (datasetId: number): bigint => questions.settled([datasetId]);
      this.#covering = new CoverWords({ engine, logger, limits, index: words, datasets, settled, busy });
    }
    this.deletions = new Deletions({
      engine,
      log,
      logger,
      fieldStore,
      refused,
      backlog,
      flusher,
      merges,
      inventory,
      questions,
      datasets,
    });
    this.#interrupted = new InterruptedDeletions(engine, datasets);
    this.#merges = merges;
    this.#settings = new SettingsUpgrade({ engine, record: options.settingsRecord, logger });
    this.#spellings = new SpellingUpgrade({
      engine,
      database: options.database,
      datasets,
      flusher,
      merges,
      words,
      logger,
    });
    this.#flusher = flusher;
    this.#keeper = keeper;
  }

  /** Opens the storage over a ready engine and an open log, and replays what the engine lacks. */
  static async open(given: StorageOptions): Promise<{ storage: Storage; recovery: RecoveryReport }> {
    const options = { ...given, ...(await openStores(given)) };
    const { datasets, checkpoints } = await restoreDatasets(options);
    if (options.limits.wordIndexRows === 0) await dropWordTables(options.engine);
    const backlog = new Backlog();
    const inventory = await Inventory.open({ ...options, store: options.inventoryStore, backlog, datasets });
    const storage = new Storage(options, datasets, backlog, inventory);
    try {
      const recovery = await recover({ ...options, backlog, flusher: storage.#flusher, datasets, checkpoints });
      await inventory.start(options.log.stats().lastPosition);
      // Only now: batches that recovery has not read back yet would count as stored.
      storage.#keeper.start();
      // Only now, too: a start can do without it.
      storage.#settings.start();
      storage.#spellings.start();
      storage.#startMoves();
      storage.#covering?.start();
      await storage.retries.start();
      storage.#expireAnswers();
      return { storage, recovery };
    } catch (error) {
      storage.stop();
      throw error;
    }
  }

  #startMoves(): void {
    const { engine, logger, aging = Date.now, cold, moved = () => undefined } = this.#options;
    if (cold !== undefined) this.#cold = new ColdMoves({ engine, logger, aging, limits: cold, moved });
  }

  get coldBytes(): number {
    return this.#cold?.bytes ?? 0;
  }

  #expireAnswers(): void {
    const { answers, logger } = this.#options;
    this.#stopExpiring = runEvery(
      expireMilliseconds,
      () => answers.expire(),
      (error) => logger.warn({ err: error }, 'old answers to requests with an idempotency key could not be removed'),
    );
  }

  /** Bytes that are acknowledged and not yet in the engine. */
  get pendingBytes(): number {
    return this.#backlog.bytes;
  }

  /** Whether everything is stored, and everything that is to be merged soon has been. */
  get settled(): boolean {
    return this.pendingBytes === 0 && this.#merges.done && this.#covering?.done !== false;
  }

  /** Positions of acknowledged batches the engine refuses, without those of deleted datasets. */
  get refused(): readonly bigint[] {
    const kept = this.#options.refused.list().filter(({ datasetId }) => this.#datasets.has(datasetId));
    return kept.map(({ position }) => position);
  }

  /**
   * How far a batch has come: in the log, or in the engine too. Undefined for a position that was
   * never handed out.
   */
  stateOf(position: bigint): 'logged' | 'stored' | undefined {
    const { log, refused } = this.#options;
    if (position < 1n || position > log.stats().lastPosition) return undefined;
    return this.#backlog.has(position) || refused.has(position) ? 'logged' : 'stored';
  }

  dataset(id: number): StoredDataset | undefined {
    return this.#datasets.get(id);
  }

  /** A dataset that nothing finds, to see what would become of events for which there is none. */
  draft(): StoredDataset {
    return new StoredDataset(draftId, this.#options.limits.columns);
  }

  /** A text that changes whenever queries of these datasets begin to see different events. */
  versionOf(datasetIds: readonly number[]): string {
    return datasetIds.map((id) => `${id}:${this.#datasets.get(id)?.version}`).join(' ');
  }

  has({ datasetId }: DatasetRef): boolean {
    return this.#datasets.has(datasetId);
  }

  async createDataset(dataset: DatasetRef): Promise<void> {
    const datasetId = placed(this.#options.engine, dataset);
    await createTable(this.#options.engine, datasetId);
    if (!this.#datasets.has(datasetId))
      this.#datasets.set(datasetId, new StoredDataset(datasetId, this.#options.limits.columns));
  }

  /**
   * Complete and immediate: nothing of the dataset can be queried afterwards, queries and exports
   * of it end, and its log frames are ignored. It may be called again, even while an earlier call
   * is running: failed deletions are retried at intervals.
   */
  async deleteDataset(dataset: DatasetRef): Promise<void> {
    const datasetId = placed(this.#options.engine, dataset);
    this.#datasets.delete(datasetId);
    this.readers.stop(datasetId);
    await this.#removals.run(datasetId, () => this.#remove(datasetId));
  }

  async #remove(datasetId: number): Promise<void> {
    // Waits for an insert in progress: it writes to the metadata that is cleared below.
    await this.#flusher.forget(datasetId);
    // First: what is left of a deletion that is interrupted is found by the table of the events.
    await dropWordTable(this.#options.engine, datasetId);
    await dropTable(this.#options.engine, datasetId);
    this.words?.gone(datasetId);
    await this.#options.fieldStore.forget(datasetId);
    await this.inventory.forget(datasetId);
    await this.#options.answers.forget(datasetId);
    await this.#options.refused.forget(datasetId);
    await this.#options.pins?.log.forget(datasetId);
    this.#partlyIn.forget(datasetId);
  }

  fields({ datasetId }: DatasetRef): StoredFields {
    return storedFields(this.#datasets.get(datasetId)?.fields ?? new DatasetFields());
  }

  async info({ datasetId }: DatasetRef): Promise<DatasetSize> {
    await this.flush([datasetId]);
    return tableSize(this.#options.engine, datasetId);
  }

  /**
   * Brings everything acknowledged so far into the engine. A query calls it first, so that it reads
   * what was written before.
   * @param upTo brings what is behind this position only by chance
   * @throws EngineError when the engine cannot take it right now
   */
  async flush(datasetIds: readonly number[], upTo?: bigint): Promise<void> {
    await Promise.all(datasetIds.map((id) => this.#flusher.flush(id, upTo)));
  }

  /**
   * Brings everything acknowledged so far into the engine; returns the position up to which all of
   * it is there. In a restored directory, whose log is empty, that is the last position of the
   * backup.
   */
  async settle(): Promise<bigint> {
    const upTo = await this.acknowledged();
    await this.flush([...this.#datasets.keys()]);
    return upTo;
  }

  /**
   * The position up to which a flush that begins when this is known brings everything in: no append
   * at or below it is under way.
   */
  async acknowledged(): Promise<bigint> {
    const { settledPosition } = this.#options.log.stats();
    // Batches that have just become durable are queued by promise jobs that are already due; this
    // lets them run.
    await new Promise((resolve) => setImmediate(resolve));
    return settledPosition;
  }

  /** Recounts what the log holds against what the engine has. */
  async verify(): Promise<VerifyReport> {
    const { log, engine, fieldStore } = this.#options;
    const upTo = await this.settle();
    return verify(log, engine, {
      upTo,
      exists: (id) => this.#datasets.has(id),
      checkpoints: () => fieldStore.checkpoints(),
      refused: () => this.refused,
      missing: async () => {
        await this.inventory.look();
        return this.inventory.missing;
      },
    });
  }

  health(): DataHealth {
    const { engine, log } = this.#options;
    return dataHealth({
      engine: engine.health(),
      log: log.stats().failure ?? this.#keeper.refusal,
      waiting: this.#flusher.failure,
      refused: this.refused.length,
      missing: this.inventory.missing,
      bucketAway: this.#cold?.away === true,
      shards: shardsAway(engine),
    });
  }

  /**
   * Flushes what it can and stops. The engine and the log stay open; whoever opened them closes
   * them.
   */
  async close(): Promise<void> {
    await this.#stopExpiring();
    await this.inventory.stop();
    await this.#settings.stop();
    await this.#spellings.stop();
    await this.#cold?.stop();
    await this.retries.stop();
    await this.#covering?.stop();
    await this.#flusher.flushAll();
    await this.#merges.stop();
    this.stop();
    await this.#keeper.makeRoom();
  }

  /** Stops at once, without flushing; `close` ends with this. */
  stop(): void {
    this.#flusher.stop();
    this.#keeper.stop();
    this.#interrupted.stop();
    void this.#stopExpiring();
    void this.inventory.stop();
    void this.#merges.stop();
    void this.#settings.stop();
    void this.#spellings.stop();
    void this.#covering?.stop();
    void this.retries.stop();
  }
}

/** No dataset has this id. */
const draftId = 0;

/** How often answers that are too old are removed. */
const expireMilliseconds = 10 * 60_000;
