import { type ExpressionBuilder, sql } from 'kysely';
import { httpError } from '../errors.js';
import type { Connection, Tables } from './database.js';

/** How much there may be of one kind of resource. */
export interface Quota {
  readonly records: number;
  /** Of all its records together, as they are stored. */
  readonly bytes: number;
}

export const unlimited: Quota = { records: Number.POSITIVE_INFINITY, bytes: Number.POSITIVE_INFINITY };

/** Which setting limits what, for the message. */
const settingOf = { records: 'MILLRACE_MAX_RESOURCES', bytes: 'MILLRACE_MAX_RESOURCE_BYTES' } as const;

/**
 * What is over the quota, if anything is.
 * @param present what there is with the record that is being written
 */
export function over(present: Quota, quota: Quota): keyof Quota | undefined {
  return present.records > quota.records ? 'records' : present.bytes > quota.bytes ? 'bytes' : undefined;
}

/**
 * Refuses what is more than the quota allows. Whatever was written for it goes with the
 * transaction.
 * @param kind what messages call the resource, in the singular
 * @throws HttpError `quota-reached`
 */
export function requireRoom(kind: string, present: Quota, quota: Quota): void {
  const which = over(present, quota);
  if (which === undefined) return;
  throw httpError('quota-reached', {
    problem:
      which === 'records'
        ? `there are ${quota.records} resources of the kind '${kind}' already`
        : `the resources of the kind '${kind}' would take more than ${quota.bytes} bytes together`,
    setting: settingOf[which],
  });
}

/** Texts of tables with a row for each resource: whoever makes one decides how long they are. */
const textsIn = {
  users: ['email', 'name'],
  tokens: ['name', 'description', 'capabilities', 'within'],
  datasets: ['description', 'map_fields', 'schema'],
  fields: ['name', 'unit', 'description'],
} as const satisfies { readonly [Table in keyof Tables]?: readonly (keyof Tables[Table])[] };

/** What a row takes besides its texts. */
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
