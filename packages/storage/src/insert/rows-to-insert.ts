import type { TableName } from '@millrace/engine';
import { TIME_COLUMN } from '@millrace/events';
import { and, call, column, type Expr, integer, item, literal, not, select } from '@millrace/sql';
import type { Batch } from './queue.js';

/** Selects the rows of a batch to insert, if not all. */

/** Extends a condition to exclude rows that were deleted before their insert. */
export function rowsToInsert([first]: readonly Batch[], where: Expr | undefined): Expr | undefined {
  const notBefore = first?.notBefore;
  if (notBefore === undefined) return where;
  const time = call('fromUnixTimestamp64Nano', call('toInt64', integer(notBefore)), literal('UTC'));
  const young = call('greaterOrEquals', column(TIME_COLUMN), time);
  return where === undefined ? young : and(where, young);
}

/** A condition for the rows of a batch that are missing from the table. */
export function missingRows({ database, table }: TableName, { position }: Batch): Expr {
  const present = select({
    columns: [item(column('_row'))],
    from: { kind: 'table', database, name: table },
    where: call('equals', column('_seq'), literal(position)),
  });
  return not({ kind: 'inSubquery', needle: column('_row'), query: present });
}
