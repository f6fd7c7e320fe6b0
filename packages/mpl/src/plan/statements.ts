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
import { metricsBounds } from '../model/bounds.js';
import { columns } from '../model/columns.js';
import { staleBits } from '../model/stale.js';
import type { Grid } from '../run/series.js';
import type { Node, Range, TagFilter } from './plan.js';
import { conditionOf } from './tag-conditions.js';

/** The statements that read the series of a source. */

const day = 86_400_000;

const instant = (milliseconds: number): Expr =>
  call('fromUnixTimestamp64Milli', call('toInt64', integer(Math.round(milliseconds))), literal('UTC'));

const isIn = ({ start, end }: Range): Expr =>
  and(call('greaterOrEquals', columns.time, instant(start)), call('less', columns.time, instant(end)));

/** Series are described once a day, at its end. */
export const describedIn = ({ start, end }: Range): Expr =>
  and(
    call('equals', columns.record, literal('series')),
    isIn({ start: Math.floor(start / day) * day, end: Math.ceil(end / day) * day }),
  );

/** The series to read. */
export type Selection = Pick<Extract<Node, { readonly kind: 'fetch' }>, 'sample' | 'filter'> & {
  /** All metrics if omitted. */
  readonly metric?: string | readonly string[];
  /** Only the series with these IDs. */
  readonly ids?: readonly string[];
};

const isOfMetric = ({ metric }: Selection): readonly Expr[] =>
  metric === undefined
    ? []
    : typeof metric === 'string'
      ? [call('equals', columns.metric, literal(metric))]
      : [call('in', columns.metric, call('tuple', ...metric.map((name) => literal(name))))];

const sampleParts = 1_000_000;

function isWanted(selection: Selection, range: Range): Expr {
  const { sample, filter } = selection;
  const parts = [describedIn(range), ...isOfMetric(selection)];
  if (sample < 1)
    parts.push(
      call(
        'less',
        call('modulo', call('cityHash64', columns.series), integer(sampleParts)),
        integer(Math.ceil(sample * sampleParts)),
      ),
    );
  if (filter !== undefined) parts.push(conditionOf(filter));
  return and(...parts);
}

export const newestValue = (value: Expr): Expr => call('argMax', value, columns.position);

/** ID, tags, type, temporality, unit and metric of each series. */
export const seriesStatement = (selection: Selection, range: Range, from: Source): Query =>
  select({
    columns: [
      item(call('toString', columns.series)),
      ...[columns.tags, columns.type, columns.temporality, columns.unit, columns.metric].map((value) =>
        item(newestValue(value)),
      ),
    ],
    from,
    where: isWanted(selection, range),
    groupBy: [columns.series],
    limit: metricsBounds.series.max + 1,
  });

const selects = ({ sample, filter }: { readonly sample: number; readonly filter?: TagFilter }): boolean =>
  sample < 1 || filter !== undefined;

/** Which records are points, and their values. */
interface PointValue {
  readonly records: Expr;
  readonly value: Expr;
}

export const isRecord = (name: string): Expr => call('equals', columns.record, literal(name));
export const storedValue: PointValue = { records: isRecord('point'), value: columns.value };
const bits = (value: bigint): Expr => call('toUInt64', literal(String(value)));
const bitsOf = new Map([
  ['end', bits(staleBits)],
  ['nan', bits(0x7ff8_0000_0000_0000n)],
  ['inf', bits(0x7ff0_0000_0000_0000n)],
  ['-inf', bits(0xfff0_0000_0000_0000n)],
]);
/**
 * With values that are no finite numbers, and the ends of series, which are one bit pattern of NaN.
 * The engine takes constants for equal that are NaN, so they are integers until the end.
 */
const anyValue: PointValue = {
  records: or(...['point', ...bitsOf.keys()].map(isRecord)),
  value: call(
    'reinterpretAsFloat64',
    call(
      'multiIf',
      ...[...bitsOf].flatMap(([name, value]) => [isRecord(name), value]),
      call('reinterpretAsUInt64', call('assumeNotNull', columns.value)),
    ),
  ),
};

export function isPointOf(selection: Selection, range: Range, from: Source, { records }: PointValue): Expr {
  const parts = [records, ...isOfMetric(selection), isIn(range)];
  if (selection.ids !== undefined)
    parts.push(call('in', columns.series, call('tuple', ...selection.ids.map((id) => integer(BigInt(id))))));
  else if (selects(selection))
    parts.push({
      kind: 'inSubquery',
      needle: columns.series,
      query: select({ columns: [item(columns.series)], from, where: isWanted(selection, range) }),
    });
  return and(...parts);
}

/** Ends of series, and values that are no finite numbers. */
export const isMarkOf = (selection: Selection, range: Range, from: Source): Expr =>
  isPointOf(selection, range, from, { ...anyValue, records: or(...[...bitsOf.keys()].map(isRecord)) });

export const milliseconds = call('toUnixTimestamp64Milli', columns.time);

/** Times and values of each series. Fails over the bound of points. */
export const pointsStatement = (selection: Selection, range: Range, from: Source): Query =>
  listedPoints(selection, range, from, storedValue);

/**
 * Like `pointsStatement`, with all values and the ends of series.
 * @param windows only points in the windows of this length that end at the times of the grid
 */
export const anyPointsStatement = (
  selection: Selection,
  range: Range,
  from: Source,
  windows?: Grid & { readonly range: number },
): Query => listedPoints(selection, range, from, anyValue, windows === undefined ? [] : [isInWindow(windows)]);

/** The next time of the grid is nearer than the length of a window. */
function isInWindow({ start, step, length, range }: Grid & { readonly range: number }): Expr {
  const untilLast = call('minus', call('toInt64', integer(start + (length - 1) * step)), milliseconds);
  return call('less', call('modulo', untilLast, call('toInt64', integer(step))), call('toInt64', integer(range)));
}

/** In order, so that the last of several with the same time is the one that counts. */
const listedPoints = (
  selection: Selection,
  range: Range,
  from: Source,
  value: PointValue,
  more: readonly Expr[] = [],
): Query =>
  listQuery(
    select({
      columns: [item(columns.series, 's'), item(milliseconds, 'at'), item(value.value, 'value')],
      from,
      where: and(isPointOf(selection, range, from, value), ...more),
      orderBy: [columns.series, columns.time, columns.position, columns.row].map(ascendingKey),
      limit: metricsBounds.points.max + 1,
    }),
  );

/**
 * The last points, or ends, of each series at the times of a grid: of those up to its start, and of
 * those between two of its times. Fails over the bound of points.
 */
export function latestStatement(selection: Selection, range: Range, { start, step }: Grid, from: Source): Query {
  const since = call('minus', milliseconds, call('toInt64', integer(start - step + 1)));
  const window = call('greatest', call('toInt64', integer(0)), call('intDiv', since, integer(step)));
  const order = call('tuple', columns.time, columns.position, columns.row);
  return listQuery(
    select({
      columns: [
        item(columns.series, 's'),
        item(call('max', milliseconds), 'at'),
        item(call('assumeNotNull', call('argMax', anyValue.value, order)), 'value'),
      ],
      from,
      where: isPointOf(selection, range, from, anyValue),
      groupBy: [columns.series, window],
      limit: metricsBounds.points.max + 1,
    }),
  );
}

/** For each series its ID, and as many times or windows as values, as arrays of `Float64`. */
const listQuery = (query: Query): Query =>
  select({
    columns: [
      item(column('s')),
      item(call('groupArray', call('toFloat64', column('at')))),
      item(call('groupArray', call('assumeNotNull', call('toFloat64', column('value'))))),
    ],
    from: { kind: 'subquery', query },
    groupBy: [column('s')],
  });
