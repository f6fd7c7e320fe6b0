import type { Engine } from '@millrace/engine';
import { quoteString } from '@millrace/sql';
import { endedBefore } from './partitions.js';
import { queryNumbers, queryRows } from './ask.js';
import { inSystem, quotedTable } from './table-of-dataset.js';

/**
 * Deletes events of a dataset by age: first whole partitions, then the old rows of partitions that
 * also have newer ones.
 */

/**
 * Removes the partitions that ended before the day, month or year of a time and in which every row
 * came with a batch up to a position. Returns how many rows that were. It costs nothing, but also
 * removes what is inserted into such a partition meanwhile, so nothing may be.
 */
export async function dropOlderPartitions(
  engine: Engine,
  datasetId: number,
  time: bigint,
  upTo: bigint,
): Promise<number> {
  const table = quotedTable(datasetId);
  const partitions = await queryNumbers(
    engine,
    `SELECT toInt64(_partition_id) AS partition, toInt64(count()) FROM ${table} ` +
      `WHERE ${endedBefore(time)} GROUP BY partition HAVING max(_seq) <= ${upTo}`,
    2,
  );
  if (partitions.length === 0) return 0;
  const ids = partitions.map(([partition]) => quoteString(String(partition)));
  if (engine.replication === undefined)
    await engine.execute(`ALTER TABLE ${table} ${ids.map((id) => `DROP PARTITION ID ${id}`).join(', ')}`);
  else await dropParts(engine, datasetId, ids);
  return partitions.reduce((sum, [, rows]) => sum + Number(rows), 0);
}

/**
 * Removes the parts that partitions have now. A statement that a replica was sent and nobody heard
 * of again could be executed at any time: were it about whole partitions, it would take with it
 * what has come in since.
 */
async function dropParts(engine: Engine, datasetId: number, ids: readonly string[]): Promise<void> {
  const parts = await queryRows<[string]>(
    engine,
    `SELECT name FROM system.parts WHERE ${inSystem(datasetId)} AND active AND partition_id IN (${ids.join(', ')})`,
  );
  if (parts.length === 0) return;
  const drops = parts.map(([name]) => `DROP PART ${quoteString(name)}`);
  await engine.execute(`ALTER TABLE ${quotedTable(datasetId)} ${drops.join(', ')}`);
}

/**
 * Deletes the rows older than a time that came with batches up to a position, and returns how many
 * there were.
 */
export async function deleteOlder(engine: Engine, datasetId: number, time: bigint, upTo: bigint): Promise<number> {
  const table = quotedTable(datasetId);
  const older = `_time < fromUnixTimestamp64Nano(${time}) AND _seq <= ${upTo}`;
  const [[count = 0n] = []] = await queryNumbers(engine, `SELECT toInt64(count()) FROM ${table} WHERE ${older}`, 1);
  if (count > 0n) await engine.execute(`DELETE FROM ${table} WHERE ${older}`, { apart: 'deletion' });
  return Number(count);
}
