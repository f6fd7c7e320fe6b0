import { type SelectQueryBuilder, sql } from 'kysely';
import type { Connection, Tables } from './database.js';
import { spellingOf } from './sql-dialect.js';

type Row = Readonly<Record<string, unknown>>;

/** Every table, referenced ones first, with its key columns. */
const tables = {
  org: ['id'],
  users: ['id'],
  tokens: ['id'],
  sessions: ['id'],
  token_uses: ['token_id'],
  sign_in_codes: ['hash'],
  identities: ['id'],
  identity_groups: ['identity_id', 'group_id'],
  used_values: ['hash'],
  server_keys: ['name'],
  device_codes: ['hash'],
  datasets: ['id'],
  old_spellings: ['dataset_id'],
  dropped_datasets: ['id'],
  fields: ['dataset_id', 'name'],
  stored_fields: ['dataset_id', 'physical', 'place'],
  checkpoints: ['dataset_id'],
  partition_rows: ['dataset_id', 'partition'],
  missing_rows: ['dataset_id', 'partition'],
  answers: ['dataset_id', 'key'],
  refused_batches: ['position'],
  pinned_inserts: ['dataset_id', 'lane'],
  table_settings: ['id'],
  monitor_states: ['monitor_id'],
  monitor_runs: ['monitor_id', 'place'],
  monitor_changes: ['position'],
  notifications: ['position'],
  receiver_states: ['notifier_id', 'monitor_id'],
  source_objects: ['source_id', 'object'],
  documents: ['position'],
  dashboards: ['uid'],
  dashboard_versions: ['uid', 'version'],
} as const satisfies { readonly [T in keyof Tables]: readonly (keyof Tables[T])[] };

/** Columns whose texts may contain a NUL. */
const odd: { readonly [T in keyof Tables]?: keyof Tables[T] & string } = { fields: 'name', stored_fields: 'physical' };

/** Rows per statement: with the columns of the widest table below the maximum of parameters. */
const rowsAtOnce = 500;

/**
 * Copies all rows of all tables, between stores of either kind. The target's tables are empty; its
 * IDs continue after those of the source.
 * @param from has no concurrent writers, or is a transaction with one snapshot
 */
export async function copyTables(from: Connection, to: Connection): Promise<void> {
  for (const [table, key] of Object.entries(tables) as readonly [keyof Tables, readonly string[]][])
    for (let offset = 0; ; offset += rowsAtOnce) {
      const rows = await some(from, table, key, offset);
      if (rows.length > 0)
        await to
          .insertInto(table)
          .values(rows as never)
          .execute();
      if (rows.length < rowsAtOnce) break;
    }
  for (const [table, column] of [
    ['datasets', 'id'],
    ['documents', 'position'],
    ['monitor_changes', 'position'],
    ['notifications', 'position'],
  ] as const) {
    const highest = await spellingOf(from).highest(table, column).execute(from);
    const { id } = highest.rows[0] ?? {};
    if (id !== undefined)
      for (const statement of spellingOf(to).goOnFrom(table, column, id)) await statement.execute(to);
  }
}

async function some(
  from: Connection,
  table: keyof Tables,
  key: readonly string[],
  offset: number,
): Promise<readonly Row[]> {
  const query = from.selectFrom(table).selectAll() as unknown as SelectQueryBuilder<never, never, Row>;
  const ordered = key.reduce((ordering, column) => ordering.orderBy(sql.ref(column)), query);
  const { asJson, read } = spellingOf(from);
  const exact = odd[table];
  const selection = exact === undefined ? ordered : ordered.select(asJson(exact).as('exact') as never);
  const rows = (await selection.limit(rowsAtOnce).offset(offset).execute()) as readonly Row[];
  if (table === 'refused_batches')
    return rows.map((row) => ({ ...row, payload: Buffer.from(row['payload'] as Uint8Array) }));
  if (exact === undefined) return rows;
  return rows.map(({ exact: text, ...row }) => ({ ...row, [exact]: read(String(text)) }));
}
