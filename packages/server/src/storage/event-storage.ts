import { httpError } from '../errors.js';
import type { EventData, EventDeletions } from '../datasets/event-data.js';
import type { DatasetRef } from '../metadata/datasets.js';
import type { Acceptance } from './acceptance.js';
import type { StoredDataset } from './fields/dataset.js';
import type { RefusedRetries } from './insert/refused-retries.js';
import type { Inventory } from './inventory/inventory.js';
import type { Arrived, Asked } from './questions.js';
import type { Readers } from './readers.js';
import type { Matching, QueriedEvents } from './tables/delete-matching.js';
import type { VerifyReport } from './verify.js';
import type { WordIndex } from './words/word-index.js';

/**
 * Events at rest, as those see it who take and read them. `Storage` has a log of its own in front
 * of the engine; `SharedStorage` shares the engine with other processes and has none.
 */
export interface EventStorage extends EventData {
  readonly intake: Acceptance;
  readonly questions: AskedQuestions;
  /** Whoever reads datasets at length says so here, and is stopped when one of them is deleted. */
  readonly readers: Readers;
  readonly deletions: EventDeletions & {
    /** Counts events of a dataset and, with `commit`, deletes those. */
    matching(dataset: DatasetRef, events: QueriedEvents, commit: boolean): Promise<Matching>;
  };
  /** Knows when events with certain words can have been; absent if there is no such index. */
  readonly words: WordIndex | undefined;
  readonly accounts: Accounts;
  /** Bytes that were taken and are not in the engine yet. */
  readonly pendingBytes: number;
  /** Bytes of events in a bucket. */
  readonly coldBytes: number;
  /** Whether everything is stored, and everything that is to be merged soon has been. */
  readonly settled: boolean;
  /** Whether `versionOf` names exactly what is there, so that an answer may be kept with it. */
  readonly knowsVersions: boolean;
  dataset(id: number): StoredDataset | undefined;
  /** A dataset that nothing finds, to see what would become of events for which there is none. */
  draft(): StoredDataset;
  /**
   * A text that changes whenever queries of these datasets begin to see different events; it may
   * also change without that.
   */
  versionOf(datasetIds: readonly number[]): string;
  /**
   * Brings everything acknowledged so far into the engine. A query calls it first, so that it reads
   * what was written before.
   * @param upTo brings what is behind this position only by chance
   * @throws EngineError when the engine cannot take it right now
   */
  flush(datasetIds: readonly number[], upTo?: bigint): Promise<void>;
  /** The position up to which a flush that begins when this is known brings everything in. */
  acknowledged(): Promise<bigint>;
  /** Stores what was taken, as far as that is possible, and stops. */
  close(): Promise<void>;
}

/** The way to ask the engine about datasets; `questions.ts` says more. */
interface AskedQuestions {
  ask: Asked;
  bounds(datasetIds: readonly number[], arrived?: Arrived): Readonly<Record<string, string>>;
  settled(datasetIds: readonly number[]): bigint;
  held(datasetIds: readonly number[]): readonly bigint[];
}

type BatchState = 'logged' | 'stored' | undefined;

/** What becomes of batches: receipts, recounts, and the cut of a backup. */
export interface Accounts {
  /**
   * How far a batch has come: in the log, or in the engine too. Undefined for a position that was
   * never handed out.
   */
  stateOf(position: bigint): BatchState | Promise<BatchState>;
  /** Recounts what was acknowledged lately against what the engine has. */
  verify(): Promise<VerifyReport>;
  /**
   * Brings everything acknowledged so far into the engine; returns the position up to which all of
   * it is there.
   */
  settle(): Promise<bigint>;
  readonly retries: Pick<RefusedRetries, 'pause' | 'resume'>;
  readonly inventory: Pick<Inventory, 'accept' | 'missing'>;
  /** Positions of acknowledged batches the engine refuses. */
  readonly refused: readonly bigint[];
}

/** @param what of the interface: `a backup` */
export const needsLog = (what: string): Error => httpError('needs-a-log', { what });
