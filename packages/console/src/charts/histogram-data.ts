/** Counts over time, in bars of equal width. */
export interface Histogram {
  readonly start: bigint;
  readonly end: bigint;
  /** Width of a bar in nanoseconds. */
  readonly step: bigint;
  /** What the bars are made of, the most frequent first; one empty text if they are not split. */
  readonly values: readonly string[];
  /** Those with events, in order; each with a count for each of `values`. */
  readonly bars: readonly { readonly at: bigint; readonly counts: readonly number[] }[];
  readonly total: number;
  readonly rowsExamined: number;
}
