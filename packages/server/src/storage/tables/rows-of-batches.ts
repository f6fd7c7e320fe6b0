import type { Engine } from '@millrace/engine';
import { queryNumbers } from './ask.js';
import { quotedTable } from './table-of-dataset.js';

/** Rows the table holds of each log batch from one position to another: position → rows. */
export async function rowsPerBatch(
  engine: Engine,
  datasetId: number,
  from: bigint,
  upTo: bigint,
): Promise<ReadonlyMap<bigint, number>> {
  const sql =
    `SELECT toInt64(_seq), toInt64(count()) FROM ${quotedTable(datasetId)} ` +
    `WHERE _seq >= ${from} AND _seq <= ${upTo} GROUP BY _seq`;
  return new Map((await queryNumbers(engine, sql, 2)).map(([position, rows]) => [position!, Number(rows)]));
}

/** Those of the log batches, given in order of position, of which the table has rows. */
export async function batchesWithRows(
  engine: Engine,
  datasetId: number,
  positions: readonly bigint[],
): Promise<readonly bigint[]> {
  const found: bigint[] = [];
  for (let at = 0; at < positions.length; at += positionsPerQuery) {
    const some = positions.slice(at, at + positionsPerQuery);
    const sql =
      `SELECT toInt64(_seq), toInt64(count()) FROM ${quotedTable(datasetId)} ` +
      `WHERE _seq >= ${some[0]} AND _seq <= ${some.at(-1)} AND _seq IN (${some.join(', ')}) GROUP BY _seq`;
    const present = new Set((await queryNumbers(engine, sql, 2)).map(([position]) => position));
    found.push(...some.filter((position) => present.has(position)));
  }
  return found;
}

/** The engine reads statements up to a length. */
const positionsPerQuery = 1000;
