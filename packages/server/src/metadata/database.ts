import { type Generated, Kysely, type Transaction } from 'kysely';
import type LibsqlDatabase from 'libsql';
import { MetadataDialect } from './dialect.js';

/** Tables of the metadata. Times are RFC 3339 texts; objects and lists are JSON texts. */
export interface Tables {
  org: { id: string; name: string; created: string; modified: string };
  datasets: {
    /** Never used again after a deletion (AUTOINCREMENT). */
    id: Generated<number>;
    name: string;
    description: string;
    who: string;
    kind: string;
    created: string;
    updated: string;
    use_retention: number;
    retention_days: number;
    map_fields: string;
    edge_deployment: string;
    schema: string | null;
    vacuumed: string | null;
    /** Of the engine: the one that has its tables. */
    shard: Generated<number>;
  };
  /** Datasets whose record is gone and whose data is still to be removed. */
  dropped_datasets: { id: number; name: string; dropped: string; shard: Generated<number> };
  fields: { dataset_id: number; name: string; unit: string; hidden: number; description: string };
  /**
   * Fields found in the events of a dataset, by physical name, and where their values lie (`column`
   * or `overflow`).
   */
  stored_fields: { dataset_id: number; physical: string; place: 'column' | 'overflow' };
  /**
   * Log positions up to which a dataset is never replayed. Decimal text: SQLite's driver would
   * round them.
   */
  checkpoints: { dataset_id: number; position: string };
  /** How many rows the partitions of datasets have at least; `storage/inventory`. */
  partition_rows: { dataset_id: number; partition: number; rows: number };
  /** Rows that partitions had and have no more, though nobody deleted them. */
  missing_rows: { dataset_id: number; partition: number; rows: number; since: string };
  /**
   * Answers to requests that came with an idempotency key; `expires` in milliseconds since the
   * epoch.
   */
  answers: { dataset_id: number; key: string; position: string; answer: string; expires: number };
  /** Frames of the log the engine refuses; `storage/insert/refused.ts`. */
  refused_batches: { position: string; dataset_id: number; payload: Uint8Array; not_before: string | null };
  /** The last insert of each dataset into replicated tables; `storage/insert/pins.ts`. */
  pinned_inserts: { dataset_id: number; lane: string; token: string; positions: string; missing: number };
  /**
   * One row: the settings that all tables of datasets are known to have;
   * `storage/tables/settings-record.ts`.
   */
  table_settings: { id: number; settings: string };
  /**
   * Datasets whose arrays and objects may be as an earlier version stored them;
   * `storage/spelling-upgrade.ts`.
   */
  old_spellings: { dataset_id: number };
  users: { id: string; email: string; name: string; role: string; created: string };
  tokens: {
    id: string;
    kind: 'api' | 'personal';
    hash: string;
    name: string;
    description: string;
    user_id: string;
    capabilities: string;
    created: string;
    expires: string | null;
    within: string | null;
  };
  /**
   * Where each monitor stands; times in milliseconds since the epoch, as in the three tables after
   * it. See `alerts/state/records.ts`.
   */
  monitor_states: { monitor_id: string; ran: number; state: string };
  /** The last runs of each. */
  monitor_runs: { monitor_id: string; place: number; time: number; run: string };
  /** What opened and closed. */
  monitor_changes: { position: Generated<number>; monitor_id: string; time: number; change: string };
  /** The outbox: what was decided to be sent, and what became of it. */
  notifications: {
    position: Generated<number>;
    id: string;
    monitor_id: string;
    notifier_id: string;
    created: number;
    next_try: number;
    tries: number;
    state: 'waiting' | 'delivered' | 'failed';
    /** Why the last attempt failed; empty if none did. */
    problem: string;
    notification: string;
  };
  /** Browsers that are signed in; they go with their token. */
  sessions: {
    id: string;
    hash: string;
    token_id: string;
    created: string;
    /** When it was used last, give or take some minutes. */
    used: string;
    address: string;
    agent: string;
  };
  /** When tokens were used last, give or take some minutes; `token-uses.ts`. */
  token_uses: { token_id: string; used: string };
  /** Codes that sign one browser in, with the rights of their token. */
  sign_in_codes: { hash: string; token_id: string; expires: string };
  /** Resources that are kept as one document each; see collection.ts. */
  documents: {
    collection: string;
    id: string;
    /** Unique in the collection where it is not null. */
    unique_key: string | null;
    /** The dataset it belongs to and disappears with. */
    dataset_id: number | null;
    position: Generated<number>;
    body: string;
  };
  /** `document` is the text that was sent; `owner` is a user's id or stands for everyone. */
  dashboards: {
    uid: string;
    id: string;
    owner: string;
    name: string;
    version: number;
    document: string;
    created: string;
    created_by: string;
    updated: string;
    updated_by: string;
  };
  /** The newest versions of each dashboard, the present one included. */
  dashboard_versions: {
    uid: string;
    version: number;
    document: string;
    message: string;
    written: string;
    written_by: string;
  };
}

export type Database = Kysely<Tables>;
/** A database or a transaction on it. */
export type Connection = Database | Transaction<Tables>;

/**
 * The queries over an opened file; they throw a `MetadataError` when the disk is full or fails, or
 * another process has locked the file.
 * @param ran called after each statement
 */
export const databaseOver = (sqlite: LibsqlDatabase.Database, ran?: () => void): Database =>
  new Kysely<Tables>({ dialect: new MetadataDialect(sqlite), ...(ran !== undefined && { log: ran }) });
