import { type Engine, EngineError } from '@millrace/engine';
import { quoteString } from '@millrace/sql';
import { around, endedBefore } from './partitions.js';
import { queryNumbers, queryRows } from './query.js';
import { inSystem, quotedTable } from './table-of-dataset.js';

/**
 * Deletes events of a dataset by age: first complete partitions, then parts with old rows only,
 * then the old rows of parts that also have newer ones.
 */

/**
 * Drops the partitions that ended before the day, month or year of a time and whose rows all came
 * with batches up to a position. Returns how many rows that were. Dropping is cheap, but also
 * removes rows inserted into such a partition during the call, so the caller must prevent inserts.
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
 * Drops the parts of the partitions around a time whose rows are all older and came with batches up
 * to a position. Returns how many rows that were. It frees their space at once, where deleting the
 * rows would first write a copy of each part. A part that is merged in between stays, and its rows
 * are left to `deleteOlder`.
 */
export async function dropOlderParts(engine: Engine, datasetId: number, time: bigint, upTo: bigint): Promise<number> {
  const table = quotedTable(datasetId);
  const parts = await queryRows<[string, string]>(
    engine,
    `SELECT _part, toString(count()) FROM ${table} WHERE ${around(time)} GROUP BY _part ` +
      `HAVING max(_time) < fromUnixTimestamp64Nano(${time}) AND max(_seq) <= ${upTo}`,
  );
  let dropped = 0;
  for (const [name, rows] of parts)
    try {
      await engine.execute(`ALTER TABLE ${table} DROP PART ${quoteString(name)}`);
      dropped += Number(rows);
    } catch (error) {
      if (!(error instanceof EngineError)) throw error;
    }
  return dropped;
}

/**
 * Drops the present parts of partitions. A statement whose response was lost could be executed by a
 * replica at any later time: if it named whole partitions, it would also drop rows inserted since.
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

/** Deletes rows before a time from batches up to a position; returns how many. */
export async function deleteOlder(engine: Engine, datasetId: number, time: bigint, upTo: bigint): Promise<number> {
  const table = quotedTable(datasetId);
  const older = `_time < fromUnixTimestamp64Nano(${time}) AND _seq <= ${upTo}`;
  const [[count = 0n] = []] = await queryNumbers(engine, `SELECT toInt64(count()) FROM ${table} WHERE ${older}`, 1);
  if (count > 0n) await engine.execute(`DELETE FROM ${table} WHERE ${older}`, { apart: 'deletion' });
  return Number(count);
}
