/** What an answer depends on besides the text of its query, the options and the catalogue. */
export type Need =
  /**
   * The moment at which the query was compiled: `now()`, times of today, an end that nobody gave.
   */
  | 'clock'
  /** Random values: the answer is another one each time. */
  | 'chance'
  /**
   * The times of the oldest and the newest event, unless the request gives both ends of its range.
   */
  | 'event-times'
  /** What the data answered before the query could be compiled (`evaluate`). */
  | 'facts'
  /** What files elsewhere held (`externaldata`). */
  | 'files'
  /**
   * Other rows than its own, for the value of an expression: window functions, and tables inside
   * expressions.
   */
  | 'other-rows';

/** What the record of a function, an aggregate or an operator says about it. */
export interface NeedsOfRecord {
  /** The value is another one each time it is computed. `lower` draws for it. */
  readonly isRandom?: boolean;
  /** The SQL is a window function, which reads other rows in the current order. */
  readonly looksAround?: boolean;
  /** Where the range of times is open, the result depends on which times there are. */
  readonly readsEventTimes?: boolean;
}
