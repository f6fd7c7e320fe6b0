import { inTransaction, type TransactionTarget } from './in-transaction.js';

/** The part of the SQLite client that migrations use. */
interface MigrationTarget extends TransactionTarget {
  prepare(sql: string): { get(): unknown };
}

/**
 * The same tables with row IDs. Without them SQLite reads a whole row, up to a megabyte, whenever
 * it compares a key. PostgreSQL does not need this.
 */
export const withRowIds: readonly string[] = [
  'DROP INDEX dashboards_by_name',
  'ALTER TABLE dashboard_versions RENAME TO earlier_dashboard_versions',
  'ALTER TABLE dashboards RENAME TO earlier_dashboards',
  `CREATE TABLE dashboards (
    uid TEXT PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    owner TEXT NOT NULL,
    name TEXT NOT NULL,
    version INTEGER NOT NULL,
    document TEXT NOT NULL,
    created TEXT NOT NULL,
    created_by TEXT NOT NULL,
    updated TEXT NOT NULL,
    updated_by TEXT NOT NULL
  )`,
  'INSERT INTO dashboards SELECT * FROM earlier_dashboards',
  `CREATE TABLE dashboard_versions (
    uid TEXT NOT NULL REFERENCES dashboards (uid) ON DELETE CASCADE,
    version INTEGER NOT NULL,
    document TEXT NOT NULL,
    message TEXT NOT NULL,
    written TEXT NOT NULL,
    written_by TEXT NOT NULL,
    PRIMARY KEY (uid, version)
  )`,
  'INSERT INTO dashboard_versions SELECT * FROM earlier_dashboard_versions',
  'DROP TABLE earlier_dashboard_versions',
  'DROP TABLE earlier_dashboards',
  'CREATE INDEX dashboards_by_name ON dashboards (name, uid)',
];

/**
 * The steps from an empty file to the present tables; the `user_version` of a file is the number of
 * its steps. Steps are only ever added: a released one never changes. The number of steps is also
 * the version of the whole directory: any other change to the directory that older programs cannot
 * read needs a step too, if necessary an empty one. An older program then reports it and changes
 * nothing.
 */
export const migrations: readonly (readonly string[])[] = [
  [
    'CREATE TABLE org (id TEXT PRIMARY KEY, name TEXT NOT NULL, created TEXT NOT NULL, modified TEXT NOT NULL)',
    `CREATE TABLE datasets (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      name TEXT NOT NULL UNIQUE,
      description TEXT NOT NULL,
      who TEXT NOT NULL,
      kind TEXT NOT NULL,
      created TEXT NOT NULL,
      updated TEXT NOT NULL,
      use_retention INTEGER NOT NULL,
      retention_days INTEGER NOT NULL,
      map_fields TEXT NOT NULL,
      edge_deployment TEXT NOT NULL,
      schema TEXT,
      vacuumed TEXT
    )`,
    'CREATE TABLE dropped_datasets (id INTEGER PRIMARY KEY, name TEXT NOT NULL, dropped TEXT NOT NULL)',
    `CREATE TABLE fields (
      dataset_id INTEGER NOT NULL REFERENCES datasets (id) ON DELETE CASCADE,
      name TEXT NOT NULL,
      unit TEXT NOT NULL,
      hidden INTEGER NOT NULL,
      description TEXT NOT NULL,
      PRIMARY KEY (dataset_id, name)
    )`,
    `CREATE TABLE stored_fields (
      dataset_id INTEGER NOT NULL,
      physical TEXT NOT NULL,
      place TEXT NOT NULL CHECK (place IN ('column', 'overflow')),
      PRIMARY KEY (dataset_id, physical, place)
    ) WITHOUT ROWID`,
    `CREATE TABLE answers (
      dataset_id INTEGER NOT NULL,
      key TEXT NOT NULL,
      position TEXT NOT NULL,
      answer TEXT NOT NULL,
      expires INTEGER NOT NULL,
      PRIMARY KEY (dataset_id, key)
    ) WITHOUT ROWID`,
    'CREATE INDEX answers_by_expiry ON answers (expires)',
    'CREATE TABLE checkpoints (dataset_id INTEGER PRIMARY KEY, position TEXT NOT NULL)',
    `CREATE TABLE users (
      id TEXT PRIMARY KEY,
      email TEXT NOT NULL UNIQUE,
      name TEXT NOT NULL,
      role TEXT NOT NULL,
      created TEXT NOT NULL
    )`,
    `CREATE TABLE tokens (
      id TEXT PRIMARY KEY,
      kind TEXT NOT NULL CHECK (kind IN ('api', 'personal')),
      hash TEXT NOT NULL UNIQUE,
      name TEXT NOT NULL,
      description TEXT NOT NULL,
      user_id TEXT NOT NULL,
      capabilities TEXT NOT NULL,
      created TEXT NOT NULL,
      expires TEXT
    )`,
    `CREATE TABLE documents (
      position INTEGER PRIMARY KEY AUTOINCREMENT,
      collection TEXT NOT NULL,
      id TEXT NOT NULL,
      unique_key TEXT,
      dataset_id INTEGER REFERENCES datasets (id) ON DELETE CASCADE,
      body TEXT NOT NULL,
      UNIQUE (collection, id),
      UNIQUE (collection, unique_key)
    )`,
    'CREATE INDEX documents_of_dataset ON documents (dataset_id)',
  ],
  ['CREATE TABLE refused_batches (position TEXT PRIMARY KEY, dataset_id INTEGER NOT NULL, payload BLOB NOT NULL)'],
  // From this step on the log has frames of version 2, which older programs cannot read.
  ['CREATE TABLE table_settings (id INTEGER PRIMARY KEY CHECK (id = 1), settings TEXT NOT NULL)'],
  ['ALTER TABLE refused_batches ADD COLUMN not_before TEXT'],
  [
    `CREATE TABLE dashboards (
      uid TEXT PRIMARY KEY,
      id TEXT NOT NULL UNIQUE,
      owner TEXT NOT NULL,
      name TEXT NOT NULL,
      version INTEGER NOT NULL,
      document TEXT NOT NULL,
      created TEXT NOT NULL,
      created_by TEXT NOT NULL,
      updated TEXT NOT NULL,
      updated_by TEXT NOT NULL
    ) WITHOUT ROWID`,
    'CREATE INDEX dashboards_by_name ON dashboards (name, uid)',
    `CREATE TABLE dashboard_versions (
      uid TEXT NOT NULL REFERENCES dashboards (uid) ON DELETE CASCADE,
      version INTEGER NOT NULL,
      document TEXT NOT NULL,
      message TEXT NOT NULL,
      written TEXT NOT NULL,
      written_by TEXT NOT NULL,
      PRIMARY KEY (uid, version)
    ) WITHOUT ROWID`,
  ],
  [
    'CREATE TABLE partition_rows (dataset_id INTEGER NOT NULL, partition INTEGER NOT NULL, rows INTEGER NOT NULL, PRIMARY KEY (dataset_id, partition)) WITHOUT ROWID',
    'CREATE TABLE missing_rows (dataset_id INTEGER NOT NULL, partition INTEGER NOT NULL, rows INTEGER NOT NULL, since TEXT NOT NULL, PRIMARY KEY (dataset_id, partition)) WITHOUT ROWID',
  ],
  [
    'CREATE TABLE monitor_states (monitor_id TEXT PRIMARY KEY, ran INTEGER NOT NULL, state TEXT NOT NULL) WITHOUT ROWID',
    // A ring per monitor: a new run replaces the oldest one.
    `CREATE TABLE monitor_runs (
      monitor_id TEXT NOT NULL,
      place INTEGER NOT NULL,
      time INTEGER NOT NULL,
      run TEXT NOT NULL,
      PRIMARY KEY (monitor_id, place)
    ) WITHOUT ROWID`,
    `CREATE TABLE monitor_changes (
      position INTEGER PRIMARY KEY AUTOINCREMENT,
      monitor_id TEXT NOT NULL,
      time INTEGER NOT NULL,
      change TEXT NOT NULL
    )`,
    'CREATE INDEX monitor_changes_of_monitor ON monitor_changes (monitor_id, time)',
    'CREATE INDEX monitor_changes_by_time ON monitor_changes (time)',
    `CREATE TABLE notifications (
      position INTEGER PRIMARY KEY AUTOINCREMENT,
      id TEXT NOT NULL UNIQUE,
      monitor_id TEXT NOT NULL,
      notifier_id TEXT NOT NULL,
      created INTEGER NOT NULL,
      next_try INTEGER NOT NULL,
      tries INTEGER NOT NULL,
      state TEXT NOT NULL CHECK (state IN ('waiting', 'delivered', 'failed')),
      problem TEXT NOT NULL,
      notification TEXT NOT NULL
    )`,
    "CREATE INDEX notifications_waiting ON notifications (notifier_id, position) WHERE state = 'waiting'",
    'CREATE INDEX notifications_by_time ON notifications (created)',
  ],
  ['ALTER TABLE tokens ADD COLUMN within TEXT'],
  [
    `CREATE TABLE sessions (
      id TEXT PRIMARY KEY,
      hash TEXT NOT NULL UNIQUE,
      token_id TEXT NOT NULL REFERENCES tokens (id) ON DELETE CASCADE,
      created TEXT NOT NULL,
      used TEXT NOT NULL,
      address TEXT NOT NULL,
      agent TEXT NOT NULL
    )`,
    'CREATE INDEX sessions_of_token ON sessions (token_id)',
    `CREATE TABLE sign_in_codes (
      hash TEXT PRIMARY KEY,
      token_id TEXT NOT NULL REFERENCES tokens (id) ON DELETE CASCADE,
      expires TEXT NOT NULL
    ) WITHOUT ROWID`,
  ],
  [
    `CREATE TABLE token_uses (
      token_id TEXT PRIMARY KEY REFERENCES tokens (id) ON DELETE CASCADE,
      used TEXT NOT NULL
    ) WITHOUT ROWID`,
  ],
  [
    // From this step on arrays and objects are stored in canonical form; existing datasets may have
    // other forms.
    'CREATE TABLE old_spellings (dataset_id INTEGER PRIMARY KEY)',
    'INSERT INTO old_spellings (dataset_id) SELECT id FROM datasets',
  ],
  // No schema change. An older program would add events without their terms, and leave the term
  // index wrong.
  [],
  [
    `CREATE TABLE pinned_inserts (
      dataset_id INTEGER NOT NULL,
      lane TEXT NOT NULL,
      token TEXT NOT NULL,
      positions TEXT NOT NULL,
      missing INTEGER NOT NULL,
      PRIMARY KEY (dataset_id, lane)
    ) WITHOUT ROWID`,
  ],
  // From this step on the tables of datasets may be on several shards; existing ones are on one.
  [
    'ALTER TABLE datasets ADD COLUMN shard INTEGER NOT NULL DEFAULT 1',
    'ALTER TABLE dropped_datasets ADD COLUMN shard INTEGER NOT NULL DEFAULT 1',
  ],
  withRowIds,
  [
    `CREATE TABLE receiver_states (
      notifier_id TEXT NOT NULL,
      monitor_id TEXT NOT NULL,
      version INTEGER NOT NULL,
      closing TEXT NOT NULL,
      due INTEGER NOT NULL,
      severity INTEGER NOT NULL,
      since INTEGER NOT NULL,
      notifier TEXT NOT NULL,
      state TEXT NOT NULL,
      PRIMARY KEY (notifier_id, monitor_id)
    )`,
    'CREATE INDEX receiver_states_of_monitor ON receiver_states (monitor_id)',
    'CREATE INDEX receiver_states_due ON receiver_states (notifier_id) WHERE due = 1',
    "ALTER TABLE notifications ADD COLUMN groups TEXT NOT NULL DEFAULT ''",
    'ALTER TABLE notifications ADD COLUMN severity INTEGER NOT NULL DEFAULT 2',
    "ALTER TABLE notifications ADD COLUMN recipients TEXT NOT NULL DEFAULT '{}'",
    "CREATE INDEX notifications_waiting_by_monitor ON notifications (notifier_id, monitor_id, position) WHERE state = 'waiting'",
  ],
  [
    'ALTER TABLE sessions ADD COLUMN expires TEXT',
    'ALTER TABLE sessions ADD COLUMN provider_session TEXT',
    'ALTER TABLE sessions ADD COLUMN id_token TEXT',
    `CREATE TABLE identities (
      id TEXT PRIMARY KEY,
      user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
      provider TEXT NOT NULL,
      issuer TEXT NOT NULL,
      subject TEXT,
      email TEXT NOT NULL,
      created TEXT NOT NULL,
      last_sign_in TEXT,
      expires TEXT,
      UNIQUE (issuer, subject)
    )`,
    'CREATE INDEX identities_of_user ON identities (user_id)',
    `CREATE TABLE identity_groups (
      identity_id TEXT NOT NULL REFERENCES identities (id) ON DELETE CASCADE,
      group_id TEXT NOT NULL,
      PRIMARY KEY (identity_id, group_id)
    ) WITHOUT ROWID`,
    `CREATE TABLE used_values (
      hash TEXT PRIMARY KEY,
      expires TEXT NOT NULL
    ) WITHOUT ROWID`,
    'CREATE INDEX used_values_by_expiry ON used_values (expires)',
    `CREATE TABLE server_keys (
      name TEXT PRIMARY KEY,
      value TEXT NOT NULL
    ) WITHOUT ROWID`,
    `CREATE TABLE device_codes (
      hash TEXT PRIMARY KEY,
      user_code TEXT NOT NULL UNIQUE,
      name TEXT NOT NULL,
      address TEXT NOT NULL,
      lifetime INTEGER NOT NULL,
      expires TEXT NOT NULL,
      user_id TEXT REFERENCES users (id) ON DELETE CASCADE,
      within TEXT
    ) WITHOUT ROWID`,
  ],
  ["ALTER TABLE notifications ADD COLUMN attempts TEXT NOT NULL DEFAULT '[]'"],
  [
    'CREATE INDEX notifications_of_monitor ON notifications (monitor_id, created)',
    'CREATE INDEX answers_of_dataset ON answers (dataset_id, expires)',
  ],
  ['ALTER TABLE datasets ADD COLUMN field_roles TEXT'],
  [
    `CREATE TABLE source_objects (
      source_id TEXT NOT NULL,
      object TEXT NOT NULL,
      parts INTEGER NOT NULL,
      PRIMARY KEY (source_id, object)
    ) WITHOUT ROWID`,
  ],
  ['ALTER TABLE tokens ADD COLUMN identity_id TEXT', 'ALTER TABLE device_codes ADD COLUMN identity_id TEXT'],
  [
    'ALTER TABLE source_objects ADD COLUMN listed INTEGER NOT NULL DEFAULT 0',
    'CREATE INDEX source_objects_listed ON source_objects (source_id, listed)',
  ],
  ['ALTER TABLE users ADD COLUMN provisioned TEXT', 'ALTER TABLE users ADD COLUMN deactivated TEXT'],
];

/** Versions of the metadata before and after an upgrade; `from` is 0 for an empty file. */
export interface Migration {
  readonly from: number;
  readonly to: number;
}

/**
 * Runs the missing steps, each in a separate transaction: a crash leaves a whole number of steps.
 * @throws Error when a newer program has written the file
 */
export function migrate(target: MigrationTarget, steps: readonly (readonly string[])[] = migrations): Migration {
  const from = versionOf(target);
  for (let done = versionOf(target); done !== steps.length; done = versionOf(target)) {
    if (done > steps.length) throw tooNew(done, steps.length);
    inTransaction(target, () => {
      // Another process that opened the file at the same time may have run the step while this one
      // waited for the lock.
      if (versionOf(target) !== done) return;
      for (const statement of steps[done]!) target.exec(statement);
      target.exec(`PRAGMA user_version = ${done + 1}`);
    });
  }
  return { from, to: steps.length };
}

export const tooNew = (done: number, known: number): Error =>
  new Error(`metadata version ${done} is newer than supported version ${known}; upgrade Millrace`);

function versionOf(target: MigrationTarget): number {
  const row = target.prepare('SELECT user_version AS version FROM pragma_user_version').get() as { version: number };
  return row.version;
}
