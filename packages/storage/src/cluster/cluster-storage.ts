import { type Engine, shardOf, UnknownShardError } from '@millrace/engine';
import { sql } from 'kysely';
import type { Logger } from 'pino';
import { KeyedMutex, type KeyedLock } from '@millrace/runtime/async/mutex';
import { runEvery } from '@millrace/runtime/async/run-every';
import type { DataHealth, DatasetSize, EventShards, StoredFields } from '@millrace/metadata/datasets/event-data';
import type { Clock } from '@millrace/metadata/clock';
import type { Database } from '@millrace/metadata/database';
import type { PositionAllocator } from '@millrace/metadata/postgres/position-allocator';
import type { DatasetRef } from '@millrace/metadata/datasets';
import type { EventStorage } from '../event-storage.js';
import { StoredDataset } from '../fields/dataset.js';
import { FieldStore } from '../fields/field-store.js';
import { DatasetFields } from '../fields/fields.js';
import { storedFields } from '../fields/variants.js';
import { noBucket, replicasAway, shardsAway } from '../health-reasons.js';
import { ActiveReaders } from '../readers.js';
import { IdempotencyStore } from '../idempotency-store.js';
import type { StorageLimits } from '../storage-limits.js';
import type { ColdTier } from '../cold/cold-unavailable-error.js';
import { type ColdLimits, TieringJob } from '../cold/tiering.js';
import { eventShards, shardTarget } from '../placement.js';
import { IdleMerges, type QuietMergesDependencies } from '../tables/idle-merges.js';
import { SettingsRecord } from '../tables/settings-record.js';
import { SettingsUpgrade } from '../tables/settings-upgrade.js';
import { tableSize } from '../tables/table-size.js';
import { createDatabase, dropTable, tableOf } from '../tables/table-of-dataset.js';
import { createFence } from './fence.js';
import { SchemaChangeFeed } from './schema-changes.js';
import { startFencing } from './fence-stale-inserts.js';
import { GroupCommit } from './group-commit.js';
import type { GroupInsertDependencies } from './group-insert.js';
import { forgotten, GroupedIntake } from './group-writer.js';
import { IdempotencyKeys } from './idempotency-keys.js';
import { ClusterInsertLedger } from './insert-ledger.js';
import { SharedDeletions } from './cluster-deletions.js';
import { prepareTables } from './prepare-tables.js';
import { createSharedTable } from './cluster-table.js';
import { UnconfirmedBatches } from './unconfirmed-batches.js';
import { ClusterReads } from './cluster-reads.js';
import { columnLimitsOf } from '../tables/metrics-table.js';

interface SharedStorageOptions {
  readonly engine: Engine;
  readonly database: Database;
  readonly logger: Logger;
  readonly limits: StorageLimits & { readonly acceptMilliseconds: number; readonly groupMilliseconds: number };
  readonly retentionClock: Clock;
  /** Unique to this process while `isKnown` is true. */
  readonly epoch: bigint;
  readonly isKnown: () => boolean;
  /** Problems of this process that do not stop it from working, for the operator. */
  readonly remarks: () => readonly string[];
  readonly arrivals: PositionAllocator;
  /** Locks among all processes, for keys of a kind. */
  readonly turns: (kind: string) => KeyedLock<string>;
  /** Whether this process is the leader. */
  readonly isLeader: () => boolean;
  /** The kind of a dataset. Default: all have events. */
  readonly kindOf?: (datasetId: number) => string | undefined;
  /** The IDs of all datasets, as of the last check. */
  readonly datasets: () => readonly number[];
  /** The highest dataset ID ever assigned. */
  readonly highestId: number;
  /** How many shards every process uses. Default: all. */
  readonly usableShards?: () => number;
  /** Loads changes of other processes; `refresh` follows if there are any. */
  readonly lookForNews: () => Promise<void>;
  readonly flushed: GroupInsertDependencies['flushed'];
  /** Called with the number of fenced inserts. */
  readonly onFenced: (inserts: number) => void;
  readonly merged: QuietMergesDependencies['merged'];
  /** Tiering to slower disks of the engine; disabled if left out. */
  readonly cold?: ColdLimits;
  /** Called after each attempt to move a partition. */
  readonly moved: (outcome: 'moved' | 'failed') => void;
}

const diskFull = 'the disk of ClickHouse is full: events are refused';
const tooManyParts = 'ClickHouse has too much to do: events of some datasets are refused for now';
/** Whether the shard of a dataset is ready; false while this process does not use the shard. */
function isShardReady(engine: Engine, datasetId: number): boolean {
  try {
    return shardOf(engine, tableOf(datasetId)).health().state === 'ready';
  } catch (error) {
    if (error instanceof UnknownShardError) return false;
    throw error;
  }
}

/** No dataset has this id. */
const draftId = 0;
const expireMilliseconds = 10 * 60_000;
/** An insert of a dead process is fenced within a quarter of that. */
const settleMilliseconds = 60_000;
/**
 * Interval at which long polls check for new events: this process does not know what others have
 * stored.
 */
const lookMilliseconds = 500;

/**
 * Events in an engine that several processes share. An event is acknowledged when it is in the
 * engine, so this process stores no events itself, and every query of every process sees them.
 */
export class SharedStorage implements EventStorage {
  readonly #options: SharedStorageOptions;
  readonly #datasets = new Map<number, StoredDataset>();
  readonly #fieldStore: FieldStore;
  readonly #news: SchemaChangeFeed;
  readonly #idempotencyStore: IdempotencyStore;
  readonly #groups: GroupCommit;
  readonly #unconfirmedBatches: UnconfirmedBatches;
  readonly #merges: IdleMerges;
  readonly #settings: SettingsUpgrade;
  readonly #removals = new KeyedMutex<number>();
  #stopExpiring: () => Promise<void> = async () => undefined;
  #cold: TieringJob | undefined;
  #stopGivingUp: () => Promise<void> = async () => undefined;
  readonly intake: GroupedIntake;
  readonly reads: ClusterReads;
  readonly readers: ActiveReaders;
  readonly deletions: SharedDeletions;
  readonly termIndex = undefined;
  readonly shards: EventShards;
  readonly ledger: ClusterInsertLedger;
  readonly knowsVersions = false;

  private constructor(options: SharedStorageOptions) {
    this.#options = options;
    this.shards = eventShards(options.engine, options.usableShards);
    const { engine, database, logger, limits, retentionClock, epoch, arrivals, turns, isLeader, lookForNews } = options;
    const { flushed, merged } = options;
    this.#fieldStore = new FieldStore(database);
    this.#news = new SchemaChangeFeed(database);
    this.#idempotencyStore = new IdempotencyStore(database, limits, retentionClock);
    this.readers = new ActiveReaders(this.#datasets);
    this.#settings = new SettingsUpgrade({ engine, record: new SettingsRecord(database), logger });
    this.#merges = new IdleMerges({ engine, logger, limits, merged, busy: () => !isLeader() });
    this.#groups = new GroupCommit({
      engine,
      logger,
      epoch,
      order: arrivals,
      limits,
      fieldStore: this.#fieldStore,
      columnTurns: turns('columns'),
      exists: async (datasetId) => {
        await lookForNews();
        return options.datasets().includes(datasetId);
      },
      flushed: (outcome, seconds) => {
        flushed(outcome, seconds);
        if (outcome === 'stored') this.#merges.add();
      },
    });
    const keys = new IdempotencyKeys({
      engine,
      database,
      idempotencyStore: this.#idempotencyStore,
      arrivals,
      patience: limits.acceptMilliseconds,
    });
    this.#unconfirmedBatches = new UnconfirmedBatches({
      engine,
      database,
      arrivals,
      patience: limits.acceptMilliseconds,
    });
    this.intake = new GroupedIntake({
      engine,
      logger,
      unconfirmed: this.#unconfirmedBatches,
      limits,
      keys,
      groups: this.#groups,
      isKnown: options.isKnown,
    });
    this.reads = new ClusterReads((ids) => arrivals.watermark.upTo(ids));
    this.ledger = new ClusterInsertLedger({
      engine,
      arrivals,
      lookForNews,
      fieldStore: this.#fieldStore,
      exists: (id) => this.#datasets.has(id),
      patience: settleMilliseconds,
    });
    this.deletions = new SharedDeletions({
      engine,
      turns: turns('deletions'),
      datasets: this.#datasets,
      fieldStore: this.#fieldStore,
      accounts: this.ledger,
      given: async () => {
        await lookForNews();
        return arrivals.watermark.last;
      },
    });
  }

  static async open(options: SharedStorageOptions): Promise<SharedStorage> {
    const { engine, logger } = options;
    await prepareTables(options);
    const storage = new SharedStorage(options);
    for (const id of options.datasets()) storage.#datasets.set(id, storage.#makeDataset(id));
    await storage.#readFields();
    // Concurrent processes set the same values.
    storage.#settings.start();
    storage.#stopGivingUp = startFencing(options);
    const { cold, moved, retentionClock, isLeader } = options;
    if (cold !== undefined)
      storage.#cold = new TieringJob({ engine, logger, retentionClock, moved, limits: { ...cold, isLeader } });
    storage.#stopExpiring = runEvery(
      expireMilliseconds,
      () => storage.#expire(),
      (error) => logger.warn({ err: error }, 'old idempotency keys could not be removed'),
    );
    return storage;
  }

  /**
   * Applies changes of other processes: created and deleted datasets, and new fields.
   * @param changed names of tables of the metadata
   */
  async refresh(changed: ReadonlySet<string>): Promise<void> {
    if (changed.has('datasets')) await this.#refreshDatasets();
    if (changed.has('unconfirmed_batches')) await this.#unconfirmedBatches.refresh();
    if (!changed.has('field_news')) return;
    const news = await this.#news.next();
    if (news === undefined) return this.#readFields();
    for (const [id, fields] of news) this.#datasets.get(id)?.learnFrom(fields);
  }

  async #refreshDatasets(): Promise<void> {
    const { engine, datasets, kindOf = () => undefined } = this.#options;
    const present = new Set(datasets());
    for (const id of this.#datasets.keys()) {
      if (present.has(id)) continue;
      this.#datasets.delete(id);
      this.readers.stop(id);
    }
    for (const id of present) {
      if (this.#datasets.has(id)) continue;
      this.#datasets.set(id, this.#makeDataset(id));
      // The process that created the dataset does this too, perhaps later. If it fails, the first
      // insert does it.
      if (isShardReady(engine, id)) await createSharedTable(engine, id, kindOf(id)).catch(() => undefined);
    }
  }

  /**
   * Adds a shard that another process uses already.
   * @throws EngineError
   */
  async addShard(shard: Engine): Promise<void> {
    await createDatabase(shard);
    await createFence(shard);
    this.#options.engine.sharding?.add(shard);
    await this.#refreshDatasets();
  }

  async #readFields(): Promise<void> {
    await this.#news.begin();
    await this.#fieldStore.restore(this.#datasets);
  }

  #makeDataset(id: number, kind = this.#options.kindOf?.(id)): StoredDataset {
    return new StoredDataset(id, columnLimitsOf(kind, this.#options.limits.columns));
  }

  get coldBytes(): number {
    return this.#cold?.bytes ?? 0;
  }

  get coldTier(): ColdTier | undefined {
    return this.#cold;
  }

  get pendingBytes(): number {
    return this.#groups.bytes;
  }

  get isIdle(): boolean {
    return this.pendingBytes === 0 && (this.#merges.done || !this.#options.isLeader());
  }

  dataset(id: number): StoredDataset | undefined {
    return this.#datasets.get(id);
  }

  draft(): StoredDataset {
    return this.#makeDataset(draftId);
  }

  versionOf(datasetIds: readonly number[]): string {
    const own = datasetIds.map((id) => `${id}:${this.#datasets.get(id)?.version}`).join(' ');
    return `${own} ${Math.floor(performance.now() / lookMilliseconds)}`;
  }

  has({ datasetId }: DatasetRef): boolean {
    return this.#datasets.has(datasetId);
  }

  async createDataset(dataset: DatasetRef): Promise<void> {
    const datasetId = shardTarget(this.#options.engine, dataset);
    await createSharedTable(this.#options.engine, datasetId, dataset.kind);
    if (!this.#datasets.has(datasetId)) this.#datasets.set(datasetId, this.#makeDataset(datasetId, dataset.kind));
  }

  /**
   * May be called again, even while an earlier call is running. Other processes stop reading it
   * when they load its deletion.
   */
  async deleteDataset(dataset: DatasetRef): Promise<void> {
    const datasetId = shardTarget(this.#options.engine, dataset);
    this.#datasets.delete(datasetId);
    this.readers.stop(datasetId);
    await this.#removals.run(datasetId, () => this.#remove(datasetId));
  }

  async #remove(datasetId: number): Promise<void> {
    const { engine, database } = this.#options;
    await dropTable(engine, datasetId);
    await this.#fieldStore.forget(datasetId);
    await this.#idempotencyStore.forget(datasetId);
    await this.#unconfirmedBatches.forget(datasetId);
    await sql`DELETE FROM pending_keys WHERE dataset_id = ${datasetId}`.execute(database);
  }

  async #expire(): Promise<void> {
    const { database, limits } = this.#options;
    await this.#idempotencyStore.expire();
    await this.#unconfirmedBatches.expire();
    const window = `${limits.idempotencyWindow} milliseconds`;
    await sql`DELETE FROM pending_keys WHERE begun < now() - CAST(${window} AS interval)`.execute(database);
  }

  fields({ datasetId }: DatasetRef): StoredFields {
    return storedFields(this.#datasets.get(datasetId)?.fields ?? new DatasetFields());
  }

  info({ datasetId }: DatasetRef): Promise<DatasetSize> {
    return tableSize(this.#options.engine, datasetId);
  }

  /** Everything acknowledged is in the engine. */
  async flush(): Promise<void> {}

  /** Readers by position continue up to the watermark. */
  async acknowledgedPosition(): Promise<bigint> {
    await this.#options.lookForNews();
    return this.#options.arrivals.watermark.upTo();
  }

  health(): DataHealth {
    const { engine } = this.#options;
    const { state, reason = '', isReadOnly = false } = engine.health();
    const failures = [
      ...(state === 'ready' ? [] : [`engine ${state}${reason === '' ? '' : `: ${reason}`}`]),
      ...(this.#options.isKnown() ? [] : [forgotten]),
    ];
    const { full } = this.#groups;
    // Queries still work, and perhaps other datasets.
    const remarks = [
      ...replicasAway(engine),
      ...shardsAway(engine),
      ...(this.#cold?.away === true ? [noBucket] : []),
      ...(full === undefined ? [] : [full === 'disk-full' ? diskFull : tooManyParts]),
      ...this.#options.remarks(),
    ];
    const ready = failures.length === 0;
    return { ready, acknowledges: ready && !isReadOnly, complete: true, reasons: [...failures, ...remarks] };
  }

  async close(): Promise<void> {
    await this.#stopExpiring();
    await this.#settings.stop();
    await this.#groups.close();
    await this.#stopGivingUp();
    await this.#cold?.stop();
    await this.#merges.stop();
  }
}
