import type { Shape } from '../data/shape.js';

/** DuckDB, if it is installed (`npm install` in `bench`); otherwise its column states that. */

interface DuckConnection {
  run(sql: string): Promise<unknown>;
  runAndReadAll(sql: string): Promise<{ getColumnsJson(): readonly (readonly unknown[])[] }>;
  closeSync(): void;
}

interface DuckModule {
  readonly DuckDBInstance: { create(path: string): Promise<{ connect(): Promise<DuckConnection>; closeSync(): void }> };
}

export interface Duck {
  run(sql: string): Promise<void>;
  /** Columns of a result, as values. */
  ask(sql: string): Promise<readonly (readonly unknown[])[]>;
  /** Drops what it has cached of its file. */
  forget(): Promise<void>;
  close(): void;
}

const moduleName = '@duckdb/node-api';

/** DuckDB, or why it cannot be used. */
async function load(): Promise<DuckModule | string> {
  try {
    return (await import(moduleName)) as DuckModule;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ERR_MODULE_NOT_FOUND') return 'DuckDB is not installed; (cd bench && npm install) adds it';
    return `DuckDB cannot be loaded: ${message}`;
  }
}

/** Why the column of DuckDB will be empty; undefined if it will not. */
export async function lackOfDuck(): Promise<string | undefined> {
  const loaded = await load();
  return typeof loaded === 'string' ? loaded : undefined;
}

/** @param path the file of the database */
export async function openDuck(path: string): Promise<Duck | undefined> {
  const module = await load();
  if (typeof module === 'string') return undefined;
  const instance = await module.DuckDBInstance.create(path);
  const connection = await instance.connect();
  const limits = await connection.runAndReadAll("SELECT current_setting('memory_limit')");
  const memory = String(limits.getColumnsJson()[0]?.[0]);
  return {
    run: async (sql) => void (await connection.run(sql)),
    ask: async (sql) => (await connection.runAndReadAll(sql)).getColumnsJson(),
    // A new limit takes effect at once, so cached blocks that are not in use are dropped. `RESET`
    // would not restore the old limit.
    forget: async () => {
      await connection.run("SET memory_limit = '10MB'");
      await connection.run(`SET memory_limit = '${memory}'`);
    },
    close: () => {
      connection.closeSync();
      instance.closeSync();
    },
  };
}

/** Loads an NDJSON file into a new table with declared columns. */
export async function loadDuck(duck: Duck, table: string, { columns }: Shape, path: string): Promise<void> {
  const list = columns.map(({ name, duck }) => `'${name}': '${duck}'`).join(', ');
  await duck.run(`DROP TABLE IF EXISTS ${table}`);
  await duck.run(
    `CREATE TABLE ${table} AS SELECT * FROM read_json('${path.replaceAll("'", "''")}', format = 'newline_delimited', columns = {${list}})`,
  );
}
