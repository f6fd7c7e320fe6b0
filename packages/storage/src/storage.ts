import type { ColdTier } from './cold/cold-unavailable-error.js';
import type { DataHealth, DatasetSize, EventShards, StoredFields } from '@millrace/metadata/datasets/event-data';
import type { DatasetRef } from '@millrace/metadata/datasets';
import { KeyedMutex } from '@millrace/runtime/async/mutex';
import { BackgroundJobs } from './background-jobs.js';
import type { ConsistentReads } from './consistent-reads.js';
import { namingFullDisk } from './disk-full-error.js';
import type { Deletions } from './deletions.js';
import type { InsertLedger, EventStorage } from './event-storage.js';
import { StoredDataset } from './fields/dataset.js';
import { DatasetFields } from './fields/fields.js';
import { storedFields } from './fields/variants.js';
import { dataHealth, shardsAway } from './health-reasons.js';
import { Backlog } from './insert/backlog.js';
import type { QuarantineRetries } from './insert/quarantine-retries.js';
import { Inventory } from './inventory/inventory.js';
import type { LogWriter } from './log-writer.js';
import { eventShards, shardTarget } from './placement.js';
import type { ActiveReaders } from './readers.js';
import { recover, type RecoveryReport } from './recovery/recovery.js';
import { restoreDatasets } from './recovery/restore-datasets.js';
import type { StorageOptions } from './storage-options.js';
import { composeStorage, type RestoredState, type StorageParts } from './storage-parts.js';
import { openStores, type Stores } from './stores.js';
import { createTable, dropTable } from './tables/table-of-dataset.js';
import { tableSize } from './tables/table-size.js';
import type { WordIndex } from './term-index/term-index.js';
import { dropWordTable, dropWordTables } from './term-index/term-table.js';
import { verify, type VerifyReport } from './verify.js';
import { columnLimitsOf } from './tables/metrics-table.js';

/**
 * Event storage: the write-ahead log, the engine, and the parts between them. Once `append`
 * resolves, events are on disk, and every query that calls `flush` first sees them.
 */
export class Storage implements EventStorage, InsertLedger {
  readonly #options: StorageOptions & Stores;
  readonly #datasets: Map<number, StoredDataset>;
  readonly #backlog: Backlog;
  readonly #parts: StorageParts;
  readonly #jobs: BackgroundJobs;
  readonly #removals = new KeyedMutex<number>();
  /** Retries batches quarantined before the start. */
  readonly retries: QuarantineRetries;
  /** Detects the loss of events that were not deleted. */
  readonly inventory: Inventory;
  readonly termIndex: WordIndex | undefined;
  /** The write path. */
  readonly intake: LogWriter;
  /** Consistent reads of datasets. */
  readonly reads: ConsistentReads;
  /** Registers long reads, which are stopped when one of their datasets is deleted. */
  readonly readers: ActiveReaders;
  /** Deletions of events and columns. */
  readonly deletions: Deletions;
  readonly ledger: InsertLedger = this;
  readonly shards: EventShards;
  readonly knowsVersions = true;

  private constructor(options: StorageOptions & Stores, state: RestoredState) {
    const parts = composeStorage(options, state);
    this.#options = options;
    this.#datasets = state.datasets;
    this.#backlog = state.backlog;
    this.#parts = parts;
    this.#jobs = new BackgroundJobs(options, parts, state.inventory);
    this.shards = eventShards(options.engine);
    this.inventory = state.inventory;
    this.retries = parts.retries;
    this.termIndex = parts.termIndex;
    this.intake = parts.intake;
    this.reads = parts.reads;
    this.readers = parts.readers;
    this.deletions = parts.deletions;
  }

  /**
   * Opens the storage over a ready engine and an open log, and replays batches missing from the
   * engine.
   */
  static async open(given: StorageOptions): Promise<{ storage: Storage; recovery: RecoveryReport }> {
    const options = { ...given, ...(await openStores(given)) };
    const { datasets, checkpoints, gap, damaged: unreadable } = await restoreDatasets(options);
    if (options.limits.wordIndexRows === 0) await dropWordTables(options.engine);
    const backlog = new Backlog();
    const inventory = await Inventory.open({ ...options, store: options.inventoryStore, backlog, datasets });
    const storage = new Storage(options, { datasets, backlog, inventory });
    try {
      const { flusher, damaged } = storage.#parts;
      const recovery = await recover({ ...options, backlog, flusher, datasets, checkpoints });
      damaged.add([...unreadable, ...recovery.damaged]);
      if (gap?.isLost === true) await inventory.lostLog();
      await inventory.start(options.log.stats().lastPosition);
      await storage.#jobs.start();
      return { storage, recovery };
    } catch (error) {
      storage.stop();
      throw error;
    }
  }

  get coldTier(): ColdTier | undefined {
    return this.#jobs.coldTier;
  }

  get coldBytes(): number {
    return this.#jobs.coldBytes;
  }

  /** Bytes acknowledged and not yet in the engine. */
  get pendingBytes(): number {
    return this.#backlog.bytes;
  }

  /** Whether everything is stored, and all merges due soon are done. */
  get isIdle(): boolean {
    return this.pendingBytes === 0 && this.#jobs.areIdle;
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
      this.#datasets.set(
        datasetId,
        new StoredDataset(datasetId, columnLimitsOf(dataset.kind, this.#options.limits.columns)),
      );
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
    await this.#parts.flusher.forget(datasetId);
    // The term index first: an interrupted deletion is found again by the table of the events.
    await dropWordTable(this.#options.engine, datasetId);
    await dropTable(this.#options.engine, datasetId);
    this.termIndex?.deleteDataset(datasetId);
    await this.#options.fieldStore.forget(datasetId);
    await this.inventory.forget(datasetId);
    await this.#options.idempotencyStore.forget(datasetId);
    await this.#options.quarantine.forget(datasetId);
    await this.#options.pins?.log.forget(datasetId);
    this.#parts.partialBatches.forget(datasetId);
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
   * @throws EngineError when the engine cannot store it now; DiskFullError on a full disk
   */
  async flush(datasetIds: readonly number[], upTo?: bigint): Promise<void> {
    await namingFullDisk('reading', Promise.all(datasetIds.map((id) => this.#parts.flusher.flush(id, upTo))));
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
    const { finishedPosition } = this.#options.log.stats();
    // Batches that have just become durable are queued by promise jobs that are already due; this
    // lets them run.
    await new Promise((resolve) => setImmediate(resolve));
    return finishedPosition;
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
      damaged: (all) => this.#parts.damaged.check(files || all ? [...this.#datasets.keys()] : undefined),
    });
  }

  health(): DataHealth {
    const { engine, log } = this.#options;
    return dataHealth({
      engine: engine.health(),
      log: log.stats().failure ?? this.#parts.truncator.refusal,
      waiting: this.#parts.flusher.failure,
      quarantinedBatches: this.quarantinedPositions.length,
      missing: this.inventory.missing,
      damaged: this.#parts.damaged.datasets,
      bucketAway: this.#jobs.isBucketAway,
      shards: shardsAway(engine),
    });
  }

  /** Flushes what it can and stops. The engine and the log stay open; their owner closes them. */
  close(): Promise<void> {
    return this.#jobs.close();
  }

  /** Stops at once, without flushing. */
  stop(): void {
    this.#jobs.stop();
  }
}

/** No dataset has this ID. */
const draftId = 0;
