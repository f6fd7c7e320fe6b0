/** One query, in every language. */
export interface Question {
  readonly name: string;
  /** Over the dataset. */
  readonly apl: string;
  /** Query over the hand-made table, as an expert would write it. */
  readonly sql: string;
  /** Over the table with the engine's `JSON` type. */
  readonly json: string;
  /** Over DuckDB's table, if it differs from `sql`; null if DuckDB cannot run it. */
  readonly duck?: string | null;
  /**
   * Start of the time range, as an ISO time in UTC, for queries like those of a dashboard: the
   * range ends now and starts a little later in each run, so no two are equal. In SQL, `$from` and
   * `$to` are its ends; in ours, they are request parameters.
   */
  readonly since?: string;
  /**
   * Value of `$value` in a run, numbered from 0, for queries with another value in each run, which
   * caches of the engine cannot answer.
   */
  readonly value?: (run: number) => string;
  /** Columns that are estimates: their number, from 0, and the share by which they may differ. */
  readonly estimates?: Readonly<Record<number, number>>;
  /** Whether the result has a total order. Otherwise results are compared as sets of rows. */
  readonly ordered?: boolean;
  /**
   * Names of our columns in the order of the other systems, for queries that return complete
   * events: ours have another order and the ingest time.
   */
  readonly columns?: readonly string[];
}
