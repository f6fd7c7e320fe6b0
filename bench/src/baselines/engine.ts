import { join } from 'node:path';
import { type Engine, openEmbedded, type Settings } from '@millrace/engine';
import { quoteString } from '@millrace/sql';
import type { Shape } from '../data/shape.js';
import { cpuMilliseconds, cpuSeconds, familyOf } from '../process-figures.js';
import { measureSeconds } from '../measure-seconds.js';

/**
 * Yardstick: the engine without the server, used as an expert would: hand-made tables, files loaded
 * with its own readers.
 */

/**
 * A load may use all memory, like our inserts: half a gigabyte of security events takes more for
 * the `JSON` type than a query may use.
 */
const loadSettings: Settings = { max_memory_usage: 0 };

/** The engine's defaults for reading, except settings that any loader of such events needs. */
const readSettings: Settings = {
  ...loadSettings,
  date_time_input_format: 'best_effort',
  input_format_skip_unknown_fields: 1,
  input_format_json_read_numbers_as_strings: 1,
  input_format_json_read_objects_as_strings: 1,
  input_format_json_read_arrays_as_strings: 1,
  input_format_json_defaults_for_missing_elements_in_named_tuple: 1,
};

export interface EngineYardstick {
  readonly engine: Engine;
  /** CPU seconds of its process so far. */
  cpuSeconds(): number;
  /** CPU milliseconds so far, to the nanosecond, of the threads that still exist. */
  cpuMilliseconds(): number;
  close(): Promise<void>;
}

export async function openYardstick(directory: string): Promise<EngineYardstick> {
  const others = new Set(familyOf(process.pid));
  const engine = await openEmbedded({
    directory: join(directory, 'engine'),
    scratchDirectory: join(directory, 'scratch'),
    // The same as the server.
    memoryBytes: 4 * 2 ** 30,
  });
  const own = familyOf(process.pid).filter((pid) => !others.has(pid));
  return {
    engine,
    cpuSeconds: () => own.reduce((sum, pid) => sum + cpuSeconds(pid), 0),
    cpuMilliseconds: () => own.reduce((sum, pid) => sum + cpuMilliseconds(pid), 0),
    close: () => engine.close(),
  };
}

/** The table with one column of the engine's `JSON` type. */
export const jsonTable = (name: string): string => `${name}_json`;

/** Creates an empty table with declared columns and the engine's default settings. */
export async function createTyped(engine: Engine, name: string, { columns, sortKey }: Shape): Promise<void> {
  await engine.execute(`DROP TABLE IF EXISTS ${name} SYNC`);
  const list = columns.map(({ name, type }) => `\`${name}\` ${type}`).join(', ');
  await engine.execute(`CREATE TABLE ${name} (${list}) ENGINE = MergeTree ORDER BY ${sortKey}`);
}

/**
 * Creates an empty table with one `JSON` column, with the engine's default settings except for an
 * optional codec.
 */
export async function createJson(engine: Engine, name: string, codec = 'Default'): Promise<void> {
  await engine.execute(`DROP TABLE IF EXISTS ${name} SYNC`);
  await engine.execute(`CREATE TABLE ${name} (data JSON CODEC(${codec})) ENGINE = MergeTree ORDER BY tuple()`);
}

/** Loads a local NDJSON file into a table with declared columns; returns the seconds it took. */
export async function loadTyped(engine: Engine, name: string, { columns }: Shape, path: string): Promise<number> {
  const structure = columns.map(({ name, type }) => `\`${name}\` ${type}`).join(', ');
  const sql = `INSERT INTO ${name} SELECT * FROM file(${quoteString(path)}, 'JSONEachRow', ${quoteString(structure)})`;
  return measureSeconds(() => engine.execute(sql, { settings: readSettings }));
}

/** Loads a local NDJSON file into a `JSON` column; returns the seconds it took. */
export async function loadJson(engine: Engine, name: string, path: string): Promise<number> {
  const sql = `INSERT INTO ${name} SELECT data FROM file(${quoteString(path)}, 'JSONAsObject', 'data JSON')`;
  return measureSeconds(() => engine.execute(sql, { settings: loadSettings }));
}

/**
 * Engine defaults to restore where ours differ and affect timings. Ours delays compiling
 * expressions, but runs forty warm-up queries before anything is timed; a yardstick does not. A
 * yardstick may also use the query condition cache, which the engine enables for ad-hoc queries.
 */
const engineDefaults: Settings = {
  use_query_condition_cache: 1,
  min_count_to_compile_expression: 3,
  min_count_to_compile_aggregate_expression: 3,
  min_count_to_compile_sort_description: 3,
};

/** Columns of a result, as values. */
export async function ask(engine: Engine, sql: string): Promise<readonly (readonly unknown[])[]> {
  const { columns } = await engine.query(sql, { format: 'JSONCompactColumns', settings: engineDefaults });
  return columns.map(({ values }) => JSON.parse(Buffer.from(values).toString()) as unknown[]);
}

/** Bytes of the active parts of a table. */
export async function diskBytes(engine: Engine, table: string, database = 'default'): Promise<number> {
  const where = `active AND database = ${quoteString(database)} AND table = ${quoteString(table)}`;
  const [[bytes] = []] = await ask(engine, `SELECT sum(bytes_on_disk) FROM system.parts WHERE ${where}`);
  return Number(bytes);
}

/** Merges everything, as the engine would after some time. */
export const mergeAll = (engine: Engine, table: string): Promise<void> =>
  engine.execute(`OPTIMIZE TABLE ${table} FINAL`);

/** Compresses a file with the engine, which can write zstd where Node cannot. */
export const compressFile = (engine: Engine, from: string, to: string): Promise<void> =>
  engine.execute(
    `INSERT INTO FUNCTION file(${quoteString(to)}, 'RawBLOB', 'b String') SELECT b FROM file(${quoteString(from)}, 'RawBLOB', 'b String')`,
  );
