import { httpError } from '@millrace/api/errors';
import type { Connection } from './database.js';

/**
 * Queries name datasets and views alike, so a name may belong to only one of them. Call these
 * checks in the transaction that takes the name.
 */

/** @throws HttpError `already-exists` */
export async function requireNoDataset(connection: Connection, name: string): Promise<void> {
  const present = await connection.selectFrom('datasets').select('id').where('name', '=', name).executeTakeFirst();
  if (present !== undefined) throw httpError('already-exists', { kind: 'dataset', name });
}

/** @throws HttpError `already-exists` */
export async function requireNoView(connection: Connection, name: string): Promise<void> {
  const present = await connection
    .selectFrom('documents')
    .select('id')
    .where('collection', '=', 'views')
    .where('unique_key', '=', name)
    .executeTakeFirst();
  if (present !== undefined) throw httpError('already-exists', { kind: 'view', name });
}
