/**
 * Functions and aggregates that take more arguments in other languages: from which number of
 * arguments that is probable, and what to write instead.
 */
export const foreignArguments: ReadonlyMap<string, { readonly from: number; readonly instead: string }> = new Map(
  Object.entries({
    percentile: { from: 3, instead: 'several at once are percentiles_array(value, 50, 95)' },
    extract: { from: 4, instead: 'the type of the result is written typeof(long)' },
    bin_auto: { from: 2, instead: 'bin(time, size) has a size of your choice' },
    isnull: { from: 2, instead: 'coalesce(a, b) gives the first value that is there' },
    ceiling: { from: 2, instead: '-bin(-value, size) rounds up to a multiple' },
  }),
);

/**
 * Functions with the text last, which other languages have first. Functions whose first argument
 * must be constant report an error anyway.
 */
export const textLast: ReadonlySet<string> = new Set(['replace_string', 'countof']);

/**
 * Functions with the text last whose other arguments are constants, so that the order of other
 * languages, which have the text first, is recognizable.
 */
export const textFirstElsewhere: ReadonlySet<string> = new Set(['replace_regex']);

/** Aggregates that take `*` in other languages, and what to write instead. */
export const otherDialectWildcards: ReadonlyMap<string, string> = new Map(
  Object.entries({
    count: 'rows are counted by count()',
    dcount: 'name the column whose different values are counted',
  }),
);
