import type { EncodeResult } from '@millrace/events';
import type { TakenFor } from '../memory/taken-bytes.js';
import type { StoredDataset } from './fields/dataset.js';
import type { Idempotency } from './frame.js';
import type { RememberedAnswer } from './remembered-answers.js';

export interface AppendOptions {
  /** Nanoseconds since the epoch. */
  readonly arrival: bigint;
  readonly idempotency?: Idempotency;
  /** Whose the events are, among those who share the memory; nobody's if left out. */
  readonly party?: string;
}

export interface Accepted {
  /** `_seq` of the rows. */
  readonly position: bigint;
  /** Another request with the same idempotency key was the one that was stored. */
  readonly repeated?: true;
}

/**
 * The way in for events. `Intake` acknowledges what is in the log of this process, `GroupedIntake`
 * what is in an engine that other processes share.
 */
export interface Acceptance {
  /**
   * Takes encoded events, whose memory is no longer the caller's. Resolved means that no crash
   * loses them, and that queries which begin later see them.
   * @throws StorageBehind before anything is taken; other errors when they could not be made
   * durable
   */
  append(dataset: StoredDataset, encoded: EncodeResult, options: AppendOptions): Promise<Accepted>;
  /**
   * The answer to an earlier request with this key, if its events were stored recently enough to be
   * remembered.
   */
  answer(dataset: StoredDataset, key: string): Promise<RememberedAnswer | undefined>;
  /**
   * Whether there is room for more.
   * @param onTheWay bytes that were admitted and not taken yet, and who asks
   * @throws StorageBehind when ingest has to wait for the engine, other errors when it has to wait
   * for something else
   */
  checkRoom(onTheWay?: TakenFor): void;
}
