import { type Generated, Kysely, type Transaction } from 'kysely';
import type LibsqlDatabase from 'libsql';
import { MetadataDialect, type WriteCounter } from './dialect.js';

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
    /** JSON of the fields chosen for a meaning. */
    field_roles: string | null;
    vacuumed: string | null;
    /** The shard of the engine with its tables. */
    shard: Generated<number>;
  };
  /** Datasets whose record is deleted and whose data is still to remove. */
  dropped_datasets: { id: number; name: string; dropped: string; shard: Generated<number> };
  fields: { dataset_id: number; name: string; unit: string; hidden: number; description: string };
  /**
   * Fields found in the events of a dataset, by physical name, with the location of their values
   * (`column` or `overflow`).
   */
  stored_fields: { dataset_id: number; physical: string; place: 'column' | 'overflow' };
  /**
   * Log positions up to which a dataset is never replayed. Decimal text: SQLite's driver would
   * round them.
   */
  checkpoints: { dataset_id: number; position: string };
  /** Minimum row counts of partitions; `storage/inventory`. */
  partition_rows: { dataset_id: number; partition: number; rows: number };
  /** Rows that partitions lost although they were not deleted. */
  missing_rows: { dataset_id: number; partition: number; rows: number; since: string };
  /** Responses to requests with an idempotency key; `expires` in milliseconds since the epoch. */
  answers: { dataset_id: number; key: string; position: string; answer: string; expires: number };
  /** Frames of the log that the engine rejected; `storage/insert/quarantine.ts`. */
  refused_batches: { position: string; dataset_id: number; payload: Uint8Array; not_before: string | null };
  /** The last insert of each dataset into replicated tables; `storage/insert/intents.ts`. */
  pinned_inserts: { dataset_id: number; lane: string; token: string; positions: string; missing: number };
  /**
   * One row: the settings that all tables of datasets are known to have;
   * `storage/tables/settings-record.ts`.
   */
  table_settings: { id: number; settings: string };
  /**
   * Datasets whose arrays and objects may not be in canonical form;
   * `storage/canonical-json-migration.ts`.
   */
  old_spellings: { dataset_id: number };
  users: {
    id: string;
    email: string;
    name: string;
    role: string;
    created: string;
    /** JSON of what a provider pushed by SCIM; see `Provisioned` in users.ts. */
    provisioned: string | null;
    /** Since when the user cannot sign in. */
    deactivated: string | null;
  };
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
    /** The identity that its user was signed in with when creating it. */
    identity_id: string | null;
  };
  /**
   * State of each monitor; times in milliseconds since the epoch, as in the next three tables. See
   * `alerts/state/records.ts`.
   */
  monitor_states: { monitor_id: string; ran: number; state: string };
  /** The last runs of each monitor. */
  monitor_runs: { monitor_id: string; place: number; time: number; run: string };
  /** Alerts that fired and resolved. */
  monitor_changes: { position: Generated<number>; monitor_id: string; time: number; change: string };
  /** The outbox: notifications and their delivery state. */
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
    /** JSON list of the notified groups; empty for an event that matched. */
    groups: Generated<string>;
    severity: Generated<number>;
    /** JSON object: delivery state per address of a mail. */
    recipients: Generated<string>;
    /** JSON list of the last attempts. */
    attempts: Generated<string>;
  };
  /**
   * State of a monitor at each notifier: last notified and pending;
   * `alerts/outbox/receiver-state.ts`.
   */
  receiver_states: {
    notifier_id: string;
    monitor_id: string;
    /** Grows with each write: a write based on an older version is rejected. */
    version: number;
    /** Why all its alerts are over before a run has reported it; empty if they are not. */
    closing: string;
    /** 1 if a notification is due. */
    due: number;
    severity: number;
    /** Time of the oldest pending change, milliseconds since the epoch. */
    since: number;
    /** JSON of the notifier that had this state and is deleted or has a new address; else empty. */
    notifier: string;
    state: string;
  };
  /** Signed-in browsers; deleted with their token. */
  sessions: {
    id: string;
    hash: string;
    token_id: string;
    created: string;
    /** Last use, accurate to some minutes. */
    used: string;
    address: string;
    agent: string;
    /** End that the sign-in provider or its settings gave the session. */
    expires: string | null;
    /** ID of the session at the provider (`sid`). */
    provider_session: string | null;
    /** For the logout at the provider. */
    id_token: string | null;
  };
  /** Accounts of users at sign-in providers, and invitations, which have no subject yet. */
  identities: {
    id: string;
    user_id: string;
    provider: string;
    issuer: string;
    subject: string | null;
    email: string;
    created: string;
    last_sign_in: string | null;
    expires: string | null;
  };
  /** Groups that a provider put a user in. Other memberships are by hand. */
  identity_groups: { identity_id: string; group_id: string };
  /** Hashes of values that may be used once; `sign-in/single-use.ts`. */
  used_values: { hash: string; expires: string };
  /** Keys that all nodes share, base64. */
  server_keys: { name: string; value: string };
  /** Programs that wait for a person to let them sign in; `sign-in/device-codes.ts`. */
  device_codes: {
    hash: string;
    user_code: string;
    name: string;
    address: string;
    lifetime: number;
    expires: string;
    user_id: string | null;
    within: string | null;
    identity_id: string | null;
  };
  /**
   * Objects that bucket sources have read; `sources/source-objects.ts`. `parts` counts the stored
   * parts of an incomplete object and is −1 for a complete one. `listed` is the day on which the
   * bucket last had it, since the epoch; 0 if unknown.
   */
  source_objects: { source_id: string; object: string; parts: number; listed: Generated<number> };
  /** Last uses of tokens, accurate to some minutes; `token-last-used.ts`. */
  token_uses: { token_id: string; used: string };
  /** Codes that sign in one browser, with the rights of their token. */
  sign_in_codes: { hash: string; token_id: string; expires: string };
  /** Resources stored as documents, one per resource; see collection.ts. */
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
  /** `document` is the text as it was sent; `owner` is a user's ID or stands for everyone. */
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
export const databaseOver = (
  sqlite: LibsqlDatabase.Database,
  ran?: () => void,
  writes: WriteCounter = { count: 0 },
): Database =>
  new Kysely<Tables>({ dialect: new MetadataDialect(sqlite, writes), ...(ran !== undefined && { log: ran }) });
