import { type Engine, EngineError, type EngineErrorCode, type TableName } from '@millrace/engine';
import { type Block, DICTIONARY_STRING, nativeBlock, type NativeBlock, parsePhysicalName } from '@millrace/events';
import { call, column, type Expr, item, literal, not, select } from '@millrace/sql';
import type { Logger } from 'pino';
import type { FieldNews, StoredDataset } from './dataset.js';
import type { Idempotency } from './frame.js';
import { repeats } from './repeats.js';
import { addColumns, type NewColumn, rowsPerBatch, tableOf } from './table.js';

/** The events of one request, durable in the log and not yet in the engine. */
export interface Batch {
  /** Position in the log; `_seq` of its rows. */
  readonly position: bigint;
  /** Nanoseconds since the epoch; `_sysTime` of its rows. */
  readonly arrival: bigint;
  readonly block: Block;
  readonly bytes: number;
  readonly idempotency?: Idempotency;
}

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
}

/** Failures that come from what a batch holds: trying it again alone tells which one, trying it again unchanged is no use. */
const contentErrors: ReadonlySet<EngineErrorCode> = new Set(['bad-value', 'rejected', 'unknown-column']);

interface Waiter {
  readonly upTo: bigint;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

interface Queue {
  readonly dataset: StoredDataset;
  batches: Batch[];
  bytes: number;
  since: number;
  running: boolean;
  /** An insert failed half-way: the engine may have some of the rows already. */
  uncertain: boolean;
  /** After a failure that splitting may cure, batches go one by one. */
  single: boolean;
  retryAt: number;
  /** Of the last attempt. */
  failure: string | undefined;
  waiters: Waiter[];
}

/** A batch the engine refuses for what it holds. It stays in the log; health tells. */
export interface SetAside {
  readonly datasetId: number;
  readonly position: bigint;
  readonly reason: string;
}

/**
 * Brings batches from the log into the engine: small ones merged into one block, one insert at a time a dataset, columns
 * added before the rows that need them. Whatever fails stays queued; the log still has it.
 */
export class Flusher {
  readonly #deps: FlusherDependencies;
  readonly #queues = new Map<number, Queue>();
  /** Positions that are not in the engine yet, in order, and their datasets. */
  readonly #waiting = new Map<bigint, number>();
  readonly #setAside: SetAside[] = [];
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

  /** Batches the engine refuses; they are kept in the log. */
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
    if (queue.batches.length === 0) queue.since = Date.now();
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
    return new Promise((resolve, reject) => {
      queue.waiters.push({ upTo: last.position, resolve, reject });
      this.#start(queue, true);
    });
  }

  /** Flushes every dataset; failures are logged and stay queued. */
  async flushAll(): Promise<void> {
    await Promise.allSettled([...this.#queues.keys()].map((id) => this.flush(id)));
  }

  /** Drops what waits for a dataset that is being deleted. */
  forget(datasetId: number): void {
    const queue = this.#queues.get(datasetId);
    if (queue === undefined) return;
    this.#queues.delete(datasetId);
    for (const batch of queue.batches) this.#waiting.delete(batch.position);
    this.#bytes -= queue.bytes;
    queue.batches = [];
    queue.bytes = 0;
    this.#settle(queue);
  }

  stop(): void {
    this.#stopped = true;
    clearInterval(this.#timer);
    this.#stopListening();
  }

  #open(dataset: StoredDataset): Queue {
    const queue: Queue = {
      dataset,
      batches: [],
      bytes: 0,
      since: 0,
      running: false,
      uncertain: false,
      single: false,
      retryAt: 0,
      failure: undefined,
      waiters: [],
    };
    this.#queues.set(dataset.id, queue);
    return queue;
  }

  #tick(): void {
    const due = Date.now() - this.#deps.limits.flushMilliseconds;
    for (const queue of this.#queues.values()) if (queue.batches.length > 0 && queue.since <= due) this.#start(queue);
  }

  #start(queue: Queue, asked = false): void {
    if (queue.running || this.#stopped || queue.batches.length === 0) return;
    if (!asked && Date.now() < queue.retryAt) return;
    queue.running = true;
    void this.#run(queue);
  }

  async #run(queue: Queue): Promise<void> {
    try {
      while (queue.batches.length > 0 && !this.#stopped) {
        if (queue.uncertain) await this.#reconcile(queue);
        const group = this.#nextGroup(queue);
        if (group.length === 0) break;
        const started = performance.now();
        await this.#insert(queue, group);
        this.#deps.flushed('stored', (performance.now() - started) / 1000);
        this.#done(queue, group);
      }
      queue.single = false;
    } catch (error) {
      this.#failed(queue, error);
    } finally {
      queue.running = false;
    }
  }

  #nextGroup(queue: Queue): readonly Batch[] {
    if (queue.single) return queue.batches.slice(0, 1);
    let bytes = 0;
    let count = 0;
    for (const batch of queue.batches) {
      if (count > 0 && bytes + batch.bytes > this.#deps.limits.insertBytes) break;
      bytes += batch.bytes;
      count++;
    }
    return queue.batches.slice(0, count);
  }

  async #insert(queue: Queue, group: readonly Batch[], where?: Expr): Promise<void> {
    const { dataset } = queue;
    const native = nativeBlock(group.map(({ block, position, arrival }) => ({ block, seq: position, arrival })));
    await this.#prepare(dataset, group, native);
    await this.#deps.engine.insert({
      table: tableOf(dataset.id),
      columns: native.columns,
      chunks: native.chunks,
      ...(where !== undefined && { where }),
    });
  }

  /** The metadata knows every field, and the table has every column, before rows that use them arrive. */
  async #prepare(dataset: StoredDataset, group: readonly Batch[], native: NativeBlock): Promise<void> {
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
      return parsed === undefined
        ? []
        : [{ ...parsed, dictionary: type === DICTIONARY_STRING || repeats(name, group) }];
    });
    await addColumns(this.#deps.engine, dataset.id, columns);
    for (const { name } of missing) dataset.tableColumns.add(name);
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
    for (const batch of part) await this.#insert(queue, [batch], missingRows(tableOf(queue.dataset.id), batch));
    queue.uncertain = false;
    this.#done(queue, [...whole, ...part]);
  }

  #done(queue: Queue, stored: readonly Batch[]): void {
    if (stored.length === 0) return;
    const gone = new Set(stored);
    queue.batches = queue.batches.filter((batch) => !gone.has(batch));
    for (const batch of stored) {
      this.#waiting.delete(batch.position);
      queue.bytes -= batch.bytes;
      this.#bytes -= batch.bytes;
    }
    queue.since = Date.now();
    queue.failure = undefined;
    this.#settle(queue);
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
    queue.uncertain = true;
    queue.retryAt = Date.now() + this.#deps.limits.retryMilliseconds;
    queue.failure = error instanceof Error ? error.message : 'unknown';
    const detail = error instanceof EngineError ? { code: error.code, detail: error.detail } : { err: error };
    this.#deps.log.error({ dataset: queue.dataset.id, batches: queue.batches.length, ...detail }, 'flush failed');
    // A vacuum may have taken a column away meanwhile: ask for all of them again.
    queue.dataset.tableColumns.clear();
    if (error instanceof EngineError && contentErrors.has(error.code)) {
      if (queue.single) this.#putAside(queue, error.code);
      else queue.single = true;
    }
    for (const waiter of waiters) waiter.reject(error);
  }

  /** One batch the engine will not take must not hold up the others. */
  #putAside(queue: Queue, reason: string): void {
    const [batch, ...rest] = queue.batches;
    if (batch === undefined) return;
    queue.batches = rest;
    queue.bytes -= batch.bytes;
    this.#bytes -= batch.bytes;
    this.#setAside.push({ datasetId: queue.dataset.id, position: batch.position, reason });
    this.#deps.log.error({ dataset: queue.dataset.id, position: String(batch.position), reason }, 'batch set aside');
    this.#settle(queue);
  }
}

/** Holds for the rows of a batch that the table does not have. */
function missingRows({ database, table }: TableName, { position }: Batch): Expr {
  const present = select({
    columns: [item(column('_row'))],
    from: { kind: 'table', database, name: table },
    where: call('equals', column('_seq'), literal(position)),
  });
  return not({ kind: 'inSubquery', needle: column('_row'), query: present });
}
