import { durableTableSettings, type Engine } from '@millrace/engine';
import { quoteString } from '@millrace/sql';
import { isDatasetTable, datasetIdOfTable } from './all-tables.js';
import { queryReadyShards, queryNumbers } from './query.js';
import { hasColdParts } from '../cold/cold-partitions.js';
import { quotedTable } from './table-of-dataset.js';

/** Parts of the tables of datasets, and the statements that merge them. */

/** A partition whose parts are worth merging into one. */
export interface UnmergedPartition {
  readonly datasetId: number;
  readonly partition: bigint;
  /** Changes whenever its parts do. */
  readonly state: string;
  /** Changes when rows are inserted or parts are merged, not when a deletion rewrites parts. */
  readonly blocks: string;
  /**
   * Seconds since it got its newest part, also by a deletion. The age of a part from the future is
   * the difference: after setting back the clock, it should not wait for so long.
   */
  readonly age: number;
  /** Minimum seconds without a new part before a merge; 0 for the usual wait. */
  readonly rest: number;
  /** Whether it is a single part, to be rewritten alone. */
  readonly alone: boolean;
}

/**
 * New parts of a partition are merged with its largest one only when they amount to a quarter of
 * it. All these merges together then write each event at most five times, and a late event does not
 * cause a month to be rewritten.
 */
const shareOfLargest = 4;
/**
 * Smaller additions, for example after the partition's day is over, wait longer: an hour without a
 * new part where the partition has four gibibytes, which take two minutes of one core to rewrite,
 * and less where it has less, so that small ones do not stay in many parts. Never less than five
 * minutes, because late events may come into many partitions in turn.
 */
const longRestSeconds = 3600;
const longRestBytes = 2 ** 32;
const minIdleSeconds = 300;
/**
 * A merged part and its source parts are on disk until the sources are removed; it may take one
 * part in this many of the free space.
 */
const shareOfFree = 4;

/**
 * A part that is compact, as it was inserted, and large enough to be wide. If it is the largest of
 * its partition, it is merged to become wide, with the others or alone.
 */
const { min_rows_for_wide_part: wideRows, min_bytes_for_wide_part: wideBytes } = durableTableSettings;
const toBeWide = `level = 0 AND part_type = 'Compact' AND rows >= ${wideRows} AND data_uncompressed_bytes >= ${wideBytes}`;

/**
 * A part whose events have become old since it was written, and that is worth rewriting: it is
 * compressed for speed, and should be for space. If it is the largest of its partition, it is
 * merged, with the others or alone.
 */
const minCompressedBytes = 2 ** 20;
const toBeSqueezed =
  `default_compression_codec = 'LZ4' AND bytes_on_disk >= ${minCompressedBytes} ` +
  'AND arrayExists(old -> old < now(), recompression_ttl_info.max)';

/**
 * The partitions of all datasets whose parts are worth merging and have at most `maxBytes`
 * together, smallest first. A single part is left out during a deletion in its dataset: its merge
 * would have to wait for the deletion, and all other merges with it. Parts in a bucket are left
 * out: they would be read from there and written again.
 */
export async function unmergedPartitions(engine: Engine, maxBytes: number): Promise<readonly UnmergedPartition[]> {
  const [bytes, largest] = ['sum(bytes_on_disk)', 'max(bytes_on_disk)'];
  const soon = `(${bytes} - ${largest}) * ${shareOfLargest} >= ${largest} OR argMax((${toBeWide}) OR (${toBeSqueezed}), bytes_on_disk)`;
  const rest = `greatest(${minIdleSeconds}, least(${longRestSeconds}, ${bytes} * ${longRestSeconds} / ${longRestBytes}))`;
  const sql =
    `SELECT ${datasetIdOfTable('table')}, toInt64(partition_id), toInt64(sum(cityHash64(name))), ` +
    'toInt64(sum(cityHash64(min_block_number, max_block_number))), ' +
    "toInt64(abs(dateDiff('second', max(modification_time), now()))), toInt64(count() = 1), " +
    `toInt64(if(${soon}, 0, ${rest})) FROM system.parts ` +
    `WHERE active AND ${isDatasetTable(engine, 'table')} ` +
    `GROUP BY table, partition_id HAVING ${bytes} <= ${maxBytes} AND NOT ${hasColdParts} ` +
    `AND (count() > 1 OR ${soon}) AND (count() > 1 OR table NOT IN (SELECT table FROM system.mutations WHERE ${isDatasetTable(engine, 'table')} AND NOT is_done)) ` +
    `AND ${bytes} * ${shareOfFree} <= (SELECT min(unreserved_space) FROM system.disks) ORDER BY ${bytes}`;
  const rows = await queryReadyShards(engine, (shard) => queryNumbers(shard, sql, 7));
  return rows.map(([datasetId, partition, state, blocks, age, alone, rest]) => ({
    datasetId: Number(datasetId),
    partition: partition!,
    state: String(state),
    blocks: String(blocks),
    age: Number(age),
    rest: Number(rest),
    alone: alone === 1n,
  }));
}

/**
 * Merges all parts of a partition into one. Does nothing if the engine is already merging some of
 * them; for a single part, it waits until the engine is done with that part.
 */
export function mergePartition(engine: Engine, { datasetId, partition, alone }: UnmergedPartition): Promise<void> {
  const sql = `OPTIMIZE TABLE ${quotedTable(datasetId)} PARTITION ID ${quoteString(String(partition))}`;
  return engine.execute(alone ? `${sql} FINAL` : sql, { apart: 'upkeep' });
}

/**
 * Ends all merges of a dataset. The engine begins no more before `startMerges` or its next start.
 */
export const stopMerges = (engine: Engine, datasetId: number): Promise<void> =>
  engine.execute(`SYSTEM STOP MERGES ${quotedTable(datasetId)}`);

export const startMerges = (engine: Engine, datasetId: number): Promise<void> =>
  engine.execute(`SYSTEM START MERGES ${quotedTable(datasetId)}`);
