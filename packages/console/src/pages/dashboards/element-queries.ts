import { instantText, MILLISECOND, parseDuration } from '../../data/time/instants.js';
import { boundsOf, type Range } from '../../data/time/ranges.js';
import type { ElementQuery } from './query-runner.js';
import { type Chart, ownComparison, ownRange, queryOf } from './document/document.js';
import type { QueryElementKind, ElementKind } from './elements/element-kind.js';
import { largestSeries, withMost } from './document/max-series.js';
import type { Conditioned } from './use-conditional-value.js';
import { type Filter, filtersOf, type FilterValues, variablesFor } from './document/filters.js';

/** State of a dashboard: range, comparison and filter values. */
export interface Asking {
  readonly range: Range;
  /** `-1d`, or empty. */
  readonly against: string;
  readonly values: FilterValues;
  /** Queries with the conditions of the dashboard; undefined while unknown. */
  readonly conditioned: Conditioned | undefined;
}

/** Query of an element, or the reason why there is none. */
interface ElementQuestions {
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

interface Wanted {
  readonly rows: number;
  /** Offset in milliseconds. */
  readonly by?: number;
  readonly cut?: QueryElementKind['cut'];
}

function questionOf(apl: string, range: Range, values: FilterValues, { rows, by = 0, cut }: Wanted): ElementQuery {
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
    body: bodyOf(cut === undefined ? apl : withMost(apl, { rows, cut })),
    ...(cut === 'series' && {
      narrower: (answer) => {
        const instead = largestSeries(apl, answer);
        return instead === undefined ? undefined : bodyOf(instead);
      },
    }),
  };
}

export function questionsOf(chart: Chart, kind: ElementKind | undefined, asking: Asking): ElementQuestions {
  if (kind === undefined || !kind.asks) return {};
  const query = queryOf(chart);
  if ('problem' in query) return query;
  if (asking.conditioned === undefined) return {};
  const apl = asking.conditioned.get(query.apl) ?? query.apl;
  const range = ownRange(chart) ?? asking.range;
  const against = ownComparison(chart) ?? asking.against;
  const by = backBy(against);
  return {
    main: questionOf(apl, range, asking.values, kind),
    ...(by !== undefined && {
      earlier: {
        question: questionOf(apl, range, asking.values, { ...kind, by }),
        by,
        title: `${against.replace(/^-/, '')} before`,
      },
    }),
  };
}

/** Query for the options of a filter. */
export const optionsQuestion = (filter: Filter, asking: Asking): ElementQuery | undefined =>
  filter.apl === undefined ? undefined : questionOf(filter.apl, asking.range, asking.values, { rows: FILTER_OPTIONS });

/** All queries of a visible element. */
export function everythingOf(chart: Chart, kind: ElementKind | undefined, asking: Asking): readonly ElementQuery[] {
  const { main, earlier } = questionsOf(chart, kind, asking);
  const options = filtersOf(chart).flatMap((filter) => optionsQuestion(filter, asking) ?? []);
  return [...(main === undefined ? [] : [main]), ...(earlier === undefined ? [] : [earlier.question]), ...options];
}

/** Whether the dashboard's conditions and filters leave the query of an element unchanged. */
export function isUnfiltered(chart: Chart, { conditioned, values }: Asking): boolean {
  const query = queryOf(chart);
  if (conditioned === undefined || !('apl' in query) || conditioned.has(query.apl)) return false;
  return Object.values(variablesFor(query.apl, values)).every((value) => value === '');
}
