import { type Engine, EngineError, type EngineErrorCode, type TableName } from '@millrace/engine';
import { DICTIONARY_STRING, nativeBlocks, type NativeBlocks, parsePhysicalName } from '@millrace/events';
import { call, column, type Expr, item, literal, not, select } from '@millrace/sql';
import type { Logger } from 'pino';
import type { FieldNews, StoredDataset } from './dataset.js';
import { noteRows } from './identifying.js';
import { giveBack } from './give-back.js';
import { inOnePartition } from './one-partition.js';
import { type Batch, newQueue, nextGroup, type Queue } from './queue.js';
import { repeats } from './repeats.js';
import { rowsPerPart } from './rows-per-part.js';
import type { SetAside } from './refused.js';
import { isShort } from './short.js';
import { Slots } from './slots.js';
import { isSparse } from './sparse.js';
import { addColumns, type NewColumn, rowsPerBatch, tableOf } from './table.js';

export interface FlusherLimits {
  /** A dataset with so many bytes waiting is flushed at once. */
  readonly flushBytes: number;
  /** Nothing waits longer than this, milliseconds. */
  readonly flushMilliseconds: number;
  /** One insert takes at most so many bytes, unless a single batch is larger. */
  readonly insertBytes: number;
  /** Pause before a failed insert is tried again, milliseconds. */
  readonly retryMilliseconds: number;
}

export interface FlusherDependencies {
  readonly engine: Engine;
  readonly log: Logger;
  readonly limits: FlusherLimits;
  /** Called after each insert, for the metrics. */
  readonly flushed: (outcome: 'stored' | 'failed', seconds: number) => void;
  /** Writes what was learned about fields, and the answers that belong to batches, to the metadata; resolved means durable. */
  readonly remember: (datasetId: number, news: readonly FieldNews[], batches: readonly Batch[]) => Promise<void>;
  /** Batches are in the engine. */
  readonly stored: (batches: readonly Batch[]) => Promise<void>;
  /** Takes care of a batch the engine refuses; resolved means durable, and the log may let go of it. */
  readonly refused: (datasetId: number, position: bigint) => Promise<void>;
}

/** Failures that come from what a batch holds: trying it again alone tells which one, trying it again unchanged is no use. */
const contentErrors: ReadonlySet<EngineErrorCode> = new Set(['bad-value', 'rejected', 'unknown-column']);
/** Failures that smaller inserts may not meet. */
const splittable: ReadonlySet<EngineErrorCode> = new Set([...contentErrors, 'memory-limit']);

/** Datasets that are inserted into at once: enough to keep the disk busy, and far fewer than the engine lets wait before it refuses. */
const datasetsAtOnce = 16;

/**
 * Brings batches from the log into the engine: small ones merged into one block, one insert at a time a dataset, columns
 * added before the rows that need them. Whatever fails stays queued; the log still has it.
 */
export class Flusher {
  readonly #deps: FlusherDependencies;
  readonly #queues = new Map<number, Queue>();
  /** Positions that are not in the engine yet, in order, and their datasets. */
  readonly #waiting = new Map<bigint, number>();
  readonly #slots = new Slots<Queue>(datasetsAtOnce, ({ waiters }) => waiters.length > 0);
  #setAside: readonly SetAside[] = [];
  readonly #timer: NodeJS.Timeout;
  readonly #stopListening: () => void;
  #bytes = 0;
  #stopped = false;

  constructor(deps: FlusherDependencies) {
    this.#deps = deps;
    this.#timer = setInterval(() => this.#tick(), Math.max(20, deps.limits.flushMilliseconds / 4));
    this.#timer.unref();
    this.#stopListening = deps.engine.onReady(() => {
      for (const queue of this.#queues.values()) {
        queue.retryAt = 0;
        this.#start(queue);
      }
    });
  }

  /** Bytes that are in the log and not yet in the engine. */
  get pendingBytes(): number {
    return this.#bytes;
  }

  /** Why events are waiting although the engine was asked to take them; absent when all goes well. */
  get failure(): string | undefined {
    for (const { failure } of this.#queues.values()) if (failure !== undefined) return failure;
    return undefined;
  }

  /** Batches the engine refuses. */
  get setAside(): readonly SetAside[] {
    return this.#setAside;
  }

  /** The oldest position that is not in the engine yet; the log keeps everything from there on. */
  get oldestWaiting(): bigint | undefined {
    return this.#waiting.keys().next().value;
  }

  /** Whether a position is not in the engine yet. */
  isWaiting(position: bigint): boolean {
    return this.#waiting.has(position);
  }

  /** Notes a position before its batch is durable, so that the log is not released past it meanwhile. */
  expect(position: bigint, datasetId: number): void {
    this.#waiting.set(position, datasetId);
  }

  /** The oldest position of a dataset that is not in the engine yet. */
  oldestWaitingOf(datasetId: number): bigint | undefined {
    for (const [position, id] of this.#waiting) if (id === datasetId) return position;
    return undefined;
  }

  /** The position will never be added: its append failed or its dataset is gone. */
  abandon(position: bigint): void {
    this.#waiting.delete(position);
  }

  /** Queues a durable batch. `uncertain`: the engine may have some of its rows, as after a crash. */
  add(dataset: StoredDataset, batch: Batch, uncertain = false): void {
    const queue = this.#queues.get(dataset.id) ?? this.#open(dataset);
    if (queue.batches.length === 0) queue.since = performance.now();
    queue.batches.push(batch);
    queue.bytes += batch.bytes;
    queue.uncertain ||= uncertain;
    this.#bytes += batch.bytes;
    this.#waiting.set(batch.position, dataset.id);
    if (queue.bytes >= this.#deps.limits.flushBytes) this.#start(queue);
  }

  /**
   * Resolves when everything added to the dataset so far is in the engine and fsynced.
   * @throws EngineError when it cannot be right now; the batches stay queued
   */
  flush(datasetId: number): Promise<void> {
    const queue = this.#queues.get(datasetId);
    const last = queue?.batches.at(-1);
    if (queue === undefined || last === undefined) return Promise.resolve();
    if (this.#stopped) return Promise.reject(stopping());
    return new Promise((resolve, reject) => {
      queue.waiters.push({ upTo: last.position, resolve, reject });
      this.#start(queue, true);
    });
  }

  /** Flushes every dataset; failures are logged and stay queued. */
  async flushAll(): Promise<void> {
    await Promise.allSettled([...this.#queues.keys()].map((id) => this.flush(id)));
  }

  /**
   * Runs a task while nothing of the dataset is being inserted; inserts go on when it is over.
   * For what looks at a table and then acts on what it saw.
   */
  exclusively<T>(dataset: StoredDataset, task: () => Promise<T>): Promise<T> {
    const queue = this.#queues.get(dataset.id) ?? this.#open(dataset);
    queue.tasks++;
    const result = queue.turn.then(task);
    const over = (): void => {
      queue.tasks--;
      this.#start(queue, queue.waiters.length > 0);
    };
    queue.turn = result.then(over, over);
    return result;
  }

  /** Whether some rows of a batch that waits may be in the engine. */
  isUncertain(datasetId: number): boolean {
    return this.#queues.get(datasetId)?.uncertain === true;
  }

  /** Batches of a dataset that wait. */
  waitingOf(datasetId: number): readonly Batch[] {
    return this.#queues.get(datasetId)?.batches ?? [];
  }

  /** Drops what waits for a dataset that is being deleted; resolves when nothing of it is being inserted any more. */
  async forget(datasetId: number): Promise<void> {
    this.#setAside = this.#setAside.filter((batch) => batch.datasetId !== datasetId);
    for (const [position, id] of this.#waiting) if (id === datasetId) this.#waiting.delete(position);
    const queue = this.#queues.get(datasetId);
    if (queue === undefined) return;
    this.#queues.delete(datasetId);
    this.#bytes -= queue.bytes;
    queue.batches = [];
    queue.bytes = 0;
    this.#settle(queue);
    await queue.turn;
  }

  /** Starts no more inserts; whoever waits for one is told that it will not come. */
  stop(): void {
    this.#stopped = true;
    clearInterval(this.#timer);
    this.#stopListening();
    for (const queue of this.#queues.values()) {
      for (const { reject } of queue.waiters) reject(stopping());
      queue.waiters = [];
    }
  }

  #open(dataset: StoredDataset): Queue {
    const queue = newQueue(dataset);
    this.#queues.set(dataset.id, queue);
    return queue;
  }

  #tick(): void {
    const due = performance.now() - this.#deps.limits.flushMilliseconds;
    for (const queue of this.#queues.values()) if (queue.batches.length > 0 && queue.since <= due) this.#start(queue);
  }

  #start(queue: Queue, asked = false): void {
    if (queue.running || this.#stopped || queue.batches.length === 0) return;
    if (!asked && performance.now() < queue.retryAt) return;
    queue.running = true;
    queue.turn = queue.turn.then(() => this.#run(queue));
  }

  /** Never rejects. */
  async #run(queue: Queue): Promise<void> {
    try {
      while (this.#mayInsert(queue)) await this.#slots.run(queue, () => this.#next(queue));
      if (queue.batches.length === 0) queue.failure = undefined;
    } catch (error) {
      this.#failed(queue, error);
    } finally {
      queue.running = false;
    }
  }

  #mayInsert(queue: Queue): boolean {
    return queue.batches.length > 0 && queue.tasks === 0 && !this.#stopped;
  }

  async #next(queue: Queue): Promise<void> {
    // It may have waited long for its slot.
    if (!this.#mayInsert(queue)) return;
    if (queue.uncertain) await this.#reconcile(queue);
    else await this.#attempt(queue, nextGroup(queue, this.#deps.limits.insertBytes));
  }

  /**
   * Inserts a group. If the engine refuses it for what it holds, its batches are tried alone next; a batch that is refused
   * alone is put aside, so that it holds up neither the others nor those who wait for them.
   * @throws what else went wrong, for the whole queue to wait a while
   */
  async #attempt(queue: Queue, group: readonly Batch[], where?: Expr): Promise<void> {
    const started = performance.now();
    try {
      await this.#insert(queue, group, where);
    } catch (error) {
      const code = error instanceof EngineError ? error.code : undefined;
      const alone = group.length === 1 && queue.suspects.has(group[0]!.position);
      if (code === undefined || !splittable.has(code) || (alone && !contentErrors.has(code))) throw error;
      this.#deps.flushed('failed', 0);
      this.#unsure(queue);
      for (const { position } of group) queue.suspects.add(position);
      if (alone) await this.#putAside(queue, group[0]!, error as EngineError);
      return;
    }
    this.#deps.flushed('stored', (performance.now() - started) / 1000);
    await this.#done(queue, group);
    giveBack(group);
  }

  async #insert(queue: Queue, group: readonly Batch[], where?: Expr): Promise<void> {
    const { dataset } = queue;
    const native = nativeBlocks(group.map(({ block, position, arrival }) => ({ block, seq: position, arrival })));
    await this.#prepare(dataset, group, native);
    if (!inOnePartition(group)) await dataset.wholeBatches.beforeInsert();
    await this.#deps.engine.insert({
      table: tableOf(dataset.id),
      columns: native.columns,
      chunks: native.chunks,
      ...rowsPerPart(native, queue.waiters.length > 0),
      ...(where !== undefined && { where }),
    });
  }

  /** The metadata knows every field, and the table has every column, before rows that use them arrive. */
  async #prepare(dataset: StoredDataset, group: readonly Batch[], native: NativeBlocks): Promise<void> {
    const news = dataset.takeNews();
    try {
      await this.#deps.remember(dataset.id, news, group);
    } catch (error) {
      dataset.returnNews(news);
      throw error;
    }
    const missing = native.columns.filter(({ name }) => !dataset.tableColumns.has(name));
    const columns = missing.flatMap(({ name, type }): readonly NewColumn[] => {
      const parsed = parsePhysicalName(name);
      const dictionary = type === DICTIONARY_STRING || repeats(name, group);
      if (parsed === undefined) return [];
      return [{ ...parsed, dictionary, sparse: isSparse(name, group), short: isShort(name, group) }];
    });
    await addColumns(this.#deps.engine, dataset.id, columns);
    for (const { name } of missing) dataset.tableColumns.add(name);
    noteRows(this.#deps.engine, this.#deps.log, dataset, native.rows);
  }

  /** Asks the engine what it has of the queued batches, drops those it has whole and completes those it has in part. */
  async #reconcile(queue: Queue): Promise<void> {
    const first = queue.batches[0];
    if (first === undefined) return;
    const present = await rowsPerBatch(this.#deps.engine, queue.dataset.id, first.position);
    const whole = queue.batches.filter((batch) => present.get(batch.position) === batch.block.rows);
    const part = queue.batches.filter((batch) => {
      const rows = present.get(batch.position);
      return rows !== undefined && rows !== batch.block.rows;
    });
    queue.uncertain = false;
    await this.#done(queue, whole);
    for (const batch of part) {
      // What was half in comes first, so that nothing is merged with it.
      await this.#attempt(queue, [batch], missingRows(tableOf(queue.dataset.id), batch));
      if (queue.uncertain) return;
    }
  }

  async #done(queue: Queue, stored: readonly Batch[]): Promise<void> {
    if (stored.length === 0) return;
    try {
      await this.#deps.stored(stored);
    } catch (error) {
      // They are in, and not to be inserted again.
      this.#unsure(queue);
      throw error;
    }
    this.#take(queue, new Set(stored));
    for (const { position } of stored) this.#waiting.delete(position);
    queue.since = performance.now();
    queue.failure = undefined;
    this.#settle(queue);
  }

  /** Batches leave the queue; none does twice, also when the dataset was deleted meanwhile. */
  #take(queue: Queue, leaving: ReadonlySet<Batch>): void {
    for (const { bytes, position } of queue.batches.filter((batch) => leaving.has(batch))) {
      queue.suspects.delete(position);
      queue.bytes -= bytes;
      this.#bytes -= bytes;
    }
    queue.batches = queue.batches.filter((batch) => !leaving.has(batch));
  }

  #settle(queue: Queue): void {
    const first = queue.batches[0]?.position;
    const ready = queue.waiters.filter((waiter) => first === undefined || waiter.upTo < first);
    queue.waiters = queue.waiters.filter((waiter) => !ready.includes(waiter));
    for (const waiter of ready) waiter.resolve();
  }

  #failed(queue: Queue, error: unknown): void {
    this.#deps.flushed('failed', 0);
    const waiters = queue.waiters;
    queue.waiters = [];
    queue.retryAt = performance.now() + this.#deps.limits.retryMilliseconds;
    queue.failure = error instanceof Error ? error.message : 'unknown';
    const detail = error instanceof EngineError ? { code: error.code, detail: error.detail } : { err: error };
    this.#deps.log.error({ dataset: queue.dataset.id, batches: queue.batches.length, ...detail }, 'flush failed');
    this.#unsure(queue);
    for (const waiter of waiters) waiter.reject(error);
  }

  /** After an insert that failed: rows may be in, and a column may have gone. */
  #unsure(queue: Queue): void {
    queue.uncertain = true;
    queue.dataset.tableColumns.clear();
  }

  async #putAside(queue: Queue, batch: Batch, { code, detail }: EngineError): Promise<void> {
    await this.#deps.refused(queue.dataset.id, batch.position);
    // Its dataset was deleted meanwhile.
    if (!queue.batches.includes(batch)) return;
    this.#waiting.delete(batch.position);
    this.#take(queue, new Set([batch]));
    this.#setAside = [...this.#setAside, { datasetId: queue.dataset.id, position: batch.position, reason: code }];
    this.#deps.log.error(
      { dataset: queue.dataset.id, position: String(batch.position), code, detail },
      'the engine refuses a batch of events; it is kept',
    );
    this.#settle(queue);
  }
}

const stopping = (): EngineError => new EngineError('unavailable', 'the server is stopping');

/** Holds for the rows of a batch that the table does not have. */
function missingRows({ database, table }: TableName, { position }: Batch): Expr {
  const present = select({
    columns: [item(column('_row'))],
    from: { kind: 'table', database, name: table },
    where: call('equals', column('_seq'), literal(position)),
  });
  return not({ kind: 'inSubquery', needle: column('_row'), query: present });
}
