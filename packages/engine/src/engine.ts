/** What the rest of the product knows about ClickHouse: one interface, whether it runs in a child process or as a cluster. */

import type { Expr } from '@millrace/sql';

export interface TableName {
  readonly database: string;
  readonly table: string;
}

/** A column of an insert: its name in the table and the ClickHouse type its bytes are written in (the table's may differ, the engine casts). */
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

/** What one query may cost. A limit that is left out is the engine's own (see `EngineLimits`). */
export interface QueryLimits {
  readonly maxSeconds?: number;
  readonly maxMemoryBytes?: number;
  /** Rows read from tables, before any filter. */
  readonly maxRowsRead?: number;
  readonly maxResultRows?: number;
  readonly maxResultBytes?: number;
  readonly maxThreads?: number;
}

export interface QueryOptions {
  readonly format: OutputFormat;
  /** Aborting stops the engine's work, not only the waiting; the promise rejects with code `cancelled`. */
  readonly signal?: AbortSignal;
  readonly limits?: QueryLimits;
  /** Settings of this query alone; they win over the limits above and the engine's defaults. */
  readonly settings?: Settings;
  /** Who gets the next free session: waiting `high` before `normal` before `low`. Default `normal`. */
  readonly priority?: Priority;
}

export type Priority = 'high' | 'normal' | 'low';

export interface ExecuteOptions {
  readonly signal?: AbortSignal;
  readonly limits?: QueryLimits;
  readonly settings?: Settings;
  /** Runs beside the other statements, which then do not wait for it: for what takes long. Of each kind too one runs after the other. */
  readonly apart?: 'upkeep' | 'deletion';
  /** The table whose definition the statement writes: it is whole afterwards, the new one or the one before. */
  readonly defines?: TableName;
}

export interface QueryStatistics {
  /** The engine's own time, without waiting for a session and without the way here. */
  readonly elapsedNanoseconds: number;
  /** Rows and bytes read from tables; known with `JSONCompactColumns`, else 0 (embedded) or the cluster's figure. */
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
  /** The whole result in the format asked for; empty with `JSONCompactColumns`, whose values are in the columns. */
  readonly body: Uint8Array;
  /** With `JSONCompactColumns` the columns in order, with every other format empty. */
  readonly columns: readonly AnswerColumn[];
  /** Rows of the result, with `JSONCompactColumns`; else 0. */
  readonly rows: number;
  /** How many rows were aggregated; known with `JSONCompactColumns` to a statement that has the setting `rows_before_aggregation`. */
  readonly rowsAggregated?: number;
  readonly statistics: QueryStatistics;
}

export interface Insert {
  readonly table: TableName;
  readonly columns: readonly InsertColumn[];
  /**
   * ClickHouse Native blocks, in as many pieces as they were built in; they are written in order and not changed. A column that
   * a block lacks has no values in its rows.
   */
  readonly chunks: readonly Uint8Array[];
  /** Only rows of the block for which this holds are added; how a half-done insert is completed. */
  readonly where?: Expr;
  /**
   * Blocks are joined until they have so many rows, which become a part of their own; an embedded engine then works on two at once.
   * No block is divided. Left out, the whole insert is one part for each partition.
   */
  readonly rowsPerPart?: number;
  readonly settings?: Settings;
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
  /**
   * Runs one query and gives its whole result.
   * @throws EngineError
   */
  query(sql: string, options: QueryOptions): Promise<QueryAnswer>;
  /**
   * Runs one query and gives its result as it is made: a reader that stops reading stops the engine, and a bounded number of bytes waits.
   * Leaving the loop early cancels the query. A time limit counts the reader's pauses too. `JSONCompactColumns` cannot be streamed.
   * @throws EngineError while iterating
   */
  stream(sql: string, options: QueryOptions): AsyncIterable<Uint8Array>;
  /**
   * Runs a statement that gives no rows: DDL, mutations, settings of the server. Statements run one after the other, but for those that are `apart`.
   * @throws EngineError
   */
  execute(sql: string, options?: ExecuteOptions): Promise<void>;
  /**
   * Adds blocks to a table; resolved means fsynced. A rejection does not tell whether rows were stored (blocks that span partitions
   * may be half in): compare with what the table has before sending it again.
   * @throws EngineError
   */
  insert(insert: Insert): Promise<void>;
  health(): EngineHealth;
  /** Calls the listener after each start of the engine, and soon after this call if it is ready now; returns what removes it. */
  onReady(listener: () => void): () => void;
  /** Waits for running work up to a limit, then stops the engine. Later calls reject with `unavailable`. */
  close(): Promise<void>;
}
