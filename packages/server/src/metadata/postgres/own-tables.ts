/**
 * What the metadata have in PostgreSQL only, in steps that are only ever added, as in `migrations.ts`: `versions` counts the changes of what processes hold in
 * memory. Triggers count, so that no change is missed, whoever makes it.
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
];
