import { type Engine, shardOf } from '@millrace/engine';
import { sql } from 'kysely';
import type { Logger } from 'pino';
import { OneByOneFor, type TurnsFor } from '../../async/one-by-one.js';
import { runEvery } from '../../async/run-every.js';
import type { DataHealth, DatasetSize, EventShards, StoredFields } from '../../datasets/event-data.js';
import type { Clock } from '../../metadata/clock.js';
import type { Database } from '../../metadata/database.js';
import type { Arrivals } from '../../metadata/postgres/arrivals.js';
import type { DatasetRef } from '../../metadata/datasets.js';
import type { EventStorage } from '../event-storage.js';
import { StoredDataset } from '../fields/dataset.js';
import { FieldStore } from '../fields/field-store.js';
import { DatasetFields } from '../fields/fields.js';
import { storedFields } from '../fields/readings.js';
import { shardsAway } from '../health-reasons.js';
import { Readers } from '../readers.js';
import { Answers } from '../remembered-answers.js';
import type { StorageLimits } from '../storage-limits.js';
import { type ColdLimits, ColdMoves } from '../tables/cold-moves.js';
import { eventShards, placed } from '../placement.js';
import { QuietMerges, type QuietMergesDependencies } from '../tables/quiet-merges.js';
import { SettingsRecord } from '../tables/settings-record.js';
import { SettingsUpgrade } from '../tables/settings-upgrade.js';
import { tableSize } from '../tables/table-size.js';
import { dropTable, tableOf } from '../tables/table-of-dataset.js';
import { FieldNewsReader } from './field-news.js';
import { keepGivingUp } from './giving-up.js';
import { GroupCommit } from './group-commit.js';
import type { GroupInsertDependencies } from './group-insert.js';
import { forgotten, GroupedIntake } from './grouped-intake.js';
import { Keys } from './keys.js';
import { SharedAccounts } from './shared-accounts.js';
import { SharedDeletions } from './shared-deletions.js';
import { prepareTables } from './prepare-tables.js';
import { createSharedTable } from './shared-table.js';
import { SharedQuestions } from './shared-questions.js';

interface SharedStorageOptions {
  readonly engine: Engine;
  readonly database: Database;
  readonly logger: Logger;
  readonly limits: StorageLimits & { readonly acceptMilliseconds: number; readonly groupMilliseconds: number };
  readonly aging: Clock;
  /** Given to this process alone, as long as `isKnown` says so. */
  readonly epoch: bigint;
  readonly isKnown: () => boolean;
  /** What is wrong with this process that keeps nobody from using it; for the operator. */
  readonly remarks: () => readonly string[];
  readonly arrivals: Arrivals;
  /** Among all processes, for things of a kind. */
  readonly turns: (kind: string) => TurnsFor<string>;
  /** Whether this process does what one of them has to do. */
  readonly onDuty: () => boolean;
  /** The numbers of all datasets, as they were known last. */
  readonly datasets: () => readonly number[];
  /** The highest that was ever given to one. */
  readonly highestId: number;
  /** Learns what other processes have changed; `refresh` follows when there is something. */
  readonly lookForNews: () => Promise<void>;
  readonly flushed: GroupInsertDependencies['flushed'];
  /** Called with how many inserts of others were given up. */
  readonly gaveUp: (inserts: number) => void;
  readonly merged: QuietMergesDependencies['merged'];
  /** What moves to slower disks of the engine; nothing, if left out. */
  readonly cold?: ColdLimits;
  /** Called after each partition that moved, or did not. */
  readonly moved: (outcome: 'moved' | 'failed') => void;
}

const diskFull = 'the disk of ClickHouse is full: events are refused';
const tooManyParts = 'ClickHouse has too much to do: events of some datasets are refused for now';
/** No dataset has this id. */
const draftId = 0;
const expireMilliseconds = 10 * 60_000;
/** An insert of a process that died is given up in a quarter of that. */
const settleMilliseconds = 60_000;
/**
 * How often whoever waits for something new looks whether it has come: this process does not know
 * what others have stored.
 */
const lookMilliseconds = 500;

/**
 * Events in an engine that several processes share. An event is acknowledged when it is in the
 * engine, so nothing is ever only here, and every query of every process sees it.
 */
export class SharedStorage implements EventStorage {
  readonly #options: SharedStorageOptions;
  readonly #datasets = new Map<number, StoredDataset>();
  readonly #fieldStore: FieldStore;
  readonly #news: FieldNewsReader;
  readonly #answers: Answers;
  readonly #groups: GroupCommit;
  readonly #merges: QuietMerges;
  readonly #settings: SettingsUpgrade;
  readonly #removals = new OneByOneFor<number>();
  #stopExpiring: () => Promise<void> = async () => undefined;
  #cold: ColdMoves | undefined;
  #stopGivingUp: () => Promise<void> = async () => undefined;
  readonly intake: GroupedIntake;
  readonly questions: SharedQuestions;
  readonly readers: Readers;
  readonly deletions: SharedDeletions;
  readonly words = undefined;
  readonly shards: EventShards;
  readonly accounts: SharedAccounts;
  readonly knowsVersions = false;

  private constructor(options: SharedStorageOptions) {
    this.#options = options;
    this.shards = eventShards(options.engine);
    const { engine, database, logger, limits, aging, epoch, arrivals, turns, onDuty, lookForNews } = options;
    const { flushed, merged } = options;
    this.#fieldStore = new FieldStore(database);
    this.#news = new FieldNewsReader(database);
    this.#answers = new Answers(database, limits.idempotencyWindow, aging);
    this.readers = new Readers(this.#datasets);
    this.#settings = new SettingsUpgrade({ engine, record: new SettingsRecord(database), logger });
    this.#merges = new QuietMerges({ engine, logger, limits, merged, busy: () => !onDuty() });
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
        if (outcome === 'stored') this.#merges.added();
      },
    });
    const keys = new Keys({
      engine,
      database,
      answers: this.#answers,
      arrivals,
      patience: limits.acceptMilliseconds,
    });
    this.intake = new GroupedIntake({
      engine,
      limits,
      keys,
      groups: this.#groups,
      isKnown: options.isKnown,
    });
    this.questions = new SharedQuestions((ids) => arrivals.settled.upTo(ids));
    this.accounts = new SharedAccounts({
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
      accounts: this.accounts,
      given: async () => {
        await lookForNews();
        return arrivals.settled.last;
      },
    });
  }

  static async open(options: SharedStorageOptions): Promise<SharedStorage> {
    const { engine, logger } = options;
    await prepareTables(options);
    const storage = new SharedStorage(options);
    for (const id of options.datasets()) storage.#datasets.set(id, storage.#made(id));
    await storage.#readFields();
    // Several may do it at once: each sets the same.
    storage.#settings.start();
    storage.#stopGivingUp = keepGivingUp(options);
    const { cold, moved, aging, onDuty } = options;
    if (cold !== undefined)
      storage.#cold = new ColdMoves({ engine, logger, aging, moved, limits: { ...cold, onDuty } });
    storage.#stopExpiring = runEvery(
      expireMilliseconds,
      () => storage.#expire(),
      (error) => logger.warn({ err: error }, 'old idempotency keys could not be removed'),
    );
    return storage;
  }

  /**
   * Takes over what other processes have changed: datasets that came and went, and names of fields.
   * @param changed names of tables of the metadata
   */
  async refresh(changed: ReadonlySet<string>): Promise<void> {
    if (changed.has('datasets')) await this.#refreshDatasets();
    if (!changed.has('field_news')) return;
    const news = await this.#news.next();
    if (news === undefined) return this.#readFields();
    for (const [id, fields] of news) this.#datasets.get(id)?.learnFrom(fields);
  }

  async #refreshDatasets(): Promise<void> {
    const { engine, datasets } = this.#options;
    const present = new Set(datasets());
    for (const id of this.#datasets.keys()) {
      if (present.has(id)) continue;
      this.#datasets.delete(id);
      this.readers.stop(id);
    }
    for (const id of present) {
      if (this.#datasets.has(id)) continue;
      this.#datasets.set(id, this.#made(id));
      // Whoever made it does this too, perhaps later. If it fails, the first insert does it.
      if (shardOf(engine, tableOf(id)).health().state === 'ready')
        await createSharedTable(engine, id).catch(() => undefined);
    }
  }

  async #readFields(): Promise<void> {
    await this.#news.begin();
    await this.#fieldStore.restore(this.#datasets);
  }

  #made(id: number): StoredDataset {
    return new StoredDataset(id, this.#options.limits.columns);
  }

  get coldBytes(): number {
    return this.#cold?.bytes ?? 0;
  }

  get pendingBytes(): number {
    return this.#groups.bytes;
  }

  get settled(): boolean {
    return this.pendingBytes === 0 && (this.#merges.done || !this.#options.onDuty());
  }

  dataset(id: number): StoredDataset | undefined {
    return this.#datasets.get(id);
  }

  draft(): StoredDataset {
    return this.#made(draftId);
  }

  versionOf(datasetIds: readonly number[]): string {
    const own = datasetIds.map((id) => `${id}:${this.#datasets.get(id)?.version}`).join(' ');
    return `${own} ${Math.floor(performance.now() / lookMilliseconds)}`;
  }

  has({ datasetId }: DatasetRef): boolean {
    return this.#datasets.has(datasetId);
  }

  async createDataset(dataset: DatasetRef): Promise<void> {
    const datasetId = placed(this.#options.engine, dataset);
    await createSharedTable(this.#options.engine, datasetId);
    if (!this.#datasets.has(datasetId)) this.#datasets.set(datasetId, this.#made(datasetId));
  }

  /**
   * May be called again, even while an earlier call is running. Other processes stop reading it
   * when they learn that it is gone.
   */
  async deleteDataset(dataset: DatasetRef): Promise<void> {
    const datasetId = placed(this.#options.engine, dataset);
    this.#datasets.delete(datasetId);
    this.readers.stop(datasetId);
    await this.#removals.run(datasetId, () => this.#remove(datasetId));
  }

  async #remove(datasetId: number): Promise<void> {
    const { engine, database } = this.#options;
    await dropTable(engine, datasetId);
    await this.#fieldStore.forget(datasetId);
    await this.#answers.forget(datasetId);
    await sql`DELETE FROM pending_keys WHERE dataset_id = ${datasetId}`.execute(database);
  }

  async #expire(): Promise<void> {
    const { database, limits } = this.#options;
    await this.#answers.expire();
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

  /** Those that go on by position go on to where nothing is under way. */
  async acknowledged(): Promise<bigint> {
    await this.#options.lookForNews();
    return this.#options.arrivals.settled.upTo();
  }

  health(): DataHealth {
    const { state, reason = '' } = this.#options.engine.health();
    const failures = [
      ...(state === 'ready' ? [] : [`engine ${state}${reason === '' ? '' : `: ${reason}`}`]),
      ...(this.#options.isKnown() ? [] : [forgotten]),
    ];
    const { full } = this.#groups;
    // Queries go on, and perhaps other datasets.
    const remarks = [
      ...shardsAway(this.#options.engine),
      ...(full === undefined ? [] : [full === 'disk-full' ? diskFull : tooManyParts]),
      ...this.#options.remarks(),
    ];
    return { ready: failures.length === 0, complete: true, reasons: [...failures, ...remarks] };
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
