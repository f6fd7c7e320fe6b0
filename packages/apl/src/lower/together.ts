import { call, column, integer, item, or, printExpr, printQuery } from '@millrace/sql';
import type { Select } from '@millrace/sql';
import type { Together } from '../compiled.js';

/** More groups than a smaller limit are common, and what was asked in vain then costs more than it saves elsewhere. */
const leastLimit = 10_000;

const mark = '@totals';

/**
 * The statement that gives a series and its totals, so that rows are read and filtered once; undefined where they have to be asked apart. Their
 * texts decide: without its time bin the series must be its totals, word for word. It is not where something looks at the bin (`rate` divides by
 * its size), where another order was asked for, and where totals read less (parts of a union). Nor may there be window functions, which would see
 * the rows of both, queries inside, which would be kept from having many groups as well, a small limit, or one for each group.
 *
 * The engine gives up early on more groups than either limit allows: sorting that many for both takes longer than reading twice. Of fewer,
 * nothing is left out.
 */
export function together(series: Select, totals: Select): Together | undefined {
  const keys = series.groupBy ?? [];
  const kept = new Set((totals.groupBy ?? []).map(printExpr));
  const [bin, ...others] = keys.filter((key) => !kept.has(printExpr(key)));
  const most = Math.min(series.limit ?? 0, totals.limit ?? Infinity);
  if (bin === undefined || others.length > 0 || most < leastLimit || series.limitBy !== undefined) return undefined;
  const isBin = (text: string): boolean => text === printExpr(bin);
  const groups = keys.filter((key) => !isBin(printExpr(key)));
  const order = series.orderBy ?? [];
  const shown = new Set(totals.columns.map(({ alias }) => alias));
  const withoutBin = textOf({
    ...series,
    columns: series.columns.filter(({ alias }) => shown.has(alias)),
    groupBy: groups,
    // All together are one row.
    orderBy: groups.length === 0 ? [] : order.filter(({ expr }) => !isBin(printExpr(expr))),
  });
  if (withoutBin !== textOf(totals) || looksFurther.test(withoutBin)) return undefined;
  const { groupBy: _, ...rest } = series;
  const isTotal = call('grouping', bin);
  // Of no rows the engine makes a group by constants in a set; only all together are one row of anything.
  const hasRows = call('greater', call('count'), integer(0));
  return {
    query: {
      ...rest,
      columns: [...series.columns, item(isTotal, mark)],
      groupingSets: [keys, groups],
      having: groups.length > 0 ? hasRows : or(call('equals', isTotal, integer(1)), hasRows),
      orderBy: [{ expr: column(mark), descending: true, nullsFirst: false }, ...order],
      limit: most + 1,
      settings: { ...series.settings, ...eachSetItsKeys, max_rows_to_group_by: most },
    },
    most,
  };
}

/** What follows from a key is computed from it afterwards otherwise, even where the key is not in the set: the hour of a bin, its maximum. */
const eachSetItsKeys = {
  optimize_group_by_function_keys: 0,
  optimize_aggregators_of_group_by_keys: 0,
  optimize_injective_functions_in_group_by: 0,
} as const;

/** Limits are not reached together, and settings for speed are those of the series. */
const textOf = (select: Select): string => {
  const { limit: _, settings: __, ...rest } = select;
  return printQuery(rest);
};

/** Also found in a literal, which then costs a statement. */
const looksFurther = /\) OVER \(|\(SELECT /;
