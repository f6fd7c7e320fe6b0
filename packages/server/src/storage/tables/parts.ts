import { durableTableSettings, type Engine } from '@millrace/engine';
import { quoteString } from '@millrace/sql';
import { aboutDatasets, datasetIn } from './all-tables.js';
import { queryNumbers, quotedTable } from './table.js';

/** Parts of the tables of datasets, and the statements that merge them. */

/** A partition whose parts are worth merging into one. */
export interface Unmerged {
  readonly datasetId: number;
  readonly partition: bigint;
  /** Another text whenever its parts are others. */
  readonly state: string;
  /** Seconds since it got its newest part. */
  readonly age: number;
  /** Seconds without a new part before it is worth it, if that is long. */
  readonly rest: number;
  /** Whether it is one part, which is to be written anew by itself. */
  readonly alone: boolean;
}

/**
 * What is added to a partition is merged with its largest part only when it has become a quarter of that: then each event is written five times
 * at most by all of these merges together, and one that comes late does not write a month again.
 */
const shareOfLargest = 4;
/** Of less, when its day is over, say: an hour without a new part, so that a partition is written anew once an hour at most however little is added. */
const longRestSeconds = 3600;
/** A merged part lies beside those it was made of until they go; so much of the free space it may take. */
const shareOfFree = 4;

/** A part as it was inserted, compact, that has enough rows to be wide; as the largest of its partition it becomes so, with the others or alone. */
const { min_rows_for_wide_part: wideRows, min_bytes_for_wide_part: wideBytes } = durableTableSettings;
const toBeWide = `level = 0 AND part_type = 'Compact' AND rows >= ${wideRows} AND data_uncompressed_bytes >= ${wideBytes}`;

/**
 * The partitions of all datasets whose parts are worth merging and have up to so many bytes together, the smallest first. A part that is alone is left
 * while a deletion in its dataset goes on, for which it would have to wait, and all others with it.
 */
export async function unmergedPartitions(engine: Engine, maxBytes: number): Promise<readonly Unmerged[]> {
  const [bytes, largest] = ['sum(bytes_on_disk)', 'max(bytes_on_disk)'];
  const soon = `(${bytes} - ${largest}) * ${shareOfLargest} >= ${largest} OR argMax(${toBeWide}, bytes_on_disk)`;
  const rows = await queryNumbers(
    engine,
    `SELECT ${datasetIn('table')}, toInt64(partition_id), toInt64(sum(cityHash64(name))), ` +
      "toInt64(dateDiff('second', max(modification_time), now())), toInt64(count() = 1), " +
      `toInt64(if(${soon}, 0, ${longRestSeconds})) FROM system.parts ` +
      `WHERE active AND ${aboutDatasets('table')} ` +
      `GROUP BY table, partition_id HAVING ${bytes} <= ${maxBytes} ` +
      `AND (count() > 1 OR ${soon}) AND (count() > 1 OR table NOT IN (SELECT table FROM system.mutations WHERE ${aboutDatasets('table')} AND NOT is_done)) ` +
      `AND ${bytes} * ${shareOfFree} <= (SELECT min(unreserved_space) FROM system.disks) ORDER BY ${bytes}`,
    6,
  );
  return rows.map(([datasetId, partition, state, age, alone, rest]) => ({
    datasetId: Number(datasetId),
    partition: partition!,
    state: String(state),
    age: Number(age),
    rest: Number(rest),
    alone: alone === 1n,
  }));
}

/** Merges all parts of a partition into one. Does nothing where the engine merges some of them already; a part that is alone waits until the engine is done with it. */
export function mergePartition(engine: Engine, { datasetId, partition, alone }: Unmerged): Promise<void> {
  const sql = `OPTIMIZE TABLE ${quotedTable(datasetId)} PARTITION ID ${quoteString(String(partition))}`;
  return engine.execute(alone ? `${sql} FINAL` : sql, { apart: 'upkeep' });
}

/** Ends the merges of a dataset, whoever began them, and begins no more before `startMerges`, or before the engine is started anew. */
export const stopMerges = (engine: Engine, datasetId: number): Promise<void> =>
  engine.execute(`SYSTEM STOP MERGES ${quotedTable(datasetId)}`);

export const startMerges = (engine: Engine, datasetId: number): Promise<void> =>
  engine.execute(`SYSTEM START MERGES ${quotedTable(datasetId)}`);
