import type { Engine } from '@millrace/engine';
import { queryNumbers, queryNumbersOfMajority } from './query.js';
import { quotedTable, tableOf } from './table-of-dataset.js';

const rowsSql = (datasetId: number, from: bigint, upTo: bigint): string =>
  `SELECT toInt64(_seq), toInt64(count()) FROM ${quotedTable(datasetId)} ` +
  `WHERE _seq >= ${from} AND _seq <= ${upTo} GROUP BY _seq`;

/** Row counts of log batches in a range of positions: position → rows. */
export async function rowsPerBatch(
  engine: Engine,
  datasetId: number,
  from: bigint,
  upTo: bigint,
): Promise<ReadonlyMap<bigint, number>> {
  const found = await queryNumbers(engine, rowsSql(datasetId, from, upTo), 2);
  return new Map(found.map(([position, rows]) => [position!, Number(rows)]));
}

/**
 * Counts the rows that are certain to stay. A replica that lost Keeper in the middle of an insert
 * shows its rows for minutes, and then drops them if Keeper never had them; so rows count if most
 * replicas have them.
 */
export async function certainRows(
  engine: Engine,
  datasetId: number,
  from: bigint,
  upTo: bigint,
): Promise<ReadonlyMap<bigint, number>> {
  const answers = await queryNumbersOfMajority(engine, tableOf(datasetId), rowsSql(datasetId, from, upTo), 2);
  const [first = new Map<bigint, number>(), ...others] = answers.map(
    (rows) => new Map(rows.map(([position, count]) => [position!, Number(count)])),
  );
  const min = (position: bigint, rows: number): number =>
    Math.min(rows, ...others.map((other) => other.get(position) ?? 0));
  return new Map(
    [...first].flatMap(([position, rows]): [bigint, number][] => {
      const certain = min(position, rows);
      return certain > 0 ? [[position, certain]] : [];
    }),
  );
}

/** The log batches, in order of position, with rows in the table. */
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

/** The engine limits the length of statements. */
const positionsPerQuery = 1000;
