import type { Engine } from '@millrace/engine';
import { queryNumbers } from './query.js';
import { timesOf } from './partitions.js';
import { inSystem } from './table-of-dataset.js';

/**
 * A partition of a dataset: its possible event times, nanoseconds since the epoch, and the rows of
 * its parts.
 */
export interface PartitionRows {
  readonly start: bigint;
  /** Exclusive. */
  readonly end: bigint;
  /** Deleted rows count until their part is merged. */
  readonly rows: number;
}

/**
 * The partitions of a dataset, latest start first. Reads the engine's metadata of parts: a few
 * milliseconds for a thousand of them.
 */
export async function partitionRows(engine: Engine, datasetId: number): Promise<readonly PartitionRows[]> {
  const rows = await queryNumbers(
    engine,
    'SELECT toInt64(partition_id), toInt64(sum(rows)) FROM system.parts ' +
      `WHERE active AND ${inSystem(datasetId)} GROUP BY partition_id`,
    2,
  );
  return rows
    .map(([key, count]) => ({ ...timesOf(Number(key)), rows: Number(count) }))
    .toSorted((a, b) => (a.start < b.start ? 1 : a.start > b.start ? -1 : 0));
}
