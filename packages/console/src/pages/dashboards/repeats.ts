import type { Answer } from '../../data/results/results.js';
import { type Chart, textMember } from './document/document.js';
import { filterOptions } from './document/filter-options.js';
import { type Filter, filtersOf, type FilterTexts } from './document/filters.js';
import { valuesIn, valuesText } from './document/several-values.js';
import type { DashboardState } from './element-queries.js';

/**
 * Elements that are repeated for each value of a filter: the chosen ones, or all of its options.
 * The property `repeat` of an element, the ID of the filter, is ours.
 */

/** More copies are too small to read, and each runs a query. */
export const MAX_REPEATS = 12;

/** A filter that elements are repeated for, with its values. */
export interface RepeatedFilter {
  readonly filter: Filter;
  readonly values: readonly string[];
  /** Number of values without a limit. */
  readonly total: number;
}

export type Repeats = ReadonlyMap<string, RepeatedFilter>;

export function repeatsOf(
  charts: readonly Chart[],
  texts: FilterTexts,
  /** Result of the query for the options of a filter. */
  answerOf: (filter: Filter) => Answer | undefined,
): Repeats {
  const wanted = new Set(charts.map((chart) => textMember(chart, 'repeat')));
  const filters = charts.flatMap(filtersOf).filter(({ id, kind }) => kind === 'select' && wanted.has(id));
  return new Map(
    filters.map((filter) => {
      const text = texts[filter.id] ?? '';
      const chosen = filter.isMultiple ? valuesIn(text) : text === '' ? [] : [text];
      const all =
        chosen.length > 0
          ? chosen
          : filterOptions(filter, answerOf(filter))
              .map(({ value }) => value)
              .filter((value) => value !== '');
      return [filter.id, { filter, values: all.slice(0, MAX_REPEATS), total: all.length }];
    }),
  );
}

export const repeatedFilterOf = (chart: Chart, repeats: Repeats): RepeatedFilter | undefined =>
  repeats.get(textMember(chart, 'repeat') ?? '');

/** The text of a filter with one value chosen. */
export const oneText = ({ isMultiple }: Filter, value: string): string => (isMultiple ? valuesText([value]) : value);

/** State of the dashboard for one copy of an element. */
export const copyAsking = (
  asking: DashboardState,
  { id, field, isMultiple }: Filter,
  value: string,
): DashboardState => ({
  ...asking,
  values: { ...asking.values, [id]: isMultiple ? { values: [value], isField: field !== undefined } : value },
  only: { id, value },
});
