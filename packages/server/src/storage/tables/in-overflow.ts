import type { Engine } from '@millrace/engine';
import { OVERFLOW_COLUMN, parsePhysicalName } from '@millrace/events';
import { quoteIdentifier } from '@millrace/sql';
import type { FieldAndType } from '../fields/fields.js';
import { quotedTable } from './table-of-dataset.js';

/**
 * The fields and types of which a value lies in the overflow column of a table. Reads the names in
 * the column, not its values.
 * @param after if given, only events of batches after this position of the log count
 */
export async function usesInOverflow(
  engine: Engine,
  datasetId: number,
  after?: bigint,
): Promise<readonly FieldAndType[]> {
  const where = after === undefined ? '' : ` WHERE ${quoteIdentifier('_seq')} > ${after}`;
  const { columns } = await engine.query(
    `SELECT DISTINCT arrayJoin(mapKeys(${quoteIdentifier(OVERFLOW_COLUMN)})) FROM ${quotedTable(datasetId)}${where}`,
    { format: 'JSONCompactColumns' },
  );
  const names = JSON.parse(Buffer.from(columns[0]?.values ?? []).toString('utf8') || '[]') as readonly string[];
  return names.flatMap((name) => parsePhysicalName(name) ?? []);
}
