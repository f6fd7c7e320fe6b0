/** One question, in every language it is asked in. */
export interface Question {
  readonly name: string;
  /** Over the dataset. */
  readonly apl: string;
  /** Over the hand-made table, written as by somebody who knows the engine. */
  readonly sql: string;
  /** Over the table with the engine's `JSON` type. */
  readonly json: string;
  /** Over DuckDB's table, if it differs from `sql`; null if it cannot be asked there. */
  readonly duck?: string | null;
  /**
   * Where the range begins, as an ISO time in UTC, for a question asked the way a dashboard asks
   * it: the range ends now and begins a little later each time, so no two are the same. In SQL
   * `$from` and `$to` stand for its ends; ours are parameters of the request.
   */
  readonly since?: string;
  /**
   * What `$value` stands for in a run, from 0, for a question about another value each time: what
   * the engine remembers of the last one is of no use to it.
   */
  readonly value?: (run: number) => string;
  /** Columns that are estimates: their number, from 0, and the share by which they may differ. */
  readonly estimates?: Readonly<Record<number, number>>;
  /**
   * Whether the answer has an order in which no two rows are equal. Otherwise answers are compared
   * as sets of rows.
   */
  readonly ordered?: boolean;
  /**
   * Names of our columns in the order of the others', for a question that asks for whole events:
   * ours come in another order, and with the time of arrival.
   */
  readonly columns?: readonly string[];
}
