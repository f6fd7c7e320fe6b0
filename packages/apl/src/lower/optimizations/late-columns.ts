import { call } from '@millrace/sql';
import type { Select } from '@millrace/sql';
import { allTimes } from '../relations/scan.js';
import { instantAt } from '../values.js';

/**
 * From this many columns on, reading them late costs nothing even where it does not help; with
 * sixteen it takes a fifth longer over one part.
 */
const manyColumns = 64;

/**
 * For a page of events the engine first finds the rows and then reads the other columns of only
 * these (late materialization). Without a condition, however, it prepares to read all columns of
 * all parts: a second for a year of daily partitions with 260 columns. So a page of many columns
 * without a condition gets one on the time that is always true, by which the engine chooses
 * granules without checking each.
 * @param timeAlias alias of the time in the row ID
 */
export function readLate(query: Select, timeAlias: string): Select {
  const time = query.columns.find(({ alias }) => alias === timeAlias)?.expr;
  const isPage = query.from?.kind === 'table' && query.arrayJoin === undefined && query.groupBy === undefined;
  const isFiltered = query.prewhere !== undefined || query.where !== undefined;
  if (time === undefined || !isPage || isFiltered || query.limit === undefined) return query;
  if (query.columns.length < manyColumns) return query;
  return { ...query, where: call('greaterOrEquals', time, instantAt(allTimes.start)) };
}
