import type { EncodeResult } from '@millrace/events';
import { type Appended, LogError } from '@millrace/log';
import type { Query } from '@millrace/sql';
import type { DataHealth, DatasetRef, DatasetSize, EventData, StoredField } from '../event-data.js';
import { highestPosition, presentTables } from './all-tables.js';
import { StoredDataset } from './dataset.js';
import type { RememberedAnswer } from './answers.js';
import { Flusher } from './flusher.js';
import { type Idempotency, memoryOf, writeFrame } from './frame.js';
import { InterruptedDeletions } from './interrupted-deletions.js';
import { LogKeeper } from './log-keeper.js';
import { Questions } from './questions.js';
import { QuietMerges } from './quiet-merges.js';
import { recover, type RecoveryReport } from './recovery.js';
import { countMatching, deleteMatching, type Matching, type RowIdColumns } from './delete-matching.js';
import { verify, type VerifyReport } from './verify.js';
import { storedFields } from './readings.js';
import type { StorageOptions } from './storage-options.js';
import { StorageBehind } from './storage-behind.js';
import {
  createDatabase,
  createTable,
  deleteOlder,
  dropColumns,
  dropOlderPartitions,
  dropTable,
  emptyColumns,
  tableSize,
} from './table.js';

export interface AppendOptions {
  /** Nanoseconds since the epoch. */
  readonly arrival: bigint;
  readonly idempotency?: Idempotency;
}

/**
 * Events at rest: the log in front, the engine behind it. What `append` resolved is on disk and seen by every query that
 * calls `flush` first.
 */
export class Storage implements EventData {
  readonly #options: StorageOptions;
  readonly #datasets = new Map<number, StoredDataset>();
  readonly #flusher: Flusher;
  readonly #keeper: LogKeeper;
  readonly #interrupted: InterruptedDeletions;
  readonly #merges: QuietMerges;
  /** The way to ask the engine about datasets. */
  readonly questions: Questions;
  /** Positions of batches that were refused, now or before this start. */
  readonly #refused = new Set<bigint>();

  private constructor(options: StorageOptions) {
    this.#options = options;
    const { engine, log, logger, limits, fieldStore, answers } = options;
    this.#flusher = new Flusher({
      engine,
      log: logger,
      limits,
      flushed: options.flushed ?? (() => undefined),
      remember: async (datasetId, news, batches) => {
        if (news.length > 0) await fieldStore.add(datasetId, news);
        await answers.keep(datasetId, batches);
      },
      stored: async (batches) => {
        this.#merges.added();
        if (this.#refused.size === 0) return;
        for (const { position } of batches) {
          if (!this.#refused.has(position)) continue;
          await options.refused.remove(position);
          this.#refused.delete(position);
        }
      },
      refused: (datasetId, position) => this.#keepRefused(datasetId, position),
    });
    this.questions = new Questions(this.#flusher, log, (id) => this.#datasets.get(id));
    this.#interrupted = new InterruptedDeletions(engine, (id) => this.#changed(id));
    this.#merges = new QuietMerges({
      engine,
      log: logger,
      limits,
      busy: () => this.#flusher.pendingBytes > limits.flushBytes,
      merged: options.merged ?? (() => undefined),
    });
    this.#keeper = new LogKeeper({
      log,
      flusher: this.#flusher,
      logger,
      keepMilliseconds: limits.logKeepMilliseconds,
      keepBytes: limits.logKeepBytes,
    });
  }

  /** Opens the storage over a ready engine and an open log, and replays what the engine lacks. */
  static async open(options: StorageOptions): Promise<{ storage: Storage; recovery: RecoveryReport }> {
    const storage = new Storage(options);
    try {
      const recovery = await storage.#restore();
      // Not before: what has not been read back yet would count as stored.
      storage.#keeper.start();
      return { storage, recovery };
    } catch (error) {
      storage.stop();
      throw error;
    }
  }

  /** Bytes that are acknowledged and not yet in the engine. */
  get pendingBytes(): number {
    return this.#flusher.pendingBytes;
  }

  /** Whether everything is stored, and merged as far as it is to be. */
  get settled(): boolean {
    return this.pendingBytes === 0 && this.#merges.done;
  }

  /** Every position up to this one is in the engine. */
  get storedUpTo(): bigint {
    return this.#keeper.storedUpTo;
  }

  dataset(id: number): StoredDataset | undefined {
    return this.#datasets.get(id);
  }

  async createDataset({ datasetId }: DatasetRef): Promise<void> {
    await createTable(this.#options.engine, datasetId);
    if (!this.#datasets.has(datasetId))
      this.#datasets.set(datasetId, new StoredDataset(datasetId, this.#options.limits.columns));
  }

  /** Complete and immediate: nothing of the dataset can be queried afterwards, and its log frames are ignored. */
  async deleteDataset({ datasetId }: DatasetRef): Promise<void> {
    this.#datasets.delete(datasetId);
    // An insert in progress writes to the metadata too.
    await this.#flusher.forget(datasetId);
    await dropTable(this.#options.engine, datasetId);
    await this.#options.fieldStore.forget(datasetId);
    await this.#options.answers.forget(datasetId);
    await this.#options.refused.forget(datasetId);
  }

  /**
   * Makes encoded events durable and queues them for the engine; their memory is the storage's from then on. Resolved means fsynced.
   * @throws StorageBehind before anything is taken; LogError when the log cannot take or sync them
   */
  async append(dataset: StoredDataset, encoded: EncodeResult, options: AppendOptions): Promise<{ position: bigint }> {
    this.checkRoom();
    const overflowed = encoded.uses.filter((use) => !use.placed).map(({ field, type }) => ({ field, type }));
    const chunks = writeFrame({ ...options, datasetId: dataset.id, overflowed, block: encoded.block });
    const payloadBytes = chunks.reduce((sum, chunk) => sum + chunk.byteLength, 0);
    const bytes = memoryOf(encoded.block, payloadBytes);
    const { position, durable } = this.#reserve(chunks);
    this.#flusher.expect(position, dataset.id);
    try {
      await durable;
    } catch (error) {
      this.#flusher.abandon(position);
      throw error;
    }
    if (this.#datasets.get(dataset.id) !== dataset) {
      this.#flusher.abandon(position);
      return { position };
    }
    if (options.idempotency !== undefined) this.#options.answers.note(dataset.id, position, options.idempotency);
    // With the batch and not before it: a query would ask for columns that no flush can have made.
    dataset.learn(encoded.block, overflowed);
    this.#flusher.add(dataset, { ...options, position, block: encoded.block, bytes });
    dataset.changed();
    return { position };
  }

  /** What a request with that key was answered, if it was stored not too long ago. */
  answer(dataset: StoredDataset, key: string): Promise<RememberedAnswer | undefined> {
    return this.#options.answers.find(dataset.id, key);
  }

  /** How far a batch has come: in the log, or in the engine too. Undefined for a position that was never handed out. */
  stateOf(position: bigint): 'logged' | 'stored' | undefined {
    if (position < 1n || position > this.#options.log.stats().lastPosition) return undefined;
    return this.#flusher.isWaiting(position) || this.#refused.has(position) ? 'logged' : 'stored';
  }

  /**
   * @param onTheWay bytes that were let in and are not in the log yet
   * @throws StorageBehind when ingest has to wait for the engine, LogError when it has to wait for the log
   */
  checkRoom(onTheWay = 0): void {
    // What waits for the disk is held in memory as what waits for the engine is.
    const pending = this.#flusher.pendingBytes + this.#options.log.stats().pendingBytes + onTheWay;
    if (pending > this.#options.limits.pendingBytes) throw new StorageBehind(pending);
    const refusal = this.#options.log.refusal(0);
    if (refusal !== undefined) throw this.#makingRoom(refusal);
  }

  #reserve(chunks: readonly Uint8Array[]): Appended {
    try {
      return this.#options.log.append(chunks);
    } catch (error) {
      throw this.#makingRoom(error);
    }
  }

  /** What is stored leaves a log that is full at once, not at the next occasion. */
  #makingRoom<E>(error: E): E {
    if (error instanceof LogError && error.code === 'log-full') void this.#keeper.makeRoom();
    return error;
  }

  /**
   * Brings everything acknowledged so far into the engine: what a query does first, to read what was written.
   * @throws EngineError when the engine cannot take it right now
   */
  async flush(datasetIds: readonly number[]): Promise<void> {
    await Promise.all(datasetIds.map((id) => this.#flusher.flush(id)));
  }

  async trim({ datasetId }: DatasetRef, olderThan: bigint): Promise<number> {
    const { engine } = this.#options;
    const dataset = this.#datasets.get(datasetId);
    if (dataset === undefined) return 0;
    const upTo = await this.#checkpoint(datasetId);
    // Between the question which partitions may go and their going, nothing may come into one.
    const deleting = async (): Promise<number> => {
      const whole = () => dropOlderPartitions(engine, datasetId, olderThan, upTo);
      return (
        (await this.#flusher.exclusively(dataset, whole)) + (await deleteOlder(engine, datasetId, olderThan, upTo))
      );
    };
    return deleting().finally(() => this.#changed(datasetId));
  }

  /** Counts the events of a dataset that a query gives and, if asked to, deletes exactly those. */
  async deleteMatching({ datasetId }: DatasetRef, query: Query, id: RowIdColumns, commit: boolean): Promise<Matching> {
    const { engine } = this.#options;
    const upTo = commit ? await this.#checkpoint(datasetId) : undefined;
    if (!commit) await this.#flusher.flush(datasetId);
    const matching = await countMatching(engine, query, id, upTo);
    if (upTo === undefined) return matching;
    const deleting = matching.rows > 0 ? deleteMatching(engine, datasetId, query, id, upTo) : Promise.resolve();
    // Also when nothing matches: a deletion that a crash interrupted goes on in the engine without a word to us.
    await deleting.finally(() => this.#changed(datasetId));
    return matching;
  }

  /** Also after a deletion that failed: it may have taken some. */
  #changed(datasetId: number): void {
    this.#datasets.get(datasetId)?.changed();
  }

  /** Brings everything acknowledged so far into the engine; answers the position up to which all of it is there. */
  async settle(): Promise<bigint> {
    const upTo = this.#options.log.stats().durablePosition;
    // Batches that have just become durable are queued in the promise jobs that are due now.
    await new Promise((resolve) => setImmediate(resolve));
    await this.flush([...this.#datasets.keys()]);
    return upTo;
  }

  /** Positions of acknowledged batches that the engine refuses. */
  get refused(): readonly bigint[] {
    return this.#flusher.setAside.map(({ position }) => position);
  }

  /** Recounts what the log holds against what the engine has. */
  async verify(): Promise<VerifyReport> {
    const { log, engine, fieldStore } = this.#options;
    const upTo = await this.settle();
    return verify(log, engine, {
      upTo,
      exists: (id) => this.#datasets.has(id),
      checkpoints: () => fieldStore.checkpoints(),
    });
  }

  /** Removes the columns no event uses. Fields in the overflow column cost nothing and stay. */
  async vacuum({ datasetId }: DatasetRef): Promise<readonly string[]> {
    const dataset = this.#datasets.get(datasetId);
    if (dataset === undefined) return [];
    await this.#flusher.flush(datasetId);
    await this.#merges.interrupt(datasetId);
    // Between the question which columns are empty and their going, nothing may come into one.
    const empty = await this.#flusher.exclusively(dataset, async () => {
      const found = await emptyColumns(this.#options.engine, datasetId, dataset.columns());
      await this.#options.fieldStore.removeColumns(datasetId, found);
      dataset.drop(found);
      // Events that wait were placed before; they bring their columns back.
      for (const { block } of this.#flusher.waitingOf(datasetId)) dataset.learn(block, []);
      await dropColumns(this.#options.engine, datasetId, found);
      return found;
    });
    const left = new Set([...dataset.fields.entries()].map(([field]) => field));
    return [...new Set(empty.map(({ field }) => field))].filter((field) => !left.has(field));
  }

  fields({ datasetId }: DatasetRef): readonly StoredField[] {
    const dataset = this.#datasets.get(datasetId);
    return dataset === undefined ? [] : storedFields(dataset);
  }

  async info({ datasetId }: DatasetRef): Promise<DatasetSize> {
    await this.flush([datasetId]);
    return tableSize(this.#options.engine, datasetId);
  }

  health(): DataHealth {
    const engine = this.#options.engine.health();
    const { failure } = this.#options.log.stats();
    const { setAside, failure: waiting } = this.#flusher;
    const failures = [
      ...(engine.state === 'ready' ? [] : [`engine ${engine.state}${engine.reason ? `: ${engine.reason}` : ''}`]),
      ...(failure === undefined ? [] : [failure.message]),
      ...(waiting === undefined ? [] : [`events wait in the log to be stored: ${waiting}`]),
    ];
    const refused =
      setAside.length === 0
        ? []
        : [
            `${setAside.length} batches of events were refused by the engine; they are kept and tried again at each start`,
          ];
    // What was refused is worth knowing, and no reason to send nothing here.
    return { ready: failures.length === 0, reasons: [...failures, ...refused] };
  }

  /** Flushes what it can and stops. The engine and the log stay open; whoever opened them closes them. */
  async close(): Promise<void> {
    await this.#flusher.flushAll();
    await this.#merges.stop();
    this.stop();
    await this.#keeper.makeRoom();
  }

  /** Stops at once, as `close` does in the end. */
  stop(): void {
    this.#flusher.stop();
    this.#keeper.stop();
    this.#interrupted.stop();
    void this.#merges.stop();
  }

  /**
   * Before rows go missing on purpose: a replay must not bring them back. Answers the position up to which every batch
   * of the dataset is in the engine; only rows of these may be deleted.
   */
  async #checkpoint(id: number): Promise<bigint> {
    await this.#flusher.flush(id);
    const upTo = (this.#flusher.oldestWaitingOf(id) ?? this.#options.log.stats().lastPosition + 1n) - 1n;
    await this.#options.fieldStore.checkpoint(id, upTo);
    // A deletion would wait for it.
    await this.#merges.interrupt(id);
    return upTo;
  }

  async #keepRefused(datasetId: number, position: bigint): Promise<void> {
    if (this.#refused.has(position)) return;
    const frame = await this.#options.log.readAt(position);
    if (frame === undefined) throw new Error(`the log has no frame ${position}`);
    await this.#options.refused.keep(position, datasetId, frame.payload);
    this.#refused.add(position);
  }

  async #restore(): Promise<RecoveryReport> {
    const { engine, fieldStore, answers, refused, log, datasets, limits } = this.#options;
    await createDatabase(engine);
    const known = await fieldStore.load();
    const there = await presentTables(engine);
    for (const id of datasets) {
      const dataset = new StoredDataset(id, limits.columns);
      dataset.restore(known.fields.get(id) ?? []);
      this.#datasets.set(id, dataset);
      if (!there.has(id)) await createTable(engine, id);
    }
    // A log that was lost or salvaged must not number batches like rows that are there: they would count as stored.
    if (datasets.length > 0) log.continueAfter(await highestPosition(engine, log.stats().lastPosition));
    for (const { position } of await refused.list()) {
      this.#refused.add(position);
      // In a restored directory the log is new, and some may have been refused after the backup was cut.
      log.continueAfter(position);
    }
    return recover({
      log,
      refused,
      engine,
      flusher: this.#flusher,
      maxPendingBytes: limits.pendingBytes,
      dataset: (id) => this.#datasets.get(id),
      replayed: (position, { datasetId, idempotency }) => {
        if (idempotency !== undefined) answers.note(datasetId, position, idempotency);
      },
      checkpoint: (id) => known.checkpoints.get(id) ?? 0n,
    });
  }
}
