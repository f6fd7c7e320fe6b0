/**
 * What the metadata have in PostgreSQL only, in steps that are only ever added, as in
 * `migrations.ts`: `versions` counts the changes of what processes hold in memory. Triggers count,
 * so that no change is missed, whoever makes it.
 */
export const ownTables: readonly (readonly string[])[] = [
  [
    'CREATE TABLE versions (name TEXT COLLATE "C" PRIMARY KEY, version BIGINT NOT NULL)',
    // The directory whose events this describes; `home.ts`.
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
    // A session that begins, or is used, changes nothing that anybody knows already.
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
    // Processes that share the events have a row each: `nodes.ts`. The number of a row is never
    // given again.
    `CREATE TABLE nodes (
      epoch BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      name TEXT COLLATE "C" NOT NULL,
      version TEXT COLLATE "C" NOT NULL,
      url TEXT COLLATE "C" NOT NULL,
      started TIMESTAMPTZ NOT NULL DEFAULT now(),
      seen TIMESTAMPTZ NOT NULL DEFAULT now()
    )`,
    // The newest names of fields, for processes that know the others;
    // `storage/shared/field-news.ts`. One change at a time: numbers are in the order of commits.
    `CREATE TABLE field_news (
      n BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      dataset_id BIGINT NOT NULL,
      physical TEXT COLLATE "C" NOT NULL,
      place TEXT COLLATE "C" NOT NULL
    )`,
    // Up to which number they were removed.
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
    // Idempotency keys whose events somebody is storing; `storage/shared/keys.ts`.
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
  // By which a process knows its row: a database that was put back may give the same number to
  // another.
  [`ALTER TABLE nodes ADD COLUMN life TEXT COLLATE "C" NOT NULL DEFAULT ''`],
  [
    // The order in which batches of events come into the engine: `arrivals.ts`. What `done` is null
    // for is under way. Positions go on above those that processes once made out of their numbers.
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
    // Of tables over replicas: `table-homes.ts`, `removed-tables.ts`, `shared-agreement.ts`.
    `CREATE TABLE table_homes (
      class BIGINT PRIMARY KEY,
      replica TEXT COLLATE "C" NOT NULL,
      generation BIGINT NOT NULL,
      state TEXT COLLATE "C" NOT NULL
    )`,
    // The replicas that a process hears.
    `ALTER TABLE nodes ADD COLUMN hears TEXT[] NOT NULL DEFAULT '{}', ADD COLUMN heard_at TIMESTAMPTZ NOT NULL DEFAULT '-infinity'`,
    'CREATE TABLE removed_tables (name TEXT COLLATE "C" PRIMARY KEY, removed TIMESTAMPTZ NOT NULL DEFAULT now())',
    'CREATE TABLE events_place (id BIGINT PRIMARY KEY CHECK (id = 1), kind TEXT COLLATE "C" NOT NULL)',
  ],
  [
    // How much a program must know to go on here: `migrate.ts`.
    'CREATE TABLE works_with (id BIGINT PRIMARY KEY CHECK (id = 1), common BIGINT NOT NULL, own BIGINT NOT NULL)',
    // Rows of each batch, by which a half is told from a whole: JSON.
    'ALTER TABLE arrivals ADD COLUMN sizes TEXT COLLATE "C" NOT NULL DEFAULT \'[]\'',
    'ALTER TABLE nodes ADD COLUMN steps_common BIGINT NOT NULL DEFAULT 0',
    'ALTER TABLE nodes ADD COLUMN steps_own BIGINT NOT NULL DEFAULT 0',
  ],
];
