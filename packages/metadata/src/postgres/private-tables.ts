/**
 * The tables that exist in PostgreSQL only, in steps that are only ever added, as in
 * `migrations.ts`: `versions` counts the changes of data that processes cache in memory. Triggers
 * count, so that no change by any process is missed.
 */
export const privateTables: readonly (readonly string[])[] = [
  [
    'CREATE TABLE versions (name TEXT COLLATE "C" PRIMARY KEY, version BIGINT NOT NULL)',
    // The directory to which the database is bound; `database-binding.ts`.
    'CREATE TABLE home (id BIGINT PRIMARY KEY CHECK (id = 1), directory TEXT COLLATE "C" NOT NULL)',
    `CREATE FUNCTION count_change() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      INSERT INTO versions VALUES (TG_TABLE_NAME, 1) ON CONFLICT (name) DO UPDATE SET version = versions.version + 1;
      RETURN NULL;
    END $$`,
    ...['datasets', 'fields', 'users', 'tokens'].map(
      (table) =>
        `CREATE TRIGGER counted AFTER INSERT OR UPDATE OR DELETE ON ${table} FOR EACH STATEMENT EXECUTE FUNCTION count_change()`,
    ),
    // A new or used session changes no cached data.
    'CREATE TRIGGER counted AFTER DELETE ON sessions FOR EACH STATEMENT EXECUTE FUNCTION count_change()',
    `CREATE FUNCTION count_documents() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      INSERT INTO versions SELECT DISTINCT collection, 1 FROM changed WHERE collection <> 'query_history'
      ON CONFLICT (name) DO UPDATE SET version = versions.version + 1;
      RETURN NULL;
    END $$`,
    ...(['INSERT', 'UPDATE', 'DELETE'] as const).map(
      (event) =>
        `CREATE TRIGGER counted_${event.toLowerCase()} AFTER ${event} ON documents REFERENCING ${event === 'DELETE' ? 'OLD' : 'NEW'} TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_documents()`,
    ),
  ],
  [
    // Processes that share the events have a row each: `nodes.ts`. Row numbers are never reused.
    `CREATE TABLE nodes (
      epoch BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      name TEXT COLLATE "C" NOT NULL,
      version TEXT COLLATE "C" NOT NULL,
      url TEXT COLLATE "C" NOT NULL,
      started TIMESTAMPTZ NOT NULL DEFAULT now(),
      seen TIMESTAMPTZ NOT NULL DEFAULT now()
    )`,
    // New fields, for nodes that know the others (`storage/cluster/schema-changes.ts`). Changes are
    // serialized, so numbers are in commit order.
    `CREATE TABLE field_news (
      n BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      dataset_id BIGINT NOT NULL,
      physical TEXT COLLATE "C" NOT NULL,
      place TEXT COLLATE "C" NOT NULL
    )`,
    // The last removed number.
    'CREATE TABLE field_news_pruned (id BIGINT PRIMARY KEY CHECK (id = 1), up_to BIGINT NOT NULL)',
    `CREATE FUNCTION note_fields() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE last BIGINT;
    BEGIN
      INSERT INTO field_news (dataset_id, physical, place) SELECT dataset_id, physical, place FROM learned;
      IF NOT FOUND THEN RETURN NULL; END IF;
      SELECT max(n) INTO last FROM field_news;
      DELETE FROM field_news WHERE n <= last - 100000;
      IF FOUND THEN
        INSERT INTO field_news_pruned VALUES (1, last - 100000) ON CONFLICT (id) DO UPDATE SET up_to = excluded.up_to;
      END IF;
      INSERT INTO versions VALUES ('field_news', 1) ON CONFLICT (name) DO UPDATE SET version = versions.version + 1;
      RETURN NULL;
    END $$`,
    `CREATE TRIGGER noted AFTER INSERT ON stored_fields REFERENCING NEW TABLE AS learned
      FOR EACH STATEMENT EXECUTE FUNCTION note_fields()`,
    // Idempotency keys whose events are being stored; `storage/cluster/idempotency-keys.ts`.
    `CREATE TABLE pending_keys (
      dataset_id BIGINT NOT NULL,
      key TEXT COLLATE "C" NOT NULL,
      position TEXT COLLATE "C" NOT NULL,
      arrival TEXT COLLATE "C" NOT NULL,
      answer TEXT COLLATE "C" NOT NULL,
      begun TIMESTAMPTZ NOT NULL DEFAULT now(),
      taken TIMESTAMPTZ NOT NULL DEFAULT now(),
      PRIMARY KEY (dataset_id, key)
    )`,
  ],
  // Identifies a process's row: a restored database may assign the same number again.
  [`ALTER TABLE nodes ADD COLUMN life TEXT COLLATE "C" NOT NULL DEFAULT ''`],
  [
    // The ingest order: `position-allocator.ts`. Rows without `done` are in flight. Positions
    // continue above the ones that processes once derived from their numbers.
    'CREATE TABLE arrival_order (id BIGINT PRIMARY KEY CHECK (id = 1), last BIGINT NOT NULL)',
    'INSERT INTO arrival_order SELECT 1, (COALESCE(max(epoch), 0) + 1) * 1099511627776 FROM nodes',
    `CREATE TABLE arrivals (
      first BIGINT PRIMARY KEY,
      last BIGINT NOT NULL,
      dataset_id BIGINT NOT NULL,
      epoch BIGINT NOT NULL,
      begun TIMESTAMPTZ NOT NULL DEFAULT now(),
      done TIMESTAMPTZ,
      rows BIGINT NOT NULL DEFAULT 0
    )`,
    'CREATE INDEX arrivals_under_way ON arrivals (dataset_id, first) WHERE done IS NULL',
    'CREATE INDEX arrivals_done ON arrivals (done) WHERE done IS NOT NULL',
  ],
  [
    // For replicated tables: `table-leaders.ts`, `removed-tables.ts`, `shared-coordination.ts`.
    `CREATE TABLE table_homes (
      class BIGINT PRIMARY KEY,
      replica TEXT COLLATE "C" NOT NULL,
      generation BIGINT NOT NULL,
      state TEXT COLLATE "C" NOT NULL
    )`,
    // The replicas that a process reaches.
    `ALTER TABLE nodes ADD COLUMN hears TEXT[] NOT NULL DEFAULT '{}', ADD COLUMN heard_at TIMESTAMPTZ NOT NULL DEFAULT '-infinity'`,
    'CREATE TABLE removed_tables (name TEXT COLLATE "C" PRIMARY KEY, removed TIMESTAMPTZ NOT NULL DEFAULT now())',
    'CREATE TABLE events_place (id BIGINT PRIMARY KEY CHECK (id = 1), kind TEXT COLLATE "C" NOT NULL)',
  ],
  [
    // Minimum steps that a program must know: `migrate.ts`.
    'CREATE TABLE works_with (id BIGINT PRIMARY KEY CHECK (id = 1), common BIGINT NOT NULL, own BIGINT NOT NULL)',
    // Rows of each batch, to detect partially stored ones: JSON.
    'ALTER TABLE arrivals ADD COLUMN sizes TEXT COLLATE "C" NOT NULL DEFAULT \'[]\'',
    'ALTER TABLE nodes ADD COLUMN steps_common BIGINT NOT NULL DEFAULT 0',
    'ALTER TABLE nodes ADD COLUMN steps_own BIGINT NOT NULL DEFAULT 0',
  ],
  [
    // Requests without an idempotency key that were not confirmed;
    // `storage/cluster/unconfirmed-batches.ts`. Only new rows are of interest to other processes.
    `CREATE TABLE unconfirmed_batches (
      n BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      dataset_id BIGINT NOT NULL,
      digest TEXT COLLATE "C" NOT NULL,
      position BIGINT NOT NULL,
      rows BIGINT NOT NULL,
      begun TIMESTAMPTZ NOT NULL DEFAULT now()
    )`,
    'CREATE TRIGGER counted AFTER INSERT ON unconfirmed_batches FOR EACH STATEMENT EXECUTE FUNCTION count_change()',
  ],
  [
    'CREATE TRIGGER counted AFTER INSERT OR UPDATE OR DELETE ON identities FOR EACH STATEMENT EXECUTE FUNCTION count_change()',
  ],
  [
    // The addresses of shards, and how many of them each process uses: `nodes.ts`.
    'CREATE TABLE event_shards (number BIGINT PRIMARY KEY, addresses TEXT COLLATE "C" NOT NULL)',
    'ALTER TABLE nodes ADD COLUMN shards BIGINT NOT NULL DEFAULT 1',
  ],
];
