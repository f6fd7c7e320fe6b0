/** What a result depends on in addition to the query text, the options and the catalog. */
export type Need =
  /** The time of compilation: `now()`, times of today, a default end of the time range. */
  | 'clock'
  /** Random values: the result differs each time. */
  | 'chance'
  /**
   * The times of the oldest and the newest event, unless the request gives both ends of its range.
   */
  | 'event-times'
  /** Lookups in the data before the query could be compiled (`evaluate`). */
  | 'facts'
  /** Contents of external files (`externaldata`). */
  | 'files'
  /**
   * Other rows than its own, for the value of an expression: window functions, and tables inside
   * expressions.
   */
  | 'other-rows';

/** Needs in the record of a function, an aggregate or an operator. */
export interface NeedsOfRecord {
  /** The value is another one each time it is computed. `lower` draws for it. */
  readonly isRandom?: boolean;
  /** The SQL is a window function, which reads other rows in the current order. */
  readonly looksAround?: boolean;
  /** Where the range of times is open, the result depends on which times there are. */
  readonly readsEventTimes?: boolean;
}
