import type { TableName } from '@millrace/engine';
import { TIME_COLUMN } from '@millrace/events';
import { and, call, column, type Expr, integer, item, literal, not, select } from '@millrace/sql';
import type { Batch } from './queue.js';

/** Which rows of a batch an insert brings, where it does not bring all of them. */

/**
 * Adds to a condition that leaves out rows which were deleted on purpose before they could be
 * inserted.
 */
export function wanted([first]: readonly Batch[], where: Expr | undefined): Expr | undefined {
  const notBefore = first?.notBefore;
  if (notBefore === undefined) return where;
  const time = call('fromUnixTimestamp64Nano', call('toInt64', integer(notBefore)), literal('UTC'));
  const young = call('greaterOrEquals', column(TIME_COLUMN), time);
  return where === undefined ? young : and(where, young);
}

/** A condition that holds for the rows of a batch that the table does not have. */
export function missingRows({ database, table }: TableName, { position }: Batch): Expr {
  const present = select({
    columns: [item(column('_row'))],
    from: { kind: 'table', database, name: table },
    where: call('equals', column('_seq'), literal(position)),
  });
  return not({ kind: 'inSubquery', needle: column('_row'), query: present });
}
