import type { EncodeResult } from '@millrace/events';
import { type AppendResult, type Log, LogError } from '@millrace/log';
import type { BatchWriter, WriteResult, AppendOptions } from './writer.js';
import type { IdempotencyStore, StoredResponse } from './idempotency-store.js';
import type { Backlog } from './insert/backlog.js';
import type { StoredDataset } from './fields/dataset.js';
import type { Flusher } from './insert/flusher.js';
import { memoryOf, writeFrame } from './frame.js';
import type { LogTruncator } from './log-truncator.js';
import { assertFairShare } from './backpressure.js';
import type { StorageLimits } from './storage-limits.js';
import { systemUsage, type UsageByKey, addUsage } from '@millrace/runtime/memory/fair-share';

interface IntakeDependencies {
  readonly log: Log;
  readonly backlog: Backlog;
  readonly flusher: Flusher;
  readonly truncator: LogTruncator;
  readonly idempotencyStore: IdempotencyStore;
  /** All datasets that exist. */
  readonly datasets: ReadonlyMap<number, StoredDataset>;
  readonly limits: StorageLimits;
}

/** Write path with a log: appends events to the log, then queues them for the engine. */
export class LogWriter implements BatchWriter {
  /** An append that fails stores nothing. */
  readonly recognizesRepetitions = false;
  readonly #deps: IntakeDependencies;

  constructor(deps: IntakeDependencies) {
    this.#deps = deps;
  }

  /**
   * Makes encoded events durable and queues them for the engine. The storage owns their memory from
   * then on. Resolved means fsynced.
   * @throws BackpressureError before any event is accepted; LogError when the log cannot append or
   * sync them
   */
  async append(dataset: StoredDataset, encoded: EncodeResult, options: AppendOptions): Promise<WriteResult> {
    const { backlog, flusher, truncator, idempotencyStore, datasets } = this.#deps;
    const { party } = options;
    this.checkRoom(party === undefined ? undefined : { party, all: 0, own: 0 });
    const chunks = writeFrame({ ...options, datasetId: dataset.id, block: encoded.block });
    const payloadBytes = chunks.reduce((sum, chunk) => sum + chunk.byteLength, 0);
    const bytes = memoryOf(encoded.block, payloadBytes);
    const { position, durable } = this.#reserve(chunks);
    backlog.expect(position, dataset.id);
    try {
      await durable;
      await truncator.begin(payloadBytes);
    } catch (error) {
      backlog.abandon(position);
      throw error;
    }
    // Before the batch is queued: overflow fields need no column, so a query may name them earlier.
    await dataset.learnOverflowed(encoded);
    // The dataset was deleted in the meantime.
    if (datasets.get(dataset.id) !== dataset) {
      backlog.abandon(position);
      return { position };
    }
    if (options.idempotency !== undefined) idempotencyStore.note(dataset.id, position, options.idempotency);
    // Registered together with the batch, not earlier: a query would name columns that no flush
    // could have created yet.
    dataset.learn(encoded.block, []);
    flusher.add(dataset, { ...options, position, block: encoded.block, bytes });
    dataset.invalidate();
    return { position };
  }

  answer(dataset: StoredDataset, key: string): Promise<StoredResponse | undefined> {
    return this.#deps.idempotencyStore.find(dataset.id, key);
  }

  /**
   * @throws BackpressureError when ingest has to wait for the engine, LogError when it has to wait
   * for the log
   */
  checkRoom(onTheWay: UsageByKey = systemUsage): void {
    const { backlog, log, truncator, limits } = this.#deps;
    // Bytes waiting for the fsync are in memory, like bytes waiting for the engine.
    const syncing = { all: log.stats().pendingBytes, own: 0 };
    const taken = addUsage(addUsage(backlog.takenBy(onTheWay.party), syncing), onTheWay);
    assertFairShare(taken, limits.maxPendingBytes);
    const refusal = log.refusal(0) ?? truncator.refusal;
    if (refusal !== undefined) throw this.#failWithCleanup(refusal);
  }

  #reserve(chunks: readonly Uint8Array[]): AppendResult {
    try {
      return this.#deps.log.append(chunks);
    } catch (error) {
      throw this.#failWithCleanup(error);
    }
  }

  /** A full log is truncated at once, not at the next regular check. */
  #failWithCleanup<E>(error: E): E {
    if (error instanceof LogError && error.code === 'log-full') void this.#deps.truncator.makeRoom();
    return error;
  }
}
