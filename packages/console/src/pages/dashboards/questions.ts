import { instantText, MILLISECOND, parseDuration } from '../../data/time/instants.js';
import { boundsOf, type Range } from '../../data/time/ranges.js';
import type { Question } from './board-runner.js';
import { type Chart, ownComparison, ownRange, queryOf } from './document/document.js';
import type { AskingKind, ElementKind } from './elements/element-kind.js';
import { largestSeries, withMost } from './document/most-series.js';
import type { Conditioned } from './use-conditioned.js';
import { type Filter, filtersOf, type FilterValues, variablesFor } from './document/filters.js';

/** What a board shows: its range, what it compares with, and the values of its filters. */
export interface Asking {
  readonly range: Range;
  /** `-1d`, or empty. */
  readonly against: string;
  readonly values: FilterValues;
  /**
   * Queries as they are asked with the conditions of the board; undefined while that is not known.
   */
  readonly conditioned: Conditioned | undefined;
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

interface Wanted {
  readonly rows: number;
  /** How far back, in milliseconds. */
  readonly by?: number;
  readonly cut?: AskingKind['cut'];
}

function questionOf(apl: string, range: Range, values: FilterValues, { rows, by = 0, cut }: Wanted): Question {
  const variables = variablesFor(apl, values);
  const limit = { defaultLimit: rows, ...(Object.keys(variables).length > 0 && { variables }) };
  const bodyOf =
    (text: string): Question['body'] =>
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

/** The query that gives a filter its options. */
export const optionsQuestion = (filter: Filter, asking: Asking): Question | undefined =>
  filter.apl === undefined ? undefined : questionOf(filter.apl, asking.range, asking.values, { rows: FILTER_OPTIONS });

/** All that an element wants to know while it is visible. */
export function everythingOf(chart: Chart, kind: ElementKind | undefined, asking: Asking): readonly Question[] {
  const { main, earlier } = questionsOf(chart, kind, asking);
  const options = filtersOf(chart).flatMap((filter) => optionsQuestion(filter, asking) ?? []);
  return [...(main === undefined ? [] : [main]), ...(earlier === undefined ? [] : [earlier.question]), ...options];
}

/** Whether an element asks the same with and without the conditions of the board. */
export function isUnfiltered(chart: Chart, { conditioned }: Asking): boolean {
  const query = queryOf(chart);
  return conditioned !== undefined && 'apl' in query && !conditioned.has(query.apl);
}
