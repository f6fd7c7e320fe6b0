import type { DatasetRef } from '../metadata/datasets.js';

/** What the resource routes ask of the stored events. */

/** The fields that events have; there may be millions. */
export interface StoredFields {
  readonly size: number;
  /** In no particular order. */
  names(): Iterable<string>;
  /** One type, or several joined by `|`; undefined if no event has the field. */
  typeOf(name: string): string | undefined;
}

export interface DatasetSize {
  readonly rows: number;
  /** Bytes on disk, compressed. */
  readonly bytes: number;
  /** Bytes before compression. */
  readonly rawBytes: number;
  /** Nanoseconds since the epoch; absent while the dataset is empty. */
  readonly minTime?: bigint;
  readonly maxTime?: bigint;
}

export interface DataHealth {
  readonly ready: boolean;
  /** Whether everything is there that was stored and not deleted. */
  readonly complete: boolean;
  /** What is wrong or worth knowing, in words for an operator; part of `/healthz`. */
  readonly reasons: readonly string[];
}

export interface EventDeletions {
  /** Removes events with `_time` before `olderThan` (nanoseconds since the epoch); how many. */
  trim(dataset: DatasetRef, olderThan: bigint): Promise<number>;
  /**
   * The same, for a time that may change while the deletion waits for its turn.
   * @param olderThan asked when the turn has come; undefined if nothing is to be removed any more
   */
  expire(dataset: DatasetRef, olderThan: () => bigint | undefined): Promise<number>;
  /** Removes columns no event uses; names of the fields that went. */
  vacuum(dataset: DatasetRef): Promise<readonly string[]>;
}

/** The parts of the engine among which datasets are divided; it may be a single one. */
export interface EventShards {
  /** Whether each takes events and answers, in the order of their numbers. */
  ready(): readonly boolean[];
  /**
   * The one on which a new dataset is to be.
   * @param present all datasets
   * @throws EngineError `unavailable` when none answers
   */
  emptiest(present: readonly DatasetRef[]): Promise<number>;
}

export interface EventData {
  readonly shards: EventShards;
  /** Whether there is room for the events of a dataset. */
  has(dataset: DatasetRef): boolean;
  /** Makes room for a new dataset; may be called again for one that exists. */
  createDataset(dataset: DatasetRef): Promise<void>;
  /** Removes all data at once; may be called again for one that is gone. */
  deleteDataset(dataset: DatasetRef): Promise<void>;
  readonly deletions: EventDeletions;
  fields(dataset: DatasetRef): StoredFields;
  info(dataset: DatasetRef): Promise<DatasetSize>;
  health(): DataHealth;
}
