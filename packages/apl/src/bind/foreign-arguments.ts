/** Functions and aggregates that take more arguments in other languages: from how many on that is what was meant, and what to write instead. */
export const foreignArguments: ReadonlyMap<string, { readonly from: number; readonly instead: string }> = new Map(
  Object.entries({
    take_any: { from: 2, instead: 'write one for each column: take_any(a), take_any(b)' },
    percentile: { from: 3, instead: 'several at once are percentiles_array(value, 50, 95)' },
    dcount: { from: 2, instead: 'the accuracy is not a choice here, so write dcount(value)' },
    dcountif: { from: 3, instead: 'the accuracy is not a choice here, so write dcountif(value, condition)' },
    extract: { from: 4, instead: 'the result is converted by toint(), toreal() or todatetime() around the call' },
    split: { from: 3, instead: 'one of the parts is split(source, delimiter)[0]' },
    bin_auto: { from: 2, instead: 'bin(time, size) has a size of your choice' },
    isnull: { from: 2, instead: 'coalesce(a, b) gives the first value that is there' },
    floor: { from: 2, instead: 'bin(value, size) rounds down to a multiple' },
    ceiling: { from: 2, instead: '-bin(-value, size) rounds up to a multiple' },
  }),
);

/** Functions whose text comes last, which other languages have first. Those whose first argument must be a constant say so anyway. */
export const textLast: ReadonlySet<string> = new Set(['replace_string', 'countof']);

/** Aggregates that take `*` in other languages, and what to write instead. */
export const foreignStars: ReadonlyMap<string, string> = new Map(
  Object.entries({
    count: 'rows are counted by count()',
    take_any: 'write one for each column, or arg_max(_time, *) for the columns of one row',
    dcount: 'name the column whose different values are counted',
  }),
);
