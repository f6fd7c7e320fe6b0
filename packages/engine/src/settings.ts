import { quoteIdentifier, quoteString } from '@millrace/sql';
import type { QueryLimits, Settings, SettingValue } from './engine.js';
import type { PoolName } from './messages.js';

/** Settings of every statement, each with its reason. */
export const baseSettings: Settings = {
  // Results are spliced into responses as they are, and JSON texts are compared, so equal values
  // must be written the same way.
  output_format_json_quote_64bit_integers: 0,
  output_format_json_escape_forward_slashes: 0,
  output_format_json_quote_denormals: 0,
  output_format_write_statistics: 1,
  date_time_output_format: 'iso',
  session_timezone: 'UTC',
  // A row without a match gets nulls, as the language requires, not zeros and empty strings.
  join_use_nulls: 1,
  // Batching happens before the engine, and a resolved insert must be stored.
  async_insert: 0,
  // An acknowledged batch must be stored, however many days it spans.
  max_partitions_per_insert_block: 0,
  // Mutations (delete by query) are finished when the statement is.
  mutations_sync: 1,
  lightweight_deletes_sync: 1,
  // Statements are generated, so they may be long; their cost is limited elsewhere.
  max_query_size: 32 * 1024 * 1024,
  max_ast_elements: 1_000_000,
  max_expanded_ast_elements: 10_000_000,
  query_plan_max_optimizations_to_apply: 1_000_000,
  // Compiling an expression takes 20 to 50 ms, once for each combination of constants, and saves at
  // most a fifth of each later run. By default the engine compiles on the fourth use, and over a
  // million events that run takes up to four times as long as the third.
  min_count_to_compile_expression: 30,
  min_count_to_compile_aggregate_expression: 30,
  min_count_to_compile_sort_description: 30,
  // This cache remembers which granules hold no row that matches a condition, so that they can be
  // skipped the next time. It may be wrong: if one side of a semi or anti join is empty, the engine
  // stops reading the other side and treats the unread rows as not matching. Every later query with
  // the same condition would miss those events. Queries without joins switch it on.
  use_query_condition_cache: 0,
  // Indexes choose granules before anything is read. Otherwise the engine prepares to read every
  // part, even those whose index excludes all of it (over 365 parts a trace takes twice as long),
  // and does not cache which granules a condition excludes. The engine already does so where the
  // rows to read are limited, as in queries; exports and recovery have no such limit.
  use_skip_indexes_on_data_read: 0,
  // Joins run in the order in which they are written. To reorder them, the engine has to know for
  // each key which table it comes from, and rejects a key that is the same for all rows on top of
  // another join.
  query_plan_optimize_join_order_limit: 1,
  // No query may call functions that inspect the process itself.
  allow_introspection_functions: 0,
};

/**
 * Settings added per worker pool. Read-only sessions stay so: the sessions of queries cannot write,
 * even if a writing statement reaches them.
 */
export const laneSettings: Readonly<Record<PoolName, Settings>> = {
  query: { readonly: 2 },
  export: {
    readonly: 2,
    // Short blocks, small row groups and one formatting thread: a result of any size takes about
    // 100 MB while it is streamed, not gigabytes.
    max_block_size: 8192,
    output_format_parallel_formatting: 0,
    output_format_parquet_parallel_encoding: 0,
    output_format_parquet_row_group_size_bytes: 16 * 1024 * 1024,
  },
  statement: {},
  upkeep: {},
  narrowing: {},
  deletion: {},
  removal: {},
  moving: {},
  insert: {},
};

const limitSettings: Readonly<Record<keyof QueryLimits, string>> = {
  maxSeconds: 'max_execution_time',
  maxMemoryBytes: 'max_memory_usage',
  maxRowsRead: 'max_rows_to_read',
  maxResultRows: 'max_result_rows',
  maxResultBytes: 'max_result_bytes',
};

/** Limits as settings. An absent limit is not set, so the engine's default applies. */
export function settingsOfLimits(limits: QueryLimits): Settings {
  const settings: Record<string, SettingValue> = {};
  for (const [limit, setting] of Object.entries(limitSettings)) {
    const value = limits[limit as keyof QueryLimits];
    if (value !== undefined) settings[setting] = value;
  }
  return settings;
}

/**
 * A limit may exceed the remaining time by this share: each different limit costs one more `SET`,
 * an eighth of a small statement.
 */
const closeEnough = 1 / 64;

/**
 * The settings, with a limit that stops the statement when the remaining time is over; undefined if
 * none is left.
 */
export function limitByDeadline(
  settings: Readonly<Record<string, string>>,
  millisecondsLeft: number,
): Readonly<Record<string, string>> | undefined {
  if (millisecondsLeft <= 0) return undefined;
  const name = limitSettings.maxSeconds;
  // To the engine, zero means no limit.
  const limit = Number(settings[name] ?? 0) * 1000;
  if (limit > 0 && limit <= millisecondsLeft * (1 + closeEnough)) return settings;
  return { ...settings, [name]: String(Math.ceil(millisecondsLeft) / 1000) };
}

/** The error text of a statement that had no time left before it began. */
export const deadlineExceeded = 'Code: 159. The time was over before the statement began';

/**
 * Merges layers of settings, later ones override; every value becomes text that the engine reads in
 * quotes.
 */
export function mergeSettings(...layers: readonly (Settings | undefined)[]): Readonly<Record<string, string>> {
  const merged: Record<string, string> = {};
  for (const layer of layers) {
    for (const [name, value] of Object.entries(layer ?? {})) {
      merged[name] = typeof value === 'boolean' ? String(Number(value)) : String(value);
    }
  }
  return merged;
}

/**
 * The `SET` that takes a session from its current settings to those a statement wants; empty if
 * nothing changes.
 * @param resets settings to put back to their defaults
 */
export function printSet(changes: Readonly<Record<string, string>>, resets: readonly string[]): string {
  const parts = Object.entries(changes).map(([name, value]) => `${quoteIdentifier(name)} = ${quoteString(value)}`);
  for (const name of resets) parts.push(`${quoteIdentifier(name)} = DEFAULT`);
  return parts.length === 0 ? '' : `SET ${parts.join(', ')}`;
}

/**
 * Settings of `CREATE TABLE … SETTINGS` that make an insert durable when it resolves: a part and
 * its directory are fsynced before the insert returns; so are merged parts. The source parts of a
 * merge stay for a minute, in case of a power failure before the file system has persisted the
 * merged part's name, which takes half a minute at most. Merged parts are wide from a certain
 * number of rows: a query then reads only the columns it needs. But a file per column is expensive
 * (2 ms to write and sync), so parts with few rows stay compact, however many columns they have.
 */
export const durableTableSettings: Settings = {
  fsync_after_insert: 1,
  fsync_part_directory: 1,
  min_rows_to_fsync_after_merge: 1,
  min_compressed_bytes_to_fsync_after_merge: 1,
  old_parts_lifetime: 60,
  min_bytes_for_wide_part: 10 * 1024 * 1024,
  min_rows_for_wide_part: 32_768,
};

/**
 * Further settings of a table, used if the engine knows them; older servers do not. In the order of
 * the settings:
 *
 * - By default the engine merges as soon as there are five similar parts, even while it is busy
 *   inserting. With this base it waits for about fifteen, or fewer in a partition with many parts,
 *   so that there are never more than a few dozen; fewer levels of merges also write less. The
 *   owner of the table merges the rest when the table is idle.
 * - Inserted parts are compact, a few files for any number of columns: on some file systems the
 *   files of a wide part are half of the work of an insert, and the part is merged anyway. Until
 *   then queries of it take an eighth longer.
 * - Each part keeps all columns of the sorting key in memory, twenty bytes per 8,192 rows. By
 *   default the engine keeps only the first one where it is nearly unique, and then cannot tell
 *   from memory whether a part is next in the order: a page of events would read all parts, not
 *   just the one or two it comes from.
 * - A merge that writes many columns at once has buffers that grow with their content. By default
 *   the engine allocates nearly six megabytes per column from the start if there are fewer than
 *   five hundred: 1.6 GB for 280 columns, 250 MB with this.
 * - Parts that a merge replaced are removed by a thread that sleeps between its rounds. By default
 *   it sleeps longer each time it finds nothing, up to five minutes, so an idle table keeps
 *   inactive parts for that much longer than needed.
 * - By default the engine compresses a part of old events for space as soon as it sees one, even
 *   while it is busy inserting them, and merges the result again later. The owner of the table does
 *   that too when the table is idle.
 * - By default the engine stores the lengths of strings apart from their characters. In the
 *   overflow column, whose names and values are short, that takes a twentieth more bytes, and
 *   reading takes half as long again. String columns are not affected.
 */
export const preferredTableSettings: Settings = {
  merge_selector_base: 16,
  min_level_for_wide_part: 1,
  primary_key_ratio_of_unique_prefix_values_to_skip_suffix_columns: 1,
  min_columns_to_activate_adaptive_write_buffer: 1,
  max_cleanup_delay_period: 60,
  max_number_of_merges_with_ttl_in_pool: 0,
  propagate_types_serialization_versions_to_nested_types: 0,
};

/**
 * Additional settings of a replicated table. An insert with an unknown outcome is repeated under
 * its token, also by the next start of the server, and is stored once while the table remembers the
 * token: for a week instead of an hour. The number of remembered tokens keeps its default.
 */
export const replicatedTableSettings: Settings = { replicated_deduplication_window_seconds: 7 * 24 * 3600 };

/** `a = 1, b = 'x'` for a SETTINGS clause. */
export function printSettings(settings: Settings): string {
  return Object.entries(settings)
    .map(
      ([name, value]) =>
        `${quoteIdentifier(name)} = ${typeof value === 'string' ? quoteString(value) : String(Number(value))}`,
    )
    .join(', ');
}

/**
 * Shares of the engine's memory for its caches: upper bounds, filled only by use. The engine's own
 * defaults assume a whole server.
 */
const cacheShares: Readonly<Record<string, number>> = {
  mark_cache_size: 1 / 16,
  primary_index_cache_size: 1 / 32,
  index_mark_cache_size: 1 / 64,
  text_index_tokens_cache_size: 1 / 64,
  text_index_header_cache_size: 1 / 64,
  text_index_postings_cache_size: 1 / 32,
  vector_similarity_index_cache_size: 1 / 256,
  query_condition_cache_size: 1 / 64,
  compiled_expression_cache_size: 1 / 64,
  parquet_metadata_cache_size: 1 / 256,
  iceberg_metadata_files_cache_size: 1 / 256,
};

/**
 * The embedded engine's command line.
 * @param memoryBytes limit of all its work together
 */
export function serverArguments(memoryBytes: number): readonly string[] {
  return [
    `--max_server_memory_usage=${Math.floor(memoryBytes)}`,
    // How often the engine compares its count of memory with the process's. By default it wakes 20
    // times a second for it, also when idle.
    '--memory_worker_period_ms=500',
    ...Object.entries(cacheShares).map(([name, share]) => `--${name}=${Math.floor(memoryBytes * share)}`),
  ];
}
