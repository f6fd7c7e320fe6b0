/** One question in every language it is asked in. */
export interface Question {
  readonly name: string;
  /** Of the dataset. */
  readonly apl: string;
  /** Over the hand-made table, as somebody would write it who knows the engine. */
  readonly sql: string;
  /** Over the table with the engine's `JSON` type. */
  readonly json: string;
  /** Over DuckDB's table, where it is not `sql`; null where it cannot be asked there. */
  readonly duck?: string | null;
  /** Columns that are estimates, by their number from 0, and by what share they may differ. */
  readonly estimates?: Readonly<Record<number, number>>;
  /** The answer has an order, and no two rows are equal in it. Otherwise answers are compared as sets of rows. */
  readonly ordered?: boolean;
  /** Which rows come is left to the engine: only how many is compared. */
  readonly any?: boolean;
}
