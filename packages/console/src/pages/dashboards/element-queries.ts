import { instantText, MILLISECOND, parseDuration } from '../../data/time/instants.js';
import { boundsOf, type Range } from '../../data/time/ranges.js';
import type { ElementQuery } from './query-runner.js';
import { type Chart, ownComparison, ownRange, queryOf } from './document/document.js';
import type { QueryElementKind, ElementKind } from './elements/element-kind.js';
import { largestSeries, withLimit } from './document/max-series.js';
import { copyAsking, repeatedFilterOf, type Repeats } from './repeats.js';
import { type FilteredQueries, filteredKey } from './use-conditional-value.js';
import { type Filter, filtersOf, type FilterValues, variablesFor } from './document/filters.js';

/** State of a dashboard: range, comparison and filter values. */
export interface DashboardState {
  readonly range: Range;
  /** `-1d`, or empty. */
  readonly against: string;
  readonly values: FilterValues;
  /** For a copy of a repeated element: the filter and its value. */
  readonly only?: { readonly id: string; readonly value: string };
  readonly repeats: Repeats;
  /** Queries with the conditions of the dashboard; undefined while unknown. */
  readonly filteredQueries: FilteredQueries | undefined;
}

/** Query of an element, or the reason why there is none. */
interface ElementQueries {
  readonly main?: ElementQuery;
  /** The query for the comparison range. */
  readonly earlier?: { readonly question: ElementQuery; readonly by: number; readonly title: string };
  readonly problem?: string;
}

const FILTER_OPTIONS = 500;

/** Comparison offset in milliseconds; undefined if invalid. */
export function backBy(against: string): number | undefined {
  const length = parseDuration(against.replace(/^-/, ''));
  return length === undefined || length === 0n ? undefined : Number(length / MILLISECOND);
}

interface ElementQueryOptions {
  readonly rows: number;
  /** Offset in milliseconds. */
  readonly by?: number;
  readonly cut?: QueryElementKind['cut'];
}

function elementQuery(
  apl: string,
  range: Range,
  values: FilterValues,
  { rows, by = 0, cut }: ElementQueryOptions,
): ElementQuery {
  const variables = variablesFor(apl, values);
  const limit = { defaultLimit: rows, ...(Object.keys(variables).length > 0 && { variables }) };
  const bodyOf =
    (text: string): ElementQuery['body'] =>
    (now) => {
      if (by === 0) return { apl: text, startTime: range.from, endTime: range.to, ...limit };
      const bounds = boundsOf(range, now) ?? { start: now, end: now };
      const [startTime, endTime] = [bounds.start, bounds.end].map((at) => instantText(at - BigInt(by) * MILLISECOND));
      return { apl: text, startTime: startTime!, endTime: endTime!, ...limit };
    };
  return {
    key: JSON.stringify([apl, range.from, range.to, by, rows, cut, variables]),
    body: bodyOf(cut === undefined ? apl : withLimit(apl, { rows, cut })),
    ...(cut === 'series' && {
      narrower: (answer) => {
        const instead = largestSeries(apl, answer);
        return instead === undefined ? undefined : bodyOf(instead);
      },
    }),
  };
}

const metricsQuery = (mpl: string, { from, to }: Range): ElementQuery => ({
  key: JSON.stringify(['mpl', mpl, from, to]),
  body: () => ({ apl: mpl, language: 'mpl', startTime: from, endTime: to }),
});

export function queriesOf(chart: Chart, kind: ElementKind | undefined, asking: DashboardState): ElementQueries {
  if (kind === undefined || !kind.asks) return {};
  const query = queryOf(chart);
  if ('problem' in query) return query;
  const range = ownRange(chart) ?? asking.range;
  // Conditions and filters of the dashboard are about events.
  if ('mpl' in query) return { main: metricsQuery(query.mpl, range) };
  if (asking.filteredQueries === undefined) return {};
  const apl = asking.filteredQueries.get(filteredKey(query.apl, asking.only)) ?? query.apl;
  const against = ownComparison(chart) ?? asking.against;
  const by = backBy(against);
  return {
    main: elementQuery(apl, range, asking.values, kind),
    ...(by !== undefined && {
      earlier: {
        question: elementQuery(apl, range, asking.values, { ...kind, by }),
        by,
        title: `${against.replace(/^-/, '')} before`,
      },
    }),
  };
}

/** Query for the options of a filter. */
export const optionsQuery = (
  filter: Filter,
  asking: Pick<DashboardState, 'range' | 'values'>,
): ElementQuery | undefined =>
  filter.apl === undefined
    ? undefined
    : elementQuery(filter.apl, asking.range, asking.values, { rows: FILTER_OPTIONS });

/** All queries of a visible element. */
export function allQueriesOf(
  chart: Chart,
  kind: ElementKind | undefined,
  asking: DashboardState,
): readonly ElementQuery[] {
  const repeated = repeatedFilterOf(chart, asking.repeats);
  const own =
    repeated === undefined ? [asking] : repeated.values.map((value) => copyAsking(asking, repeated.filter, value));
  // The bar with the filter may be out of view.
  const filters = [...filtersOf(chart), ...(repeated === undefined ? [] : [repeated.filter])];
  return [
    ...own.flatMap((each) => {
      const { main, earlier } = queriesOf(chart, kind, each);
      return [main, earlier?.question].filter((query) => query !== undefined);
    }),
    ...filters.flatMap((filter) => optionsQuery(filter, asking) ?? []),
  ];
}

/** Whether the dashboard's conditions and filters leave the query of an element unchanged. */
export function isUnfiltered(chart: Chart, { filteredQueries, values, repeats }: DashboardState): boolean {
  if (repeatedFilterOf(chart, repeats) !== undefined) return false;
  const query = queryOf(chart);
  if (filteredQueries === undefined || !('apl' in query) || filteredQueries.has(query.apl)) return false;
  return Object.values(variablesFor(query.apl, values)).every(({ length }) => length === 0);
}
