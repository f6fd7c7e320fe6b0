import {
  and,
  ascendingKey,
  call,
  column,
  type Expr,
  integer,
  item,
  literal,
  or,
  type Query,
  select,
  type Source,
} from '@millrace/sql';
import { columns } from '../model/columns.js';
import { tagText } from '../tags.js';
import type { Range, TagFilter } from './plan.js';
import { describedIn, newestValue } from './statements.js';
import { conditionOf } from './tag-conditions.js';

/** The statements that list metrics and tags. They read the descriptions of series only. */

interface SeriesSelection {
  readonly from: Source;
  /** Whole days. */
  readonly range: Range;
  /** All metrics if omitted. */
  readonly metric?: string;
  /** Series that pass one of these; all if omitted. */
  readonly filters?: readonly TagFilter[];
  /** Rows. */
  readonly limit: number;
}

const seriesCondition = ({ range, metric, filters = [] }: SeriesSelection): Expr =>
  and(
    describedIn(range),
    ...(metric === undefined ? [] : [call('equals', columns.metric, literal(metric))]),
    ...(filters.length === 0 ? [] : [or(...filters.map(conditionOf))]),
  );

/** Name, types, temporalities and unit of each metric. */
export const metricsStatement = (described: SeriesSelection): Query =>
  select({
    columns: [
      item(columns.metric, 'name'),
      item(call('groupUniqArray', columns.type)),
      item(call('groupUniqArray', columns.temporality)),
      item(newestValue(columns.unit)),
    ],
    from: described.from,
    where: seriesCondition(described),
    groupBy: [column('name')],
    orderBy: [ascendingKey(column('name'))],
    limit: described.limit,
  });

const namesAndValues = call('JSONExtractKeysAndValues', columns.tags, literal('String'));

/** Names of tags, in order. */
export const tagNamesStatement = (described: SeriesSelection): Query =>
  distinct(described, call('JSONExtractKeys', columns.tags));

/** Stored values of a tag; see `readTag`. */
export const tagValuesStatement = (described: SeriesSelection, tag: string): Query => {
  const value = call('JSONExtractString', columns.tags, literal(tag));
  const present = call('if', call('equals', value, literal('')), call('array'), call('array', value));
  return distinct(described, present);
};

/** The distinct elements of a list that each series has. */
const distinct = (described: SeriesSelection, list: Expr): Query =>
  select({
    columns: [item(column('element'))],
    from: {
      kind: 'subquery',
      query: select({
        columns: [item(call('arrayJoin', list), 'element')],
        from: described.from,
        where: seriesCondition(described),
      }),
    },
    groupBy: [column('element')],
    orderBy: [ascendingKey(column('element'))],
    limit: described.limit,
  });

/** Metrics that have a tag of this value, with the names of the tags. */
export function findStatement(described: SeriesSelection, value: string | number): Query {
  const texts =
    typeof value === 'string'
      ? [tagText({ type: 'string', value })]
      : [tagText({ type: 'int', value }), tagText({ type: 'float', value })];
  const found = call('tupleElement', column('pair'), integer(2));
  return select({
    columns: [item(column('name')), item(call('groupUniqArray', call('tupleElement', column('pair'), integer(1))))],
    from: {
      kind: 'subquery',
      query: select({
        columns: [item(columns.metric, 'name'), item(call('arrayJoin', namesAndValues), 'pair')],
        from: described.from,
        where: seriesCondition(described),
      }),
    },
    where: or(...texts.map((text) => call('equals', found, literal(text)))),
    groupBy: [column('name')],
    orderBy: [ascendingKey(column('name'))],
    limit: described.limit,
  });
}
