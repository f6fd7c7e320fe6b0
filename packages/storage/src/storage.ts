import type { DataHealth, DatasetSize, EventShards, StoredFields } from '@millrace/metadata/datasets/event-data';
import type { DatasetRef } from '@millrace/metadata/datasets';
import { Backlog } from './insert/backlog.js';
import { StoredDataset } from './fields/dataset.js';
import { Deletions } from './deletions.js';
import { Flusher } from './insert/flusher.js';
import { TruncationCheckpoint } from './truncation-checkpoint.js';
import { Inserter } from './insert/inserter.js';
import { dataHealth, shardsAway } from './health-reasons.js';
import { LogWriter } from './log-writer.js';
import type { InsertLedger, EventStorage } from './event-storage.js';
import { InterruptedDeletions } from './recovery/interrupted-deletions.js';
import { Inventory } from './inventory/inventory.js';
import { LogTruncator } from './log-truncator.js';
import { KeyedMutex } from '@millrace/runtime/async/mutex';
import { ConsistentReads } from './consistent-reads.js';
import { ActiveReaders } from './readers.js';
import { TieringJob } from './cold/tiering.js';
import { IdleMerges } from './tables/idle-merges.js';
import { DatasetFields } from './fields/fields.js';
import { storedFields } from './fields/variants.js';
import { PartialBatches } from './insert/partial-batches.js';
import { QuarantineRetries } from './insert/quarantine-retries.js';
import { recover, type RecoveryReport } from './recovery/recovery.js';
import { runEvery } from '@millrace/runtime/async/run-every';
import { restoreDatasets } from './recovery/restore-datasets.js';
import type { StorageOptions } from './storage-options.js';
import { openStores, type Stores } from './stores.js';
import { CanonicalJsonMigration } from './canonical-json-migration.js';
import { SettingsUpgrade } from './tables/settings-upgrade.js';
import { eventShards, shardTarget } from './placement.js';
import { createTable, dropTable } from './tables/table-of-dataset.js';
import { tableSize } from './tables/table-size.js';
import { DamagedFiles } from './damaged-files.js';
import { verify, type VerifyReport } from './verify.js';
import { IndexBuilder } from './term-index/index-builder.js';
import { WordIndex } from './term-index/term-index.js';
import { dropWordTable, dropWordTables } from './term-index/term-table.js';

/**
 * Event storage: the write-ahead log, the engine, and the parts between them. Once `append`
 * resolves, events are on disk, and every query that calls `flush` first sees them.
 */
export class Storage implements EventStorage, InsertLedger {
  readonly #options: StorageOptions & Stores;
  readonly #datasets: Map<number, StoredDataset>;
  readonly #backlog: Backlog;
  readonly #partialBatches = new PartialBatches();
  readonly #flusher: Flusher;
  readonly #truncator: LogTruncator;
  readonly #interruptedDeletions: InterruptedDeletions;
  readonly #merges: IdleMerges;
  readonly #settings: SettingsUpgrade;
  readonly #jsonMigration: CanonicalJsonMigration;
  /** Undefined without a cold tier. */
  #cold: TieringJob | undefined;
  /** Retries batches quarantined before the start. */
  readonly retries: QuarantineRetries;
  readonly #removals = new KeyedMutex<number>();
  /** Detects the loss of events that were not deleted. */
  readonly inventory: Inventory;
  #stopExpiring: () => Promise<void> = async () => undefined;
  readonly termIndex: WordIndex | undefined;
  readonly #indexBuilder: IndexBuilder | undefined;
  /** The write path. */
  readonly intake: LogWriter;
  readonly #damaged: DamagedFiles;
  /** Consistent reads of datasets. */
  readonly reads: ConsistentReads;
  /** Registers long reads, which are stopped when one of their datasets is deleted. */
  readonly readers: ActiveReaders;
  /** Deletions of events and columns. */
  readonly deletions: Deletions;
  readonly ledger: InsertLedger = this;
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
    const { engine, log, logger, limits, fieldStore, idempotencyStore, quarantine } = options;
    const { flushed = () => undefined, merged = () => undefined } = options;
    const busy = (): boolean => backlog.bytes > limits.flushBytes;
    const merges = new IdleMerges({ engine, logger, limits, busy, merged });
    const termIndex = limits.wordIndexRows > 0 ? new WordIndex(engine, limits.wordMemoryBytes, logger) : undefined;
    this.termIndex = termIndex;
    const inserting = {
      engine,
      log,
      logger,
      limits,
      fieldStore,
      idempotencyStore,
      quarantine,
      partialBatches: this.#partialBatches,
      ...(termIndex !== undefined && { words: termIndex }),
      flushed,
      stored: (datasetId: number) => {
        merges.added();
        inventory.added(datasetId);
        this.#indexBuilder?.added(datasetId);
      },
    };
    const { pins } = options;
    const inserter = new Inserter({ ...inserting, backlog, ...(pins !== undefined && { pins: pins.log }) });
    const flusher = new Flusher({ engine, logger, backlog, inserter, limits, flushed });
    const truncator = new LogTruncator({
      log,
      backlog,
      logger,
      limits,
      freeBytes: options.freeBytes,
      beforeRelease: () => inventory.check(),
      checkpoint: new TruncationCheckpoint(log, options.fieldStore),
    });
    this.intake = new LogWriter({ log, backlog, flusher, truncator, idempotencyStore, datasets, limits });
    this.retries = new QuarantineRetries({
      ...inserting,
      flusher,
      datasets,
      ...(pins !== undefined && { pins: pins.refused }),
    });
    this.#damaged = new DamagedFiles(engine, (id) => datasets.has(id));
    this.reads = new ConsistentReads(backlog, log, this.#partialBatches, quarantine, datasets, this.#damaged);
    this.readers = new ActiveReaders(datasets);
    const { reads } = this;
    if (termIndex !== undefined) {
      const watermark = (datasetId: number): bigint => reads.watermark([datasetId]);
      this.#indexBuilder = new IndexBuilder({ engine, logger, limits, index: termIndex, datasets, watermark, busy });
    }
    this.deletions = new Deletions({
      engine,
      log,
      logger,
      fieldStore,
      quarantine,
      backlog,
      flusher,
      merges,
      inventory,
      reads,
      datasets,
    });
    this.#interruptedDeletions = new InterruptedDeletions(engine, datasets);
    this.#merges = merges;
    this.#settings = new SettingsUpgrade({ engine, record: options.settingsRecord, logger });
    this.#jsonMigration = new CanonicalJsonMigration({
      engine,
      database: options.database,
      datasets,
      flusher,
      merges,
      words: termIndex,
      logger,
    });
    this.#flusher = flusher;
    this.#truncator = truncator;
  }

  /**
   * Opens the storage over a ready engine and an open log, and replays batches missing from the
   * engine.
   */
  static async open(given: StorageOptions): Promise<{ storage: Storage; recovery: RecoveryReport }> {
    const options = { ...given, ...(await openStores(given)) };
    const { datasets, checkpoints, gap } = await restoreDatasets(options);
    if (options.limits.wordIndexRows === 0) await dropWordTables(options.engine);
    const backlog = new Backlog();
    const inventory = await Inventory.open({ ...options, store: options.inventoryStore, backlog, datasets });
    const storage = new Storage(options, datasets, backlog, inventory);
    try {
      const recovery = await recover({ ...options, backlog, flusher: storage.#flusher, datasets, checkpoints });
      if (gap?.isLost === true) await inventory.lostLog();
      await inventory.start(options.log.stats().lastPosition);
      // After recovery: batches not yet read would count as stored.
      storage.#truncator.start();
      // Last, because a start does not need it.
      storage.#settings.start();
      storage.#jsonMigration.start();
      storage.#startMoves();
      storage.#indexBuilder?.start();
      await storage.retries.start();
      storage.#expireAnswers();
      return { storage, recovery };
    } catch (error) {
      storage.stop();
      throw error;
    }
  }

  #startMoves(): void {
    const { engine, logger, retentionClock = Date.now, cold, moved = () => undefined } = this.#options;
    if (cold !== undefined) this.#cold = new TieringJob({ engine, logger, retentionClock, limits: cold, moved });
  }

  get coldBytes(): number {
    return this.#cold?.bytes ?? 0;
  }

  #expireAnswers(): void {
    const { idempotencyStore, logger } = this.#options;
    this.#stopExpiring = runEvery(
      expireMilliseconds,
      () => idempotencyStore.expire(),
      (error) => logger.warn({ err: error }, 'could not delete expired idempotency keys'),
    );
  }

  /** Bytes acknowledged and not yet in the engine. */
  get pendingBytes(): number {
    return this.#backlog.bytes;
  }

  /** Whether everything is stored, and all merges due soon are done. */
  get isIdle(): boolean {
    return this.pendingBytes === 0 && this.#merges.done && this.#indexBuilder?.done !== false;
  }

  /** Positions of quarantined batches, without those of deleted datasets. */
  get quarantinedPositions(): readonly bigint[] {
    const kept = this.#options.quarantine.list().filter(({ datasetId }) => this.#datasets.has(datasetId));
    return kept.map(({ position }) => position);
  }

  /**
   * State of a batch: in the log, or in the engine too. Undefined for a position that was never
   * assigned.
   */
  stateOf(position: bigint): 'logged' | 'stored' | undefined {
    const { log, quarantine } = this.#options;
    if (position < 1n || position > log.stats().lastPosition) return undefined;
    return this.#backlog.has(position) || quarantine.has(position) ? 'logged' : 'stored';
  }

  dataset(id: number): StoredDataset | undefined {
    return this.#datasets.get(id);
  }

  /** A dataset that is not registered, for a dry run of events without a dataset. */
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
    const datasetId = shardTarget(this.#options.engine, dataset);
    await createTable(this.#options.engine, datasetId, { kind: dataset.kind });
    if (!this.#datasets.has(datasetId))
      this.#datasets.set(datasetId, new StoredDataset(datasetId, this.#options.limits.columns));
  }

  /**
   * Complete and immediate: the dataset can no longer be queried, running queries and exports of it
   * end, and its log frames are ignored. It may be called again, even while an earlier call is
   * running: failed deletions are retried at intervals.
   */
  async deleteDataset(dataset: DatasetRef): Promise<void> {
    const datasetId = shardTarget(this.#options.engine, dataset);
    this.#datasets.delete(datasetId);
    this.readers.stop(datasetId);
    await this.#removals.run(datasetId, () => this.#remove(datasetId));
  }

  async #remove(datasetId: number): Promise<void> {
    // Waits for an insert in progress: it writes to the metadata that is cleared below.
    await this.#flusher.forget(datasetId);
    // The term index first: an interrupted deletion is found again by the table of the events.
    await dropWordTable(this.#options.engine, datasetId);
    await dropTable(this.#options.engine, datasetId);
    this.termIndex?.deleteDataset(datasetId);
    await this.#options.fieldStore.forget(datasetId);
    await this.inventory.forget(datasetId);
    await this.#options.idempotencyStore.forget(datasetId);
    await this.#options.quarantine.forget(datasetId);
    await this.#options.pins?.log.forget(datasetId);
    this.#partialBatches.forget(datasetId);
  }

  fields({ datasetId }: DatasetRef): StoredFields {
    return storedFields(this.#datasets.get(datasetId)?.fields ?? new DatasetFields());
  }

  async info({ datasetId }: DatasetRef): Promise<DatasetSize> {
    await this.flush([datasetId]);
    return tableSize(this.#options.engine, datasetId);
  }

  /**
   * Inserts everything acknowledged so far into the engine. A query calls it first, so that it
   * reads earlier writes.
   * @param upTo batches after this position need not be inserted
   * @throws EngineError when the engine cannot store it now
   */
  async flush(datasetIds: readonly number[], upTo?: bigint): Promise<void> {
    await Promise.all(datasetIds.map((id) => this.#flusher.flush(id, upTo)));
  }

  /**
   * Inserts everything acknowledged so far; returns the position up to which all of it is stored.
   * In a restored directory, whose log is empty, that is the last position of the backup.
   */
  async flushAll(): Promise<bigint> {
    const upTo = await this.acknowledgedPosition();
    await this.flush([...this.#datasets.keys()]);
    return upTo;
  }

  /**
   * The position up to which a flush that begins after this call inserts everything: no append at
   * or below it is in flight.
   */
  async acknowledgedPosition(): Promise<bigint> {
    const { settledPosition } = this.#options.log.stats();
    // Batches that have just become durable are queued by promise jobs that are already due; this
    // lets them run.
    await new Promise((resolve) => setImmediate(resolve));
    return settledPosition;
  }

  /** @param files whether to read all files, not only those of datasets known to be damaged */
  async verify(files = false): Promise<VerifyReport> {
    const { log, engine, fieldStore } = this.#options;
    const upTo = await this.flushAll();
    return verify(log, engine, {
      upTo,
      exists: (id) => this.#datasets.has(id),
      checkpoints: () => fieldStore.checkpoints(),
      quarantinedPositions: () => this.quarantinedPositions,
      missing: () => this.inventory.recount(),
      damaged: (all) => this.#damaged.check(files || all ? [...this.#datasets.keys()] : undefined),
    });
  }

  health(): DataHealth {
    const { engine, log } = this.#options;
    return dataHealth({
      engine: engine.health(),
      log: log.stats().failure ?? this.#truncator.refusal,
      waiting: this.#flusher.failure,
      quarantinedBatches: this.quarantinedPositions.length,
      missing: this.inventory.missing,
      damaged: this.#damaged.datasets,
      bucketAway: this.#cold?.away === true,
      shards: shardsAway(engine),
    });
  }

  /** Flushes what it can and stops. The engine and the log stay open; their owner closes them. */
  async close(): Promise<void> {
    await this.#stopExpiring();
    await this.inventory.stop();
    await this.#settings.stop();
    await this.#jsonMigration.stop();
    await this.#cold?.stop();
    await this.retries.stop();
    await this.#indexBuilder?.stop();
    await this.#flusher.flushAll();
    await this.#merges.stop();
    this.stop();
    await this.#truncator.makeRoom();
  }

  /** Stops at once, without flushing; `close` ends with this. */
  stop(): void {
    this.#flusher.stop();
    this.#truncator.stop();
    this.#interruptedDeletions.stop();
    void this.#stopExpiring();
    void this.inventory.stop();
    void this.#merges.stop();
    void this.#settings.stop();
    void this.#jsonMigration.stop();
    void this.#indexBuilder?.stop();
    void this.retries.stop();
  }
}

/** No dataset has this ID. */
const draftId = 0;

/** How often expired responses are deleted. */
const expireMilliseconds = 10 * 60_000;
