import { call, column, descendingKey, integer, item, or, printExpr, printQuery } from '@millrace/sql';
import type { Select } from '@millrace/sql';
import type { Together } from '../compiled-query.js';

/**
 * Results often have more groups than a smaller limit, and a statement that fails then costs more
 * than the others save.
 */
const minLimit = 10_000;

const mark = '@totals';

/**
 * One statement for a series and its totals, so that rows are read and filtered once; undefined if
 * they need two statements. Their texts decide: without its time bin, the text of the series must
 * equal that of its totals. They cannot be combined when an expression depends on the bin (`rate`
 * divides by its size), when another order is requested, or when the totals read less (parts of a
 * union). Nor with window functions, which would see the rows of both, with inner queries, whose
 * groups the setting would also limit, or with a small limit or a limit per group.
 *
 * If there are more groups than either limit allows, the engine stops early: sorting that many for
 * both takes longer than reading twice. With fewer groups the result is complete.
 */
export function combineWithTotals(series: Select, totals: Select): Together | undefined {
  const keys = series.groupBy ?? [];
  const kept = new Set((totals.groupBy ?? []).map(printExpr));
  const [bin, ...others] = keys.filter((key) => !kept.has(printExpr(key)));
  const max = Math.min(series.limit ?? 0, totals.limit ?? Infinity);
  if (bin === undefined || others.length > 0 || max < minLimit || series.limitBy !== undefined) return undefined;
  const isBin = (text: string): boolean => text === printExpr(bin);
  const groups = keys.filter((key) => !isBin(printExpr(key)));
  const order = series.orderBy ?? [];
  const shown = new Set(totals.columns.map(({ alias }) => alias));
  const withoutBin = textOf({
    ...series,
    columns: series.columns.filter(({ alias }) => shown.has(alias)),
    groupBy: groups,
    // Totals without groups are one row.
    orderBy: groups.length === 0 ? [] : order.filter(({ expr }) => !isBin(printExpr(expr))),
  });
  if (withoutBin !== textOf(totals) || looksFurther.test(withoutBin)) return undefined;
  const { groupBy: _, ...rest } = series;
  const isTotal = call('grouping', bin);
  // With no rows the engine still makes a group for constants in a grouping set; only the totals
  // without groups are one row in any case.
  const hasRows = call('greater', call('count'), integer(0));
  return {
    query: {
      ...rest,
      columns: [...series.columns, item(isTotal, mark)],
      groupingSets: [keys, groups],
      having: groups.length > 0 ? hasRows : or(call('equals', isTotal, integer(1)), hasRows),
      orderBy: [descendingKey(column(mark)), ...order],
      limit: max + 1,
      settings: { ...series.settings, ...eachSetItsKeys, max_rows_to_group_by: max },
    },
    max,
  };
}

/**
 * Otherwise expressions that depend on a key, such as the hour or the maximum of a bin, are
 * computed from it afterwards, even for the set without that key.
 */
const eachSetItsKeys = {
  optimize_group_by_function_keys: 0,
  optimize_aggregators_of_group_by_keys: 0,
  optimize_injective_functions_in_group_by: 0,
} as const;

/**
 * The text to compare, without limits, which are not reached here, settings, which are those of the
 * series, and the condition on groups, which is always that they have rows: the statement for both
 * has its own.
 */
const textOf = (select: Select): string => {
  const { limit: _, settings: __, having: ___, ...rest } = select;
  return printQuery(rest);
};

/**
 * Window functions and inner queries. A literal may match too, which only costs a second statement.
 */
const looksFurther = /\) OVER \(|\(SELECT /;
