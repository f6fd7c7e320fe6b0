import { and, call, column, type Expr, integer, item, literal, type Query, select, type Source } from '@millrace/sql';
import { metricsBounds } from '../model/bounds.js';
import { columns } from '../model/columns.js';
import type { AlignFunction } from '../model/functions.js';
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

type Fetch = Pick<Extract<Node, { readonly kind: 'fetch' }>, 'metric' | 'sample' | 'filter'>;

const sampleParts = 1_000_000;

function isWanted({ metric, sample, filter }: Fetch, range: Range): Expr {
  const parts = [describedIn(range), call('equals', columns.metric, literal(metric))];
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

export const newest = (value: Expr): Expr => call('argMax', value, columns.position);

/** ID, tags, type, temporality and unit of each series. */
export const seriesStatement = (fetch: Fetch, range: Range, from: Source): Query =>
  select({
    columns: [
      item(call('toString', columns.series)),
      ...[columns.tags, columns.type, columns.temporality, columns.unit].map((value) => item(newest(value))),
    ],
    from,
    where: isWanted(fetch, range),
    groupBy: [columns.series],
    limit: metricsBounds.series.most + 1,
  });

const selects = ({ sample, filter }: { readonly sample: number; readonly filter?: TagFilter }): boolean =>
  sample < 1 || filter !== undefined;

/** The points of a range, each once: of several with the same time, the one stored last. */
function pointsOf(fetch: Fetch, range: Range, from: Source): Query {
  const parts = [
    call('equals', columns.record, literal('point')),
    call('equals', columns.metric, literal(fetch.metric)),
    isIn(range),
  ];
  if (selects(fetch))
    parts.push({
      kind: 'inSubquery',
      needle: columns.series,
      query: select({ columns: [item(columns.series)], from, where: isWanted(fetch, range) }),
    });
  const latest = call('argMax', columns.value, call('tuple', columns.position, columns.row));
  return select({
    columns: [
      item(columns.series, 's'),
      item(call('toUnixTimestamp64Milli', columns.time), 't'),
      item(call('assumeNotNull', latest), 'v'),
    ],
    from,
    where: and(...parts),
    groupBy: [columns.series, column('t')],
  });
}

/** Times and values of each series. Fails over the bound of points. */
export function pointsStatement(fetch: Fetch, range: Range, from: Source): Query {
  const points = select({
    columns: [item(column('s'), 's'), item(column('t'), 'at'), item(column('v'), 'value')],
    from: { kind: 'subquery', query: pointsOf(fetch, range, from) },
    limit: metricsBounds.points.most + 1,
  });
  return listed(points);
}

const listed = (query: Query): Query =>
  select({
    columns: [
      item(call('toString', column('s'))),
      item(call('groupArray', column('at'))),
      item(call('groupArray', column('value'))),
    ],
    from: { kind: 'subquery', query },
    groupBy: [column('s')],
  });

type PushedFunction = Exclude<AlignFunction, 'prom::rate'>;

const aggregates: Readonly<Record<PushedFunction, Expr>> = {
  avg: call('avg', column('v')),
  min: call('min', column('v')),
  max: call('max', column('v')),
  sum: call('sum', column('v')),
  count: call('toFloat64', call('count')),
  last: call('argMax', column('v'), column('t')),
};

/** Windows, counted from the start of the grid, and their values, of each series. */
export function alignedStatement(fetch: Fetch, range: Range, grid: Grid, fn: PushedFunction, from: Source): Query {
  const window = call('intDiv', call('minus', column('t'), call('toInt64', integer(grid.start))), integer(grid.step));
  return listed(
    select({
      columns: [item(column('s'), 's'), item(window, 'at'), item(aggregates[fn], 'value')],
      from: { kind: 'subquery', query: pointsOf(fetch, range, from) },
      groupBy: [column('s'), column('at')],
    }),
  );
}
