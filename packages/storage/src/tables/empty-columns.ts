import type { Engine } from '@millrace/engine';
import { parsePhysicalName, physicalName } from '@millrace/events';
import { quoteIdentifier } from '@millrace/sql';
import type { FieldAndType } from '../fields/fields.js';
import { columnsOf, queryNumbers } from './query.js';
import { quotedTable } from './table-of-dataset.js';

/**
 * The columns of fields without any value. Includes unknown columns of the table, whose removal an
 * interrupted vacuum did not finish, and known columns that the table does not have yet.
 */
export async function emptyColumns(
  engine: Engine,
  datasetId: number,
  known: readonly FieldAndType[],
): Promise<readonly FieldAndType[]> {
  const names = await columnsOf(engine, quotedTable(datasetId));
  const there = new Set(names);
  const absent = known.filter(({ field, type }) => !there.has(physicalName(field, type)));
  const present = names.flatMap((name) => parsePhysicalName(name) ?? []);
  return [...absent, ...(await emptyOf(engine, datasetId, present))];
}

/** The columns without any value. */
export async function emptyOf(
  engine: Engine,
  datasetId: number,
  columns: readonly FieldAndType[],
): Promise<readonly FieldAndType[]> {
  if (columns.length === 0) return [];
  const counts = columns.map(({ field, type }) => `toInt64(count(${quoteIdentifier(physicalName(field, type))}))`);
  const [row = []] = await queryNumbers(
    engine,
    `SELECT ${counts.join(', ')} FROM ${quotedTable(datasetId)}`,
    columns.length,
  );
  return columns.filter((_, i) => row[i] === 0n);
}
