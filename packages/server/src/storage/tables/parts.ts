import { durableTableSettings, type Engine } from '@millrace/engine';
import { quoteString } from '@millrace/sql';
import { aboutDatasets, datasetIn } from './all-tables.js';
import { askReadyShards, queryNumbers } from './ask.js';
import { someCold } from './cold-partitions.js';
import { quotedTable } from './table-of-dataset.js';

/** Parts of the tables of datasets, and the statements that merge them. */

/** A partition whose parts are worth merging into one. */
export interface Unmerged {
  readonly datasetId: number;
  readonly partition: bigint;
  /** Changes whenever its parts do. */
  readonly state: string;
  /** Changes when rows come in or parts are merged, not when a deletion makes parts anew. */
  readonly blocks: string;
  /**
   * Seconds since it got its newest part, by a deletion too. One from the future is as old as it is
   * ahead: the clock was set back, and should not keep it for so long.
   */
  readonly age: number;
  /** Seconds without a new part before merging is worth it; 0 where the usual wait is enough. */
  readonly rest: number;
  /** Whether it is a single part, which is to be rewritten by itself. */
  readonly alone: boolean;
}

/**
 * New parts of a partition are merged with its largest one only when they amount to a quarter of
 * it. All these merges together then write each event at most five times, and a late event does not
 * cause a month to be rewritten.
 */
const shareOfLargest = 4;
/**
 * Smaller additions, for example after the partition's day is over, wait for longer: an hour
 * without a new part where the partition has four gibibytes, which take two minutes of one core to
 * rewrite, and less where it has less, so that small ones do not rest in many parts. Never less
 * than five minutes, because late events may come into many partitions in turn.
 */
const longRestSeconds = 3600;
const longRestBytes = 2 ** 32;
const leastRestSeconds = 300;
/**
 * A merged part lies beside those it was made from until they are removed; it may take one part in
 * this many of the free space.
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
 * compressed for speed, and would be for space. If it is the largest of its partition, it is
 * merged, with the others or alone.
 */
const leastSqueezedBytes = 2 ** 20;
const toBeSqueezed =
  `default_compression_codec = 'LZ4' AND bytes_on_disk >= ${leastSqueezedBytes} ` +
  'AND arrayExists(old -> old < now(), recompression_ttl_info.max)';

/**
 * The partitions of all datasets whose parts are worth merging and have at most `maxBytes`
 * together, the smallest first. A part that is alone is left out while a deletion runs in its
 * dataset: its merge would have to wait for the deletion, and all other merges with it. What is in
 * a bucket stays as it is: it would be read from there and written again.
 */
export async function unmergedPartitions(engine: Engine, maxBytes: number): Promise<readonly Unmerged[]> {
  const [bytes, largest] = ['sum(bytes_on_disk)', 'max(bytes_on_disk)'];
  const soon = `(${bytes} - ${largest}) * ${shareOfLargest} >= ${largest} OR argMax((${toBeWide}) OR (${toBeSqueezed}), bytes_on_disk)`;
  const rest = `greatest(${leastRestSeconds}, least(${longRestSeconds}, ${bytes} * ${longRestSeconds} / ${longRestBytes}))`;
  const sql =
    `SELECT ${datasetIn('table')}, toInt64(partition_id), toInt64(sum(cityHash64(name))), ` +
    'toInt64(sum(cityHash64(min_block_number, max_block_number))), ' +
    "toInt64(abs(dateDiff('second', max(modification_time), now()))), toInt64(count() = 1), " +
    `toInt64(if(${soon}, 0, ${rest})) FROM system.parts ` +
    `WHERE active AND ${aboutDatasets('table')} ` +
    `GROUP BY table, partition_id HAVING ${bytes} <= ${maxBytes} AND NOT ${someCold} ` +
    `AND (count() > 1 OR ${soon}) AND (count() > 1 OR table NOT IN (SELECT table FROM system.mutations WHERE ${aboutDatasets('table')} AND NOT is_done)) ` +
    `AND ${bytes} * ${shareOfFree} <= (SELECT min(unreserved_space) FROM system.disks) ORDER BY ${bytes}`;
  const rows = await askReadyShards(engine, (shard) => queryNumbers(shard, sql, 7));
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
 * them; for a part that is alone, it waits until the engine is done with that part.
 */
export function mergePartition(engine: Engine, { datasetId, partition, alone }: Unmerged): Promise<void> {
  const sql = `OPTIMIZE TABLE ${quotedTable(datasetId)} PARTITION ID ${quoteString(String(partition))}`;
  return engine.execute(alone ? `${sql} FINAL` : sql, { apart: 'upkeep' });
}

/**
 * Ends the merges of a dataset, whoever began them. The engine begins no more before `startMerges`
 * or its next start.
 */
export const stopMerges = (engine: Engine, datasetId: number): Promise<void> =>
  engine.execute(`SYSTEM STOP MERGES ${quotedTable(datasetId)}`);

export const startMerges = (engine: Engine, datasetId: number): Promise<void> =>
  engine.execute(`SYSTEM START MERGES ${quotedTable(datasetId)}`);
