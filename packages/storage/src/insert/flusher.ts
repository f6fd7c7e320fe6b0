import { type Engine, EngineError } from '@millrace/engine';
import type { Logger } from 'pino';
import { failureDetail } from '../failure-detail.js';
import { MetadataError } from '@millrace/metadata/metadata-error';
import type { Backlog } from './backlog.js';
import { classifyInsertError } from './classify-error.js';
import type { StoredDataset } from '../fields/dataset.js';
import type { InserterDependencies } from './failed-inserts.js';
import type { Inserter } from './inserter.js';
import { type Batch, failBatches, type Queue } from './queue.js';
import { SlotsOfShards } from './slots.js';
import type { StorageLimits } from '../storage-limits.js';

interface FlusherDependencies {
  readonly engine: Engine;
  readonly logger: Logger;
  readonly backlog: Backlog;
  readonly inserter: Inserter;
  readonly limits: StorageLimits;
  readonly flushed: InserterDependencies['flushed'];
}

/**
 * Maximum datasets per shard with an insert in flight. The embedded engine has two insert sessions;
 * the other datasets prepare their inserts or wait for a session. The engine queues far more before
 * it rejects any.
 */
const datasetsAtOnce = 16;

/**
 * Decides when batches go from the log into the engine: at a size, after a time, on request, and
 * again after a failure; one insert at a time per dataset. Batches that arrive during an insert
 * wait for their own time, because an insert costs as much for ten rows as for thousands. Failed
 * batches stay queued; the log still has them.
 */
export class Flusher {
  readonly #deps: FlusherDependencies;
  readonly #backlog: Backlog;
  readonly #slots: SlotsOfShards<Queue>;
  #timer: NodeJS.Timeout | undefined;
  /** When the timer ends, on the monotonic clock. */
  #timerAt = Infinity;
  readonly #stopListening: () => void;
  #isStopped = false;

  constructor(deps: FlusherDependencies) {
    this.#deps = deps;
    this.#backlog = deps.backlog;
    this.#slots = new SlotsOfShards(deps.engine, datasetsAtOnce, ({ waiters }) => waiters.length > 0);
    this.#stopListening = deps.engine.onReady(() => {
      for (const queue of this.#backlog.queues) {
        queue.retryAt = 0;
        this.#start(queue);
      }
    });
  }

  /** Why events are pending although an insert was due; absent if there is no failure. */
  get failure(): string | undefined {
    for (const { failure } of this.#backlog.queues) if (failure !== undefined) return failure;
    return undefined;
  }

  /**
   * Queues a durable batch. `uncertain`: the engine may already have some of its rows, as after a
   * crash.
   */
  add(dataset: StoredDataset, batch: Batch, uncertain = false): void {
    const queue = this.#backlog.add(dataset, batch);
    if (uncertain) queue.failed.addUnsure([batch]);
    this.#start(queue);
  }

  /**
   * Resolves when everything added to the dataset so far is in the engine and fsynced.
   * @param upTo batches after this position are not waited for
   * @throws EngineError, MetadataError when that is not possible now; the batches stay queued
   */
  flush(datasetId: number, upTo?: bigint): Promise<void> {
    const queue = this.#backlog.queue(datasetId);
    const last = queue?.batches.findLast(({ position }) => upTo === undefined || position <= upTo);
    if (queue === undefined || last === undefined) return Promise.resolve();
    if (this.#isStopped) return Promise.reject(stoppingError());
    return new Promise((resolve, reject) => {
      queue.waiters.push({ upTo: last.position, resolve, reject });
      this.#start(queue);
    });
  }

  /** Flushes every dataset; failures are logged and stay queued. */
  async flushAll(): Promise<void> {
    await Promise.allSettled([...this.#backlog.queues].map(({ dataset }) => this.flush(dataset.id)));
  }

  /**
   * Runs a task while no insert of the dataset runs; inserts continue after it. For tasks that read
   * a table and then act on the result.
   */
  runExclusively<T>(dataset: StoredDataset, task: () => Promise<T>): Promise<T> {
    const queue = this.#backlog.open(dataset);
    queue.tasks++;
    const result = queue.turn.then(task);
    const over = (): void => {
      queue.tasks--;
      this.#start(queue);
    };
    queue.turn = result.then(over, over);
    return result;
  }

  /**
   * Drops the pending batches of a dataset that is being deleted; resolves when no insert of it
   * runs any more.
   */
  async forget(datasetId: number): Promise<void> {
    await this.#backlog.forget(datasetId)?.turn;
  }

  /** Starts no more inserts; pending flushes are rejected. */
  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    this.#stopListening();
    for (const queue of this.#backlog.queues) failBatches(queue, stoppingError());
  }

  #tick(): void {
    this.#timerAt = Infinity;
    for (const queue of this.#backlog.queues) this.#start(queue);
  }

  #start(queue: Queue): void {
    if (queue.running) return;
    if (!this.#mayInsert(queue)) return this.#setTimer(queue);
    queue.running = true;
    queue.turn = queue.turn.then(() => this.#run(queue));
  }

  /** Wakes when the queue is due. There is no timer while nothing waits: an idle server sleeps. */
  #setTimer(queue: Queue): void {
    const at = this.#dueAt(queue);
    // After the tasks of a queue are over, it is started again.
    if (this.#isStopped || queue.tasks > 0 || at >= this.#timerAt) return;
    clearTimeout(this.#timer);
    this.#timerAt = at;
    this.#timer = setTimeout(() => this.#tick(), Math.max(1, at - performance.now())).unref();
  }

  /** Never rejects. */
  async #run(queue: Queue): Promise<void> {
    try {
      while (this.#mayInsert(queue)) await this.#slots.of(queue.dataset.id).run(queue, () => this.#next(queue));
      if (queue.batches.length === 0) queue.failure = undefined;
    } catch (error) {
      this.#recordFailure(queue, error);
    } finally {
      queue.running = false;
      this.#setTimer(queue);
    }
  }

  #mayInsert(queue: Queue): boolean {
    return queue.tasks === 0 && !this.#isStopped && this.#isDue(queue);
  }

  #isDue(queue: Queue): boolean {
    return queue.batches.length > 0 && (queue.waiters.length > 0 || performance.now() >= this.#dueAt(queue));
  }

  /**
   * When a queue is inserted unless a query asks for it before, on the monotonic clock. Few small
   * batches wait longer: an insert writes as much for one event as for hundreds.
   */
  #dueAt({ batches, bytes, retryAt, failure }: Queue): number {
    const [oldest] = batches;
    if (oldest === undefined) return Infinity;
    const { flushBytes, flushMilliseconds, trickle } = this.#deps.limits;
    // After a failure the health shows it until an insert succeeds.
    const isTrickle = failure === undefined && bytes < trickle.bytes && batches.length < trickle.batches;
    const wait = bytes >= flushBytes ? 0 : isTrickle ? trickle.milliseconds : flushMilliseconds;
    return Math.max(retryAt, oldest.since + wait);
  }

  async #next(queue: Queue): Promise<void> {
    // Checked again after the wait for a slot.
    if (this.#mayInsert(queue)) await this.#deps.inserter.next(queue);
  }

  #recordFailure(queue: Queue, error: unknown): void {
    this.#deps.flushed('failed', 0);
    queue.retryAt = performance.now() + this.#deps.limits.retryMilliseconds;
    // Public in the health response, so only this program's own messages may appear.
    const known = error instanceof EngineError || error instanceof MetadataError;
    queue.failure = known ? error.message : 'an internal error';
    this.#deps.logger.error(
      { dataset: queue.dataset.id, batches: queue.batches.length, ...failureDetail(error) },
      'flush failed',
    );
    failBatches(queue, toWaiters(error));
  }
}

/**
 * Hides an unclear failure from waiting callers, who would attribute it to their own statement.
 * They can only wait longer.
 */
function toWaiters(error: unknown): unknown {
  if (classifyInsertError(error) !== 'unclear') return error;
  return new EngineError('unavailable', error instanceof EngineError ? error.detail : String(error));
}

const stoppingError = (): EngineError => new EngineError('unavailable', 'the server is stopping');
