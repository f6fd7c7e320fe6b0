/**
 * What the rest of the product knows about ClickHouse: one interface, whether it runs in a child
 * process or on a server elsewhere.
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
  | 'RowBinary';

export type SettingValue = string | number | boolean;
export type Settings = Readonly<Record<string, SettingValue>>;

/** What one query may cost. A limit that is left out is the engine's own. */
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
  /**
   * Order in which waiting queries get a free session: `high` before `normal` before `low`. Default
   * `normal`.
   */
  readonly priority?: Priority;
}

export type Priority = 'high' | 'normal' | 'low';

export interface ExecuteOptions {
  readonly signal?: AbortSignal;
  readonly limits?: QueryLimits;
  readonly settings?: Settings;
  /**
   * Runs in a lane of its own, so that other statements do not wait for it: for long work.
   * Statements of each kind run one after another.
   */
  readonly apart?: 'upkeep' | 'narrowing' | 'deletion' | 'removal' | 'moving';
  /**
   * The table whose definition the statement writes: afterwards it is whole, either the new one or
   * the previous one.
   */
  readonly defines?: TableName;
  /**
   * Whether each replica has to execute it by itself, where there are several: what concerns a
   * table there, and not its content. One that is away does it later, so it must be a statement
   * that may be repeated.
   */
  readonly everywhere?: boolean;
}

/** What is different where every table has a copy on each of several replicas. */
export interface Replication {
  /** The engine of a table, as its definition names it. */
  engineOf(table: TableName): string;
  /**
   * Resolved when what there is of a table is on most replicas, or on all that answer. What a query
   * shows need be nowhere else yet, if nobody has confirmed it.
   * @throws EngineError
   */
  spread(table: TableName, to: 'most' | 'all'): Promise<void>;
  /**
   * What each replica that answers says of itself, or of the table that it has.
   * @throws EngineError
   */
  askEach(sql: string, options: QueryOptions): Promise<readonly QueryAnswer[]>;
  /**
   * What most replicas say of a table, each asked when it had all there was of it; the one that
   * answers queries is among them. Rows that are in all of these answers stay; those that are not
   * in one of them are on fewer replicas.
   * @throws EngineError
   */
  askMost(table: TableName, sql: string, options: QueryOptions): Promise<readonly QueryAnswer[]>;
}

/** Where the tables are divided among several engines. */
export interface Sharding {
  /** Those engines. The number of a shard is its place among them, from 1 on. */
  readonly shards: readonly Engine[];
  /**
   * The shard that has a table.
   * @throws EngineError `unknown-table` when nobody has said where it is
   */
  of(table: TableName): Engine;
  /**
   * Says where a table is, or is to be made.
   * @throws EngineError `unavailable` when there is no shard of this number
   */
  place(table: TableName, shard: number): void;
}

export interface QueryStatistics {
  /** The engine's own time, without the wait for a session and the transfer of the answer. */
  readonly elapsedNanoseconds: number;
  /**
   * Rows and bytes read from tables; known with `JSONCompactColumns`, else 0 (embedded) or the
   * figure of the remote server.
   */
  readonly rowsRead: number;
  readonly bytesRead: number;
}

/** A column of an answer. */
export interface AnswerColumn {
  readonly name: string;
  /** ClickHouse type. */
  readonly type: string;
  /** The values as the text of one JSON array; a view into the engine's output. */
  readonly values: Uint8Array;
}

export interface QueryAnswer {
  /**
   * The whole result in the format asked for; empty with `JSONCompactColumns`, whose values are in
   * the columns.
   */
  readonly body: Uint8Array;
  /** With `JSONCompactColumns` the columns in order, with every other format empty. */
  readonly columns: readonly AnswerColumn[];
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
   * ClickHouse Native blocks, in as many pieces as they were built in; they are written in order
   * and not changed. Rows of a block that lacks a column have no value there.
   */
  readonly chunks: readonly Uint8Array[];
  /** Only rows for which this holds are added; used to complete a half-done insert. */
  readonly where?: Expr;
  /**
   * Blocks are joined until they have this many rows and then become a part of their own; an
   * embedded engine works on two at once. No block is divided. If left out, the whole insert is one
   * part per partition.
   */
  readonly rowsPerPart?: number;
  /**
   * Names the insert where tables are replicated: the same insert, sent again under the same token
   * to any replica, is stored once, also if an earlier one was half done or is still on its way. A
   * token never names two different inserts: the second would be dropped in silence. Engines
   * without replicas ignore it.
   */
  readonly token?: string;
  /**
   * An insert under this token may have been sent before, to any replica: then it may be that the
   * one that is asked now knows the token, and has not got the rows yet.
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
  /** Why the engine is not ready, or why it last restarted; for the operator, without SQL. */
  readonly reason?: string;
  /** Resident bytes of the engine's process; 0 where the engine is elsewhere or not running. */
  readonly memoryBytes: number;
}

export interface Engine {
  /** Absent where there is one copy of each table. */
  readonly replication?: Replication;
  /**
   * Absent where all tables are in one place. Otherwise statements go to the shard of the tables
   * that they name, and none may name those of two.
   */
  readonly sharding?: Sharding;
  /**
   * Runs one query and returns its whole result.
   * @throws EngineError
   */
  query(sql: string, options: QueryOptions): Promise<QueryAnswer>;
  /**
   * Runs one query and yields its result as it is produced: when the reader pauses, so does the
   * engine, and only a bounded number of bytes waits. Leaving the loop early cancels the query. A
   * time limit counts the reader's pauses too. `JSONCompactColumns` cannot be streamed.
   * @throws EngineError while iterating
   */
  stream(sql: string, options: QueryOptions): AsyncIterable<Uint8Array>;
  /**
   * Runs a statement that returns no rows: DDL, mutations, server settings. A few run at once;
   * those that write the definition of one table run one after another.
   * @throws EngineError
   */
  execute(sql: string, options?: ExecuteOptions): Promise<void>;
  /**
   * Adds blocks to a table; resolved means fsynced. A rejection does not tell whether rows were
   * stored (blocks that span partitions may be half in): compare with what the table holds before
   * sending them again. Where tables are replicated, the error's `outcome` says more.
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
