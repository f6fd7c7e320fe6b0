import type { Engine } from '@millrace/engine';
import { FIELD_STORAGE, parsePhysicalName } from '@millrace/events';
import { call, column, literal, printQuery, quoteIdentifier, quoteString, select } from '@millrace/sql';
import type { FieldAndType } from '../fields/fields.js';
import { columnsOf } from './query.js';
import { standardColumn } from './new-column.js';
import { addColumns, quotedTable, systemColumns, tableOf } from './table-of-dataset.js';

/**
 * Copies complete datasets out of the engine and back into it, column by column as they are stored.
 */

/** All rows of a dataset from batches up to a position. */
export function snapshotQuery(datasetId: number, upTo: bigint): string {
  const { database, table } = tableOf(datasetId);
  return printQuery(
    select({
      columns: [{ expr: { kind: 'star' } }],
      from: { kind: 'table', database, name: table },
      where: call('lessOrEquals', column('_seq'), literal(upTo)),
      settings: { output_format_parquet_compression_method: 'zstd' },
    }),
  );
}

/**
 * Inserts the rows of a snapshot file into the table of a dataset, matching columns by name: their
 * order in a table is the order in which fields appeared, and is irrelevant.
 * @param wanted columns of fields for which it returns false are left out
 * @returns the fields that were loaded
 */
export async function loadSnapshot(
  engine: Engine,
  datasetId: number,
  path: string,
  wanted: (field: FieldAndType) => boolean,
): Promise<readonly FieldAndType[]> {
  const file = `file(${quoteString(path)}, 'Parquet'`;
  const names = (await columnsOf(engine, `${file})`)).filter((name) => {
    const field = parsePhysicalName(name);
    return field === undefined || wanted(field);
  });
  const fields = names.map(parsePhysicalName).filter((parsed) => parsed !== undefined);
  await addColumns(engine, datasetId, fields.map(standardColumn));
  const list = names.map(quoteIdentifier).join(', ');
  const structure = names.map((name) => `${quoteIdentifier(name)} ${typeOf(name)}`).join(', ');
  await engine.execute(
    `INSERT INTO ${quotedTable(datasetId)} (${list}) SELECT ${list} FROM ${file}, ${quoteString(structure)})`,
  );
  return fields;
}

/** The type to read a column of a snapshot as. */
function typeOf(name: string): string {
  const parsed = parsePhysicalName(name);
  const type = parsed === undefined ? systemColumns.get(name)?.type : FIELD_STORAGE[parsed.type].type;
  if (type === undefined) throw new Error(`column ${name} belongs to no field`);
  return type;
}
