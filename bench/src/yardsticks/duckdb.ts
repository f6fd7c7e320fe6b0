import type { Shape } from '../data/shape.js';

/** DuckDB, if it is installed (`npm install` in this folder); without it its column says so. */

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
  /** Columns of an answer, as values. */
  ask(sql: string): Promise<readonly (readonly unknown[])[]>;
  /** Takes what it keeps of its file out of its memory. */
  forget(): Promise<void>;
  close(): void;
}

const moduleName = '@duckdb/node-api';

/** @param path its file */
export async function openDuck(path: string): Promise<Duck | undefined> {
  let module: DuckModule;
  try {
    module = (await import(moduleName)) as DuckModule;
  } catch {
    return undefined;
  }
  const instance = await module.DuckDBInstance.create(path);
  const connection = await instance.connect();
  const limits = await connection.runAndReadAll("SELECT current_setting('memory_limit')");
  const memory = String(limits.getColumnsJson()[0]?.[0]);
  return {
    run: async (sql) => void (await connection.run(sql)),
    ask: async (sql) => (await connection.runAndReadAll(sql)).getColumnsJson(),
    // A limit is kept at once, so what is not in use has to go. `RESET` would leave it as it is.
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

/** Loads a file of NDJSON into a new table of declared columns. */
export async function loadDuck(duck: Duck, table: string, { columns }: Shape, path: string): Promise<void> {
  const list = columns.map(({ name, duck }) => `'${name}': '${duck}'`).join(', ');
  await duck.run(`DROP TABLE IF EXISTS ${table}`);
  await duck.run(
    `CREATE TABLE ${table} AS SELECT * FROM read_json('${path}', format = 'newline_delimited', columns = {${list}})`,
  );
}
