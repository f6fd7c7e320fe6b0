import { type Engine, EngineError } from '@millrace/engine';
import type { Logger } from 'pino';
import { failureDetail } from '../failure-detail.js';
import { MetadataError } from '../../metadata/metadata-error.js';
import type { Backlog } from './backlog.js';
import { blameOf } from './blame.js';
import type { StoredDataset } from '../fields/dataset.js';
import type { InserterDependencies } from './failed-inserts.js';
import type { Inserter } from './inserter.js';
import { type Batch, fail, type Queue } from './queue.js';
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
 * The most datasets of a shard that may have an insert under way. The embedded engine has two
 * insert sessions; the other datasets prepare their inserts or wait for a session. That is far
 * fewer than the engine lets wait before it refuses more.
 */
const datasetsAtOnce = 16;

/**
 * Decides when batches go from the log into the engine: at a size, after a time, when somebody
 * asks, and again after a failure; one insert at a time per dataset. Batches that come meanwhile
 * wait for their own time, because an insert costs as much for ten rows as for thousands. Whatever
 * fails stays queued; the log still has it.
 */
export class Flusher {
  readonly #deps: FlusherDependencies;
  readonly #backlog: Backlog;
  readonly #slots: SlotsOfShards<Queue>;
  readonly #timer: NodeJS.Timeout;
  readonly #stopListening: () => void;
  #stopped = false;

  constructor(deps: FlusherDependencies) {
    this.#deps = deps;
    this.#backlog = deps.backlog;
    this.#slots = new SlotsOfShards(deps.engine, datasetsAtOnce, ({ waiters }) => waiters.length > 0);
    this.#timer = setInterval(() => this.#tick(), Math.max(20, deps.limits.flushMilliseconds / 4));
    this.#timer.unref();
    this.#stopListening = deps.engine.onReady(() => {
      for (const queue of this.#backlog.queues) {
        queue.retryAt = 0;
        this.#start(queue);
      }
    });
  }

  /**
   * Why events are waiting although the engine was asked to take them; absent when all goes well.
   */
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
   * @param upTo nothing behind this position is waited for
   * @throws EngineError, MetadataError when that is not possible right now; the batches stay queued
   */
  flush(datasetId: number, upTo?: bigint): Promise<void> {
    const queue = this.#backlog.queue(datasetId);
    const last = queue?.batches.findLast(({ position }) => upTo === undefined || position <= upTo);
    if (queue === undefined || last === undefined) return Promise.resolve();
    if (this.#stopped) return Promise.reject(stopping());
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
   * Runs a task while nothing of the dataset is being inserted; inserts go on when it is over. For
   * tasks that look at a table and then act on what they saw.
   */
  exclusively<T>(dataset: StoredDataset, task: () => Promise<T>): Promise<T> {
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
   * Drops what waits for a dataset that is being deleted; resolves when nothing of it is being
   * inserted any more.
   */
  async forget(datasetId: number): Promise<void> {
    await this.#backlog.forget(datasetId)?.turn;
  }

  /** Starts no more inserts; whoever waits for one is told that it will not come. */
  stop(): void {
    this.#stopped = true;
    clearInterval(this.#timer);
    this.#stopListening();
    for (const queue of this.#backlog.queues) fail(queue, stopping());
  }

  #tick(): void {
    for (const queue of this.#backlog.queues) this.#start(queue);
  }

  #start(queue: Queue): void {
    if (queue.running || !this.#mayInsert(queue)) return;
    queue.running = true;
    queue.turn = queue.turn.then(() => this.#run(queue));
  }

  /** Never rejects. */
  async #run(queue: Queue): Promise<void> {
    try {
      while (this.#mayInsert(queue)) await this.#slots.of(queue.dataset.id).run(queue, () => this.#next(queue));
      if (queue.batches.length === 0) queue.failure = undefined;
    } catch (error) {
      this.#failed(queue, error);
    } finally {
      queue.running = false;
    }
  }

  #mayInsert(queue: Queue): boolean {
    return queue.tasks === 0 && !this.#stopped && this.#isDue(queue);
  }

  #isDue({ batches, waiters, bytes, retryAt }: Queue): boolean {
    const [oldest] = batches;
    if (oldest === undefined) return false;
    if (waiters.length > 0) return true;
    const now = performance.now();
    const { flushBytes, flushMilliseconds } = this.#deps.limits;
    return now >= retryAt && (bytes >= flushBytes || now - oldest.since >= flushMilliseconds);
  }

  async #next(queue: Queue): Promise<void> {
    // Checked again, because it may have waited long for its slot.
    if (this.#mayInsert(queue)) await this.#deps.inserter.next(queue);
  }

  #failed(queue: Queue, error: unknown): void {
    this.#deps.flushed('failed', 0);
    queue.retryAt = performance.now() + this.#deps.limits.retryMilliseconds;
    // Health shows it to everybody, so only this program's own messages may appear.
    const known = error instanceof EngineError || error instanceof MetadataError;
    queue.failure = known ? error.message : 'an internal error';
    this.#deps.logger.error(
      { dataset: queue.dataset.id, batches: queue.batches.length, ...failureDetail(error) },
      'flush failed',
    );
    fail(queue, toWaiters(error));
  }
}

/**
 * Whoever waits would take an unclear failure for one of their own statement. All they can do is
 * wait for longer.
 */
function toWaiters(error: unknown): unknown {
  if (blameOf(error) !== 'unclear') return error;
  return new EngineError('unavailable', error instanceof EngineError ? error.detail : String(error));
}

const stopping = (): EngineError => new EngineError('unavailable', 'the server is stopping');
