import type { ColdTier } from './cold/cold-unavailable-error.js';
import { httpError } from '@millrace/api/errors';
import type { EventData, EventDeletions } from '@millrace/metadata/datasets/event-data';
import type { DatasetRef } from '@millrace/metadata/datasets';
import type { BatchWriter } from './writer.js';
import type { StoredDataset } from './fields/dataset.js';
import type { QuarantineRetries } from './insert/quarantine-retries.js';
import type { Inventory } from './inventory/inventory.js';
import type { ArrivalFilter, RunRead } from './consistent-reads.js';
import type { ActiveReaders } from './readers.js';
import type { MatchingRows, QueriedEvents } from './tables/delete-matching.js';
import type { VerifyReport } from './verify.js';
import type { WordIndex } from './term-index/term-index.js';

/**
 * Stored events, as seen by ingest and queries. `Storage` has a write-ahead log in front of the
 * engine; `SharedStorage` shares the engine with other processes and has none.
 */
export interface EventStorage extends EventData {
  readonly intake: BatchWriter;
  readonly reads: EventReads;
  /** Registers long reads, which are stopped when one of their datasets is deleted. */
  readonly readers: ActiveReaders;
  readonly deletions: EventDeletions & {
    /** Counts events of a dataset and, with `commit`, deletes those. */
    countMatching(dataset: DatasetRef, events: QueriedEvents, commit: boolean): Promise<MatchingRows>;
  };
  /** The term index, which narrows searches to time spans; absent if disabled. */
  readonly termIndex: WordIndex | undefined;
  readonly ledger: InsertLedger;
  /** Bytes accepted and not in the engine yet. */
  readonly pendingBytes: number;
  /** Bytes of events in a bucket. */
  readonly coldBytes: number;
  /** The cold tier; undefined without one. */
  readonly coldTier: ColdTier | undefined;
  /** Whether everything is stored, and all merges due soon are done. */
  readonly isIdle: boolean;
  /** Whether `versionOf` covers all changes, so that results may be cached by it. */
  readonly knowsVersions: boolean;
  dataset(id: number): StoredDataset | undefined;
  /** A dataset that is not registered, for a dry run of events without a dataset. */
  draft(): StoredDataset;
  /**
   * A text that changes whenever queries of these datasets begin to see different events; it may
   * change more often.
   */
  versionOf(datasetIds: readonly number[]): string;
  /**
   * Inserts everything acknowledged so far into the engine. A query calls it first, so that it
   * reads earlier writes.
   * @param upTo batches after this position need not be inserted
   * @throws EngineError when the engine cannot store it now
   */
  flush(datasetIds: readonly number[], upTo?: bigint): Promise<void>;
  /** The position up to which a flush that begins after this call inserts everything. */
  acknowledgedPosition(): Promise<bigint>;
  /** Stores accepted events, if possible, and stops. */
  close(): Promise<void>;
}

/** Consistent reads of datasets; see `consistent-reads.ts`. */
interface EventReads {
  run: RunRead;
  bounds(datasetIds: readonly number[], arrived?: ArrivalFilter): Readonly<Record<string, string>>;
  watermark(datasetIds: readonly number[]): bigint;
  missingPositions(datasetIds: readonly number[]): readonly bigint[];
}

type BatchState = 'logged' | 'stored' | undefined;

/** The ledger: receipts, row-count checks, and the snapshot position of a backup. */
export interface InsertLedger {
  /**
   * State of a batch: in the log, or in the engine too. Undefined for a position that was never
   * assigned.
   */
  stateOf(position: bigint): BatchState | Promise<BatchState>;
  /**
   * Compares recently acknowledged batches with the engine's row counts.
   * @param files whether to read the files of all datasets too
   */
  verify(files?: boolean): Promise<VerifyReport>;
  /**
   * Inserts everything acknowledged so far; returns the position up to which all of it is stored.
   */
  flushAll(): Promise<bigint>;
  readonly retries: Pick<QuarantineRetries, 'pause' | 'resume'>;
  readonly inventory: Pick<Inventory, 'accept' | 'missing'>;
  /** Positions of quarantined batches. */
  readonly quarantinedPositions: readonly bigint[];
}

/** @param what the unavailable feature: `a backup` */
export const needsLog = (what: string): Error => httpError('needs-a-log', { what });
