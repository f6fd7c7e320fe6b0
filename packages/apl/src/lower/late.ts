import { call, integer } from '@millrace/sql';
import type { Select } from '@millrace/sql';
import { allTimes } from './scan.js';
import { instant } from './values.js';

/** From so many on, reading columns late costs nothing where it saves nothing; of sixteen it takes a fifth longer over one part. */
export const manyColumns = 64;

/**
 * Of a page of events the engine first finds which rows they are and then reads the other columns of these alone; but where there is no condition it
 * makes ready to read all columns of all parts: a second for a year of days with 260 columns. So a page of many columns without a condition gets one
 * that always holds, on the time, by which the engine chooses granules without looking at each.
 * @param timeAlias what the time of the row id is called
 */
export function readLate(query: Select, timeAlias: string): Select {
  const time = query.columns.find(({ alias }) => alias === timeAlias)?.expr;
  const isPage = query.from?.kind === 'table' && query.arrayJoin === undefined && query.groupBy === undefined;
  if (time === undefined || !isPage || query.where !== undefined || query.limit === undefined) return query;
  if (query.columns.length < manyColumns) return query;
  return { ...query, where: call('greaterOrEquals', time, instant(call('toInt64', integer(allTimes.start)))) };
}
