import type { CompiledQuery, OutputColumn, TimeRange } from '@millrace/apl';

/** A table of a result: each column is the text of a JSON array. */
export interface EngineTable {
  readonly output: readonly OutputColumn[];
  readonly columns: readonly Uint8Array[];
  readonly rows: number;
}

/** The result of a query, before it is formatted. */
export interface QueryOutcome {
  readonly compiled: CompiledQuery;
  readonly table: EngineTable;
  readonly totals?: EngineTable;
  /** Row IDs of the events, in order, a column like the others; absent if rows are not events. */
  readonly rowIds?: Uint8Array;
  /** The first and the last row ID in the order of reading; none if there are no events. */
  readonly endIds?: readonly string[];
  /**
   * When each event arrived, a column like the others; absent if not requested or if the table has
   * such a column.
   */
  readonly arrivals?: Uint8Array;
  readonly rowsExamined: number;
  /** Before any limit. */
  readonly rowsMatched: number;
  /**
   * A text that puts the day first, if the query reads such a text as a time with the month first.
   */
  readonly dayFirst?: string;
  /** Rows the engine read for the result itself. */
  readonly rowsRead: number;
  /**
   * The part of the query's range between the oldest and the newest event of its datasets,
   * nanoseconds since the epoch.
   */
  readonly times: TimeRange;
  /**
   * Whether events acknowledged before the query are missing, because they cannot be stored at the
   * moment.
   */
  readonly partial: boolean;
  readonly cached: boolean;
  /** The watermark at the time of the engine query. */
  readonly watermark: bigint;
  /** With `arrived.late`: positions of batches that were excluded, see `EventReads`. */
  readonly missingPositions?: readonly bigint[];
}
