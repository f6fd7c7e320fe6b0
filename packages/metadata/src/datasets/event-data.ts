import type { DatasetRef } from '../datasets.js';

/** The stored events as the resource routes use them. */

/** The fields of events; there may be millions. */
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
  /** Whether new events can be acknowledged. */
  readonly acknowledges: boolean;
  /** Whether no stored event is missing, except deleted ones. */
  readonly complete: boolean;
  /** Problems and remarks, in words for an operator; part of `/healthz`. */
  readonly reasons: readonly string[];
}

export interface EventDeletions {
  /**
   * Removes events with `_time` before `olderThan` (nanoseconds since the epoch); returns how many.
   */
  trim(dataset: DatasetRef, olderThan: bigint): Promise<number>;
  /**
   * Removes events older than a time that may change while the deletion is queued.
   * @param olderThan called when the deletion starts; undefined if no event is to remove any more
   */
  expire(dataset: DatasetRef, olderThan: () => bigint | undefined): Promise<number>;
  /** Removes columns no event uses; returns the names of the removed fields. */
  vacuum(dataset: DatasetRef): Promise<readonly string[]>;
}

/** The shards among which datasets are divided; possibly a single one. */
export interface EventShards {
  /** Whether each shard accepts events and queries, in order of their numbers. */
  ready(): readonly boolean[];
  /** Number of shards that every process uses: new datasets go to these. */
  usable(): number;
  /**
   * Chooses the shard for a new dataset.
   * @param present all datasets
   * @throws EngineError `unavailable` when none responds
   */
  emptiest(present: readonly DatasetRef[]): Promise<number>;
}

export interface EventData {
  readonly shards: EventShards;
  /** Whether a dataset has a place for events. */
  has(dataset: DatasetRef): boolean;
  /** Creates the place of a dataset; may be called again for one that exists. */
  createDataset(dataset: DatasetRef): Promise<void>;
  /** Removes all data at once; may be called again after a deletion. */
  deleteDataset(dataset: DatasetRef): Promise<void>;
  readonly deletions: EventDeletions;
  fields(dataset: DatasetRef): StoredFields;
  info(dataset: DatasetRef): Promise<DatasetSize>;
  health(): DataHealth;
}
