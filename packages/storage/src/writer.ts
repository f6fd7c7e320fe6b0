import type { EncodeResult } from '@millrace/events';
import type { UsageByKey } from '@millrace/runtime/memory/fair-share';
import type { StoredDataset } from './fields/dataset.js';
import type { Idempotency } from './frame.js';
import type { StoredResponse } from './idempotency-store.js';

export interface AppendOptions {
  /** Nanoseconds since the epoch. */
  readonly arrival: bigint;
  readonly idempotency?: Idempotency;
  /**
   * Hash of a request without an idempotency key, by which a repetition is recognized; see
   * `BatchWriter.recognizesRepetitions`.
   */
  readonly digest?: string;
  /** The quota key whose share of the memory the events use; none if left out. */
  readonly party?: string;
}

export interface WriteResult {
  /** `_seq` of the rows. */
  readonly position: bigint;
  /** The events of another request with the same idempotency key are stored instead. */
  readonly repeated?: true;
}

/**
 * The write path for events. `LogWriter` acknowledges events in this process's log, `GroupedIntake`
 * events in an engine that other processes share.
 */
export interface BatchWriter {
  /**
   * Whether a request may fail although its events become stored, so that an equal one after it may
   * be its repetition.
   */
  readonly recognizesRepetitions: boolean;
  /**
   * Accepts encoded events, whose memory is then no longer the caller's. Resolved means that they
   * are durable, and visible to later queries.
   * @throws BackpressureError before any event is accepted; other errors when they could not be
   * made durable
   */
  append(dataset: StoredDataset, encoded: EncodeResult, options: AppendOptions): Promise<WriteResult>;
  /**
   * The response to an earlier request with this key, if its events were stored recently enough.
   */
  answer(dataset: StoredDataset, key: string): Promise<StoredResponse | undefined>;
  /**
   * Checks whether there is capacity for more.
   * @param onTheWay bytes that were admitted and not accepted yet, by quota key
   * @throws BackpressureError when ingest has to wait for the engine, other errors when it has to
   * wait for something else
   */
  checkRoom(onTheWay?: UsageByKey): void;
}
