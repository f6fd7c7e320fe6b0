import { instantText, MILLISECOND, parseDuration } from '../../data/time/instants.js';
import { boundsOf, type Range } from '../../data/time/ranges.js';
import type { Question } from './board-runner.js';
import { type Chart, ownComparison, ownRange, queryOf } from './document.js';
import type { ElementKind } from './elements/element-kind.js';
import { type Filter, filtersOf, type FilterValues, variablesFor } from './filters.js';

/** What a board shows: its range, what it compares with, and the values of its filters. */
export interface Asking {
  readonly range: Range;
  /** `-1d`, or empty. */
  readonly against: string;
  readonly values: FilterValues;
}

/** What an element asks, or why it asks nothing. */
interface ElementQuestions {
  readonly main?: Question;
  /** The same for an earlier time. */
  readonly earlier?: { readonly question: Question; readonly by: number; readonly title: string };
  readonly problem?: string;
}

const FILTER_OPTIONS = 500;

/** How far back a comparison lies, in milliseconds; undefined if the text means nothing. */
export function backBy(against: string): number | undefined {
  const length = parseDuration(against.replace(/^-/, ''));
  return length === undefined || length === 0n ? undefined : Number(length / MILLISECOND);
}

function questionOf(apl: string, range: Range, values: FilterValues, rows: number, by = 0): Question {
  const variables = variablesFor(apl, values);
  const limit = { defaultLimit: rows, ...(Object.keys(variables).length > 0 && { variables }) };
  return {
    key: JSON.stringify([apl, range.from, range.to, by, rows, variables]),
    body: (now) => {
      if (by === 0) return { apl, startTime: range.from, endTime: range.to, ...limit };
      const bounds = boundsOf(range, now) ?? { start: now, end: now };
      const back = BigInt(by) * MILLISECOND;
      return { apl, startTime: instantText(bounds.start - back), endTime: instantText(bounds.end - back), ...limit };
    },
  };
}

export function questionsOf(chart: Chart, kind: ElementKind | undefined, asking: Asking): ElementQuestions {
  if (kind === undefined || !kind.asks) return {};
  const query = queryOf(chart);
  if ('problem' in query) return query;
  const range = ownRange(chart) ?? asking.range;
  const against = ownComparison(chart) ?? asking.against;
  const by = backBy(against);
  return {
    main: questionOf(query.apl, range, asking.values, kind.rows),
    ...(by !== undefined && {
      earlier: {
        question: questionOf(query.apl, range, asking.values, kind.rows, by),
        by,
        title: `${against.replace(/^-/, '')} before`,
      },
    }),
  };
}

/** The query that gives a filter its options. */
export const optionsQuestion = (filter: Filter, asking: Asking): Question | undefined =>
  filter.apl === undefined ? undefined : questionOf(filter.apl, asking.range, asking.values, FILTER_OPTIONS);

/** All that an element wants to know while it is visible. */
export function everythingOf(chart: Chart, kind: ElementKind | undefined, asking: Asking): readonly Question[] {
  const { main, earlier } = questionsOf(chart, kind, asking);
  const options = filtersOf(chart).flatMap((filter) => optionsQuestion(filter, asking) ?? []);
  return [...(main === undefined ? [] : [main]), ...(earlier === undefined ? [] : [earlier.question]), ...options];
}
