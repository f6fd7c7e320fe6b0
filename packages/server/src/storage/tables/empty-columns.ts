import type { Engine } from '@millrace/engine';
import { parsePhysicalName, physicalName } from '@millrace/events';
import { quoteIdentifier } from '@millrace/sql';
import type { FieldAndType } from '../fields/fields.js';
import { columnsOf, queryNumbers } from './ask.js';
import { quotedTable } from './table-of-dataset.js';

/**
 * The columns of fields in which no row has a value. They include columns of the table that are not
 * known, because a vacuum that was cut short forgot them before it removed them, and known columns
 * that the table does not have yet.
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

/** Those of the columns in which no row has a value. */
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
