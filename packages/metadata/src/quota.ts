import { type ExpressionBuilder, sql } from 'kysely';
import { httpError } from '@millrace/api/errors';
import type { Connection, Tables } from './database.js';

/** Limits for one kind of resource. */
export interface Quota {
  readonly records: number;
  /** Total stored bytes of its records. */
  readonly bytes: number;
}

export const unlimitedQuota: Quota = { records: Number.POSITIVE_INFINITY, bytes: Number.POSITIVE_INFINITY };

/** The setting of each limit, for the message. */
const settingOf = { records: 'MILLRACE_MAX_RESOURCES', bytes: 'MILLRACE_MAX_RESOURCE_BYTES' } as const;

/**
 * Returns the exceeded limit of the quota, if any.
 * @param present all records, including the one being written
 */
export function exceededLimit(present: Quota, quota: Quota): keyof Quota | undefined {
  return present.records > quota.records ? 'records' : present.bytes > quota.bytes ? 'bytes' : undefined;
}

/**
 * Rejects what exceeds the quota; the transaction rolls back.
 * @param kind the resource's name in messages, in the singular
 * @throws HttpError `quota-reached`
 */
export function requireRoom(kind: string, present: Quota, quota: Quota): void {
  const which = exceededLimit(present, quota);
  if (which === undefined) return;
  throw httpError('quota-reached', {
    problem:
      which === 'records'
        ? `limit of ${quota.records} resources of kind '${kind}' reached`
        : `the resources of the kind '${kind}' would take more than ${quota.bytes} bytes together`,
    setting: settingOf[which],
  });
}

/** Text columns of tables with a row for each resource; users decide how long they are. */
const textsIn = {
  users: ['email', 'name'],
  tokens: ['name', 'description', 'capabilities', 'within'],
  datasets: ['description', 'map_fields', 'schema', 'field_roles'],
  fields: ['name', 'unit', 'description'],
} as const satisfies { readonly [Table in keyof Tables]?: readonly (keyof Tables[Table])[] };

/** Bytes of a row in addition to its texts. */
const rowBytes = 64;

/** The bytes that a row of such a table takes. */
export const bytesOfRow = (table: keyof typeof textsIn) =>
  sql<number>`${sql.join(
    [sql.lit(rowBytes), ...textsIn[table].map((name) => sql`coalesce(octet_length(${sql.ref(name)}), 0)`)],
    sql` + `,
  )}`;

/** The rows of such a table. */
export async function rowsIn(connection: Connection, table: keyof typeof textsIn): Promise<Quota> {
  const { records, bytes } = await connection
    .selectFrom(table)
    .select(({ fn }) => [fn.countAll<number>().as('records'), sql<number>`sum(${bytesOfRow(table)})`.as('bytes')])
    .executeTakeFirstOrThrow();
  return { records: Number(records), bytes: Number(bytes) };
}

/** The documents of a collection. */
export async function documentsIn(connection: Connection, collection: string): Promise<Quota> {
  const { records, bytes } = await connection
    .selectFrom('documents')
    .select((of: ExpressionBuilder<Tables, 'documents'>) => [
      of.fn.countAll<number>().as('records'),
      sql<number>`coalesce(sum(octet_length(body)), 0)`.as('bytes'),
    ])
    .where('collection', '=', collection)
    .executeTakeFirstOrThrow();
  return { records: Number(records), bytes: Number(bytes) };
}
