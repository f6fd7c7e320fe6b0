/**
 * The interface of ClickHouse for all other packages, whether it runs in a child process or on a
 * remote server.
 */

import type { Expr } from '@millrace/sql';

export interface TableName {
  readonly database: string;
  readonly table: string;
}

/**
 * A column of an insert: its name in the table and the ClickHouse type its bytes are written in (if
 * the table's differs, the engine casts).
 */
export interface InsertColumn {
  readonly name: string;
  readonly type: string;
}

export type OutputFormat =
  | 'JSONCompactColumns'
  | 'JSONCompactEachRow'
  | 'JSONEachRow'
  | 'Native'
  | 'Parquet'
  | 'ArrowStream'
  | 'CSV'
  | 'CSVWithNames'
  | 'TabSeparated'
  | 'RowBinary'
  | 'RowBinaryWithNamesAndTypes';

export type SettingValue = string | number | boolean;
export type Settings = Readonly<Record<string, SettingValue>>;

/** Limits of one query. An absent limit means the engine's own. */
export interface QueryLimits {
  readonly maxSeconds?: number;
  readonly maxMemoryBytes?: number;
  /** Rows read from tables, before any filter. */
  readonly maxRowsRead?: number;
  readonly maxResultRows?: number;
  readonly maxResultBytes?: number;
}

export interface QueryOptions {
  readonly format: OutputFormat;
  /**
   * Aborting stops the engine's work, not just the wait; the promise rejects with code `cancelled`.
   */
  readonly signal?: AbortSignal;
  readonly limits?: QueryLimits;
  /**
   * When the statement must be over, by `performance.now()`. Several statements that share one time
   * limit have the same deadline. Waiting for a session counts. A statement that is not over in
   * time fails with `time-limit`, as with `limits.maxSeconds`.
   */
  readonly deadline?: number;
  /** Settings of this query alone; they override the limits above and the engine's defaults. */
  readonly settings?: Settings;
  /** Only remote engines support them. */
  readonly moved?: readonly MovedRows[];
  /**
   * Order in which waiting queries get a free session: `high` before `normal` before `low`. Default
   * `normal`.
   */
  readonly priority?: Priority;
}

/** Rows of another engine that a query reads like a table. */
export interface MovedRows {
  /** A plain name, without a database. */
  readonly name: string;
  /** In the format `RowBinaryWithNamesAndTypes`. */
  readonly rows: Uint8Array;
}

export type Priority = 'high' | 'normal' | 'low';

export interface ExecuteOptions {
  readonly signal?: AbortSignal;
  readonly limits?: QueryLimits;
  readonly settings?: Settings;
  /**
   * Runs long work in a separate worker pool, so that other statements do not wait for it.
   * Statements of each kind run one after another.
   */
  readonly apart?: 'upkeep' | 'narrowing' | 'deletion' | 'removal' | 'moving';
  /**
   * The table whose metadata file the statement writes: afterwards it is complete, either the new
   * one or the previous one.
   */
  readonly defines?: TableName;
  /**
   * Whether each replica has to execute the statement: it concerns the local table, not its rows.
   * An unreachable replica executes it later, so it must be repeatable.
   */
  readonly everywhere?: boolean;
}

/** Operations of an engine whose tables are replicated. */
export interface Replication {
  /** The table engine, for the table's definition. */
  engineOf(table: TableName): string;
  /**
   * Resolves when the current content of a table is on most replicas, or on all that answer.
   * Unconfirmed rows that a query shows may be on one replica only.
   * @throws EngineError
   */
  spread(table: TableName, to: 'most' | 'all'): Promise<void>;
  /**
   * Runs a query on each replica that answers, about the replica or its copy of a table.
   * @throws EngineError
   */
  askEach(sql: string, options: QueryOptions): Promise<readonly EngineResult[]>;
  /**
   * Queries most replicas, each synced first, including the leader. Rows in all results are
   * permanent; rows missing from a result are on fewer replicas.
   * @throws EngineError
   */
  askMost(table: TableName, sql: string, options: QueryOptions): Promise<readonly EngineResult[]>;
}

/** Tables divided among several engines. */
export interface Sharding {
  /** The engines of the shards. The number of a shard is its position, from 1 on. */
  readonly shards: readonly Engine[];
  /** Adds a shard: the next number. */
  add(shard: Engine): void;
  /**
   * The shard that has a table.
   * @throws EngineError `unknown-table` when the table was not placed, UnknownShardError when the
   * shard was not added
   */
  of(table: TableName): Engine;
  /** Registers the shard of a table before the table is used or created. */
  place(table: TableName, shard: number): void;
}

export interface QueryStatistics {
  /** The engine's own time, without the wait for a session and the transfer of the result. */
  readonly elapsedNanoseconds: number;
  /**
   * Rows and bytes read from tables; known with `JSONCompactColumns`, else 0 (embedded) or the
   * figure of the remote server.
   */
  readonly rowsRead: number;
  readonly bytesRead: number;
}

/** A column of a result. */
export interface EngineColumn {
  readonly name: string;
  /** ClickHouse type. */
  readonly type: string;
  /** The values as a JSON array; a view into the engine's output. */
  readonly values: Uint8Array;
}

export interface EngineResult {
  /**
   * The whole result in the requested format; empty with `JSONCompactColumns`, whose values are in
   * the columns.
   */
  readonly body: Uint8Array;
  /** With `JSONCompactColumns` the columns in order, with every other format empty. */
  readonly columns: readonly EngineColumn[];
  /** Rows of the result, with `JSONCompactColumns`; else 0. */
  readonly rows: number;
  /**
   * How many rows were aggregated; known with `JSONCompactColumns` if the query has the setting
   * `rows_before_aggregation`.
   */
  readonly rowsAggregated?: number;
  readonly statistics: QueryStatistics;
}

export interface Insert {
  readonly table: TableName;
  readonly columns: readonly InsertColumn[];
  /**
   * ClickHouse Native blocks, in any number of chunks; they are written in order and not changed.
   * Rows of a block that lacks a column have no value there.
   */
  readonly chunks: readonly Uint8Array[];
  /** Only rows that match are added; used to complete a partial insert. */
  readonly where?: Expr;
  /**
   * Blocks are joined until they have this many rows and then become a separate part; an embedded
   * engine works on two at once. No block is divided. If left out, the whole insert is one part per
   * partition.
   */
  readonly rowsPerPart?: number;
  /**
   * Deduplication token where tables are replicated: the same insert, sent again under the same
   * token to any replica, is stored once, even if an earlier one is partially stored or still in
   * flight. A token must not name two different inserts: the second would be dropped silently.
   * Engines without replicas ignore it.
   */
  readonly token?: string;
  /**
   * An insert under this token may have been sent before, to any replica: this replica may then
   * know the token without having the rows yet.
   */
  readonly repeated?: boolean;
}

export type EngineState = 'starting' | 'ready' | 'restarting' | 'down' | 'closed';

export interface EngineHealth {
  readonly state: EngineState;
  /** When the state began, milliseconds since the epoch. */
  readonly since: number;
  /** Starts after the first one. */
  readonly restarts: number;
  /** Whether no table takes inserts, although queries run: replicas are so without Keeper. */
  readonly isReadOnly?: boolean;
  /** Why the engine is not ready, or why it last restarted; for the operator, without SQL. */
  readonly reason?: string;
  /** Resident bytes of the engine's process; 0 if the engine is remote or not running. */
  readonly memoryBytes: number;
}

export interface Engine {
  /**
   * Number of the organization whose tables this view of an engine has; absent for the first. Code
   * that lists tables reads those only.
   */
  readonly tenant?: number;
  /** Absent without replicas. */
  readonly replication?: Replication;
  /**
   * Absent without shards. Otherwise statements go to the shard of the tables that they name, and
   * none may name tables of two.
   */
  readonly sharding?: Sharding;
  /**
   * Runs one query and returns its whole result.
   * @throws EngineError
   */
  query(sql: string, options: QueryOptions): Promise<EngineResult>;
  /**
   * Runs one query and yields its result as it is produced: when the reader pauses, so does the
   * engine, and only a bounded number of bytes is buffered. Leaving the loop early cancels the
   * query. The time limit includes the reader's pauses. `JSONCompactColumns` cannot be streamed.
   * @throws EngineError while iterating
   */
  stream(sql: string, options: QueryOptions): AsyncIterable<Uint8Array>;
  /**
   * Runs a statement that returns no rows: DDL, mutations, server settings. A few run at once;
   * statements that write the metadata file of the same table run one after another.
   * @throws EngineError
   */
  execute(sql: string, options?: ExecuteOptions): Promise<void>;
  /**
   * Adds blocks to a table; resolved means fsynced. After a rejection rows may be stored or not
   * (blocks that span partitions may be partially stored): compare with the table before sending
   * them again. Where tables are replicated, the error's `outcome` says more.
   * @throws EngineError
   */
  insert(insert: Insert): Promise<void>;
  health(): EngineHealth;
  /**
   * Calls the listener after each start of the engine, and soon after this call if it is ready now;
   * returns a function that removes it.
   */
  onReady(listener: () => void): () => void;
  /**
   * Waits for running work up to a limit, then stops the engine. Later calls reject with
   * `unavailable`.
   */
  close(): Promise<void>;
}
