import type { Engine } from '@millrace/engine';
import { quoteString } from '@millrace/sql';
import { isDamage } from '../damaged-files.js';
import { highestPosition, presentTables, rowsPerBatchOfAll } from '../tables/all-tables.js';
import { queryNumbers, queryRows } from '../tables/query.js';
import { quotedTable, tableOf } from '../tables/table-of-dataset.js';

/** What a start reads of tables whose files may be damaged: it leaves out what cannot be read. */

/** A part that cannot be read. */
export interface UnreadablePart {
  readonly datasetId: number;
  readonly part: string;
}

interface ReadableRows {
  /** Dataset → position → rows. */
  readonly rows: ReadonlyMap<number, ReadonlyMap<bigint, number>>;
  /** Parts that are not counted. */
  readonly unreadable: readonly UnreadablePart[];
}

/** Row counts of log batches per dataset, from `from` on. */
export async function readableRowsPerBatch(engine: Engine, from: bigint): Promise<ReadableRows> {
  try {
    return { rows: await rowsPerBatchOfAll(engine, from), unreadable: [] };
  } catch (error) {
    if (!isDamage(error)) throw error;
  }
  const rows = new Map<number, Map<bigint, number>>();
  const select = 'toInt64(_seq), toInt64(count())';
  const { found, unreadable } = await askEachPart(engine, select, `_seq >= ${from} GROUP BY _seq`, 2);
  for (const [datasetId, [position, count]] of found) {
    const batches = rows.get(datasetId) ?? new Map<bigint, number>();
    rows.set(datasetId, batches.set(position!, (batches.get(position!) ?? 0) + Number(count)));
  }
  return { rows, unreadable };
}

interface ReadablePosition {
  readonly position: bigint;
  readonly unreadable: readonly UnreadablePart[];
}

/** The highest position above one among the rows that can be read; 0 without any. */
export async function highestReadablePosition(engine: Engine, above: bigint): Promise<ReadablePosition> {
  try {
    return { position: await highestPosition(engine, above), unreadable: [] };
  } catch (error) {
    if (!isDamage(error)) throw error;
  }
  const { found, unreadable } = await askEachPart(engine, 'toInt64(max(_seq))', `_seq > ${above}`, 1);
  const position = found.reduce((highest, [, [at = 0n]]) => (at > highest ? at : highest), 0n);
  return { position, unreadable };
}

/** Takes a part out of its table; its files stay in the directory of detached parts. */
export const detachPart = (engine: Engine, { datasetId, part }: UnreadablePart): Promise<void> =>
  engine.execute(`ALTER TABLE ${quotedTable(datasetId)} DETACH PART ${quoteString(part)}`);

/** Queries each table, part by part if files of it are damaged. */
async function askEachPart(
  engine: Engine,
  select: string,
  where: string,
  width: number,
): Promise<{
  readonly found: readonly (readonly [datasetId: number, row: readonly bigint[]])[];
  readonly unreadable: readonly UnreadablePart[];
}> {
  const found: [number, readonly bigint[]][] = [];
  const unreadable: UnreadablePart[] = [];
  const ask = async (datasetId: number, condition = ''): Promise<boolean> => {
    const sql = `SELECT ${select} FROM ${quotedTable(datasetId)} WHERE ${condition}${where}`;
    try {
      for (const row of await queryNumbers(engine, sql, width)) found.push([datasetId, row]);
      return true;
    } catch (error) {
      if (isDamage(error)) return false;
      throw error;
    }
  };
  for (const datasetId of await presentTables(engine)) {
    if (await ask(datasetId)) continue;
    for (const part of await activeParts(engine, datasetId))
      if (!(await ask(datasetId, `_part = ${quoteString(part)} AND `))) unreadable.push({ datasetId, part });
  }
  return { found, unreadable };
}

async function activeParts(engine: Engine, datasetId: number): Promise<readonly string[]> {
  const { database, table } = tableOf(datasetId);
  const sql = `SELECT name FROM system.parts WHERE active AND database = ${quoteString(database)} AND table = ${quoteString(table)} ORDER BY name`;
  return (await queryRows<[string]>(engine, sql)).map(([name]) => name);
}
