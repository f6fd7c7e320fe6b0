import { quoteIdentifier, quoteString } from '@millrace/sql';
import type { QueryLimits, Settings, SettingValue } from './engine.js';
import type { LaneName } from './messages.js';

/** Settings of every statement, each with its reason. */
export const baseSettings: Settings = {
  // Results are spliced into responses as they are.
  output_format_json_quote_64bit_integers: 0,
  output_format_json_quote_denormals: 0,
  output_format_write_statistics: 1,
  date_time_output_format: 'iso',
  session_timezone: 'UTC',
  // A row without a partner has nulls, as the language says, not zeros and empty strings.
  join_use_nulls: 1,
  // We batch ourselves, and resolved means stored.
  async_insert: 0,
  // An acknowledged batch has to go in, however many days it spans.
  max_partitions_per_insert_block: 0,
  // Mutations (delete by query) are finished when the statement is.
  mutations_sync: 1,
  lightweight_deletes_sync: 1,
  // Statements are made by a compiler: long ones are no mistake, and what they may cost is limited elsewhere.
  max_query_size: 32 * 1024 * 1024,
  max_ast_elements: 1_000_000,
  max_expanded_ast_elements: 10_000_000,
  query_plan_max_optimizations_to_apply: 1_000_000,
  // Functions that read the process itself are nobody's business.
  allow_introspection_functions: 0,
};

/** Settings of a lane on top. Once a session is read-only it stays so: what queries run on cannot write, whatever reaches it. */
export const laneSettings: Readonly<Record<LaneName, Settings>> = {
  query: { readonly: 2 },
  export: {
    readonly: 2,
    // Short blocks, small row groups and one formatting thread: a result of any size takes about 100 MB while it is streamed, not gigabytes.
    max_block_size: 8192,
    output_format_parallel_formatting: 0,
    output_format_parquet_parallel_encoding: 0,
    output_format_parquet_row_group_size_bytes: 16 * 1024 * 1024,
  },
  statement: {},
  upkeep: {},
  deletion: {},
  insert: {},
};

const limitSettings: Readonly<Record<keyof QueryLimits, string>> = {
  maxSeconds: 'max_execution_time',
  maxMemoryBytes: 'max_memory_usage',
  maxRowsRead: 'max_rows_to_read',
  maxResultRows: 'max_result_rows',
  maxResultBytes: 'max_result_bytes',
  maxThreads: 'max_threads',
};

/** Limits as settings. A limit that is left out is not mentioned, so the engine's default holds. */
export function settingsOfLimits(limits: QueryLimits): Settings {
  const settings: Record<string, SettingValue> = {};
  for (const [limit, setting] of Object.entries(limitSettings)) {
    const value = limits[limit as keyof QueryLimits];
    if (value !== undefined) settings[setting] = value;
  }
  return settings;
}

/** Later ones win; every value as the engine reads it in quotes. */
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
 * `SET` that takes a session from what it has to what a statement wants, or nothing if nothing changes.
 * @param resets settings to put back to their defaults
 */
export function printSet(changes: Readonly<Record<string, string>>, resets: readonly string[]): string {
  const parts = Object.entries(changes).map(([name, value]) => `${quoteIdentifier(name)} = ${quoteString(value)}`);
  for (const name of resets) parts.push(`${quoteIdentifier(name)} = DEFAULT`);
  return parts.length === 0 ? '' : `SET ${parts.join(', ')}`;
}

/**
 * What a table's `CREATE TABLE … SETTINGS` must hold for an insert to be durable when it resolves, and why:
 * a part and its directory are fsynced before the insert returns; so are merged parts, and the parts they were made of stay for a while in
 * case the power fails in between. Merged parts are wide from some rows on: a query then reads the columns it needs and none beside, yet a
 * file a column is dear (2 ms to write and sync), so parts of few rows stay compact, however many columns they have.
 */
export const durableTableSettings: Settings = {
  fsync_after_insert: 1,
  fsync_part_directory: 1,
  min_rows_to_fsync_after_merge: 1,
  min_compressed_bytes_to_fsync_after_merge: 1,
  old_parts_lifetime: 480,
  min_bytes_for_wide_part: 10 * 1024 * 1024,
  min_rows_for_wide_part: 32_768,
};

/**
 * What a table's settings should hold besides, where the engine knows them; older servers do not.
 *
 * - The engine by itself merges parts as soon as there are five alike, also while it is busy taking events in. With this base it waits for about fifteen, of
 *   a partition of many parts for fewer, so that there are never more than some tens; fewer levels of merges write less, too. What is left when it is
 *   quiet is merged by whoever owns the table.
 * - What is inserted is compact, a few files whatever its columns: those of a wide part are half of the work of an insert on some file systems, and it
 *   is merged anyway. Until then questions of it take an eighth more.
 * - Each part has all columns of the order in memory, twenty bytes for 8,192 rows. By itself the engine keeps the first one alone where it nearly tells rows apart,
 *   and then cannot tell from memory whether it is a part's turn in the order: a page of events reads all parts, not the one or two it is made of.
 * - A merge that writes many columns at once has buffers that grow with what is in them. By itself the engine takes nearly six megabytes a column from the start, where
 *   there are fewer than five hundred: 1.6 GB for 280 columns, 250 MB with this.
 */
export const preferredTableSettings: Settings = {
  merge_selector_base: 16,
  min_level_for_wide_part: 1,
  primary_key_ratio_of_unique_prefix_values_to_skip_suffix_columns: 1,
  min_columns_to_activate_adaptive_write_buffer: 1,
};

/** `a = 1, b = 'x'` for a SETTINGS clause. */
export function printSettings(settings: Settings): string {
  return Object.entries(settings)
    .map(
      ([name, value]) =>
        `${quoteIdentifier(name)} = ${typeof value === 'string' ? quoteString(value) : String(Number(value))}`,
    )
    .join(', ');
}

/** Shares of the engine's memory that its caches may take; upper bounds, filled only by use. The engine's own defaults assume a server. */
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
 * Command line of the embedded engine.
 * @param memoryBytes what all its work together may use
 */
export function serverArguments(memoryBytes: number): readonly string[] {
  return [
    `--max_server_memory_usage=${Math.floor(memoryBytes)}`,
    ...Object.entries(cacheShares).map(([name, share]) => `--${name}=${Math.floor(memoryBytes * share)}`),
  ];
}
