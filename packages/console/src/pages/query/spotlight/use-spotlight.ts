import { useQuery } from '@tanstack/react-query';
import { textOf } from '../../../data/results/cells.js';
import { runQuery } from '../../../data/run-query.js';
import type { Outline } from '../../../editor/outline.js';
import type { QueryState } from '../query-state.js';
import { comparisonOf, distributionsOf, type Spotlight, spotlightOf } from './comparison.js';

/** Maximum number of box plots. */
const MAX_PLOTS = 8;

/** Five percentiles of the selected numbers, and of the baseline. */
export interface Distribution {
  readonly selected: readonly number[];
  readonly others: readonly number[];
}

const requestOf = ({ q, from, to, sel, base, with: more }: QueryState, outline: Outline | undefined) => ({
  events: outline?.source === undefined ? '' : q.slice(0, outline.eventsEnd).trimEnd(),
  from,
  to,
  selection: sel,
  base,
  more,
});

const asOfOption = ({ asof }: QueryState) => (asof === '' ? {} : { asOf: asof });

/** Differences for the comparison in the address. */
export function useSpotlight(state: QueryState, outline: Outline | undefined) {
  const request = requestOf(state, outline);
  return useQuery({
    queryKey: ['spotlight', request, state.asof],
    queryFn: async ({ signal }): Promise<Spotlight> => {
      const answer = await runQuery({ ...comparisonOf(request), ...asOfOption(state) }, 'rows', signal);
      const [selected, total] = answer.table.columns.map((column) => Number(textOf(column[0] ?? null)));
      const cell = answer.table.columns[2]?.[0] ?? null;
      const isLong = typeof cell === 'object' && cell !== null && cell.kind === 'long';
      const json = isLong ? await answer.whole(2, 0) : textOf(cell);
      return spotlightOf(
        json === '' ? '{}' : json,
        { selected: selected ?? 0, total: total ?? 0 },
        `${request.selection} ${request.base}`,
      );
    },
    enabled: request.events !== '' && request.selection !== '',
    staleTime: Infinity,
    retry: false,
  });
}

/** Distributions of differing numbers on both sides. */
export function useDistributions(state: QueryState, outline: Outline | undefined, found: Spotlight | undefined) {
  const fields = (found?.different ?? [])
    .filter(({ kind }) => kind === 'numbers')
    .slice(0, MAX_PLOTS)
    .map(({ field }) => field);
  const request = requestOf(state, outline);
  return useQuery({
    queryKey: ['spotlight', 'distributions', request, state.asof, fields],
    queryFn: async ({ signal }): Promise<ReadonlyMap<string, Distribution>> => {
      const { table } = await runQuery({ ...distributionsOf(request, fields), ...asOfOption(state) }, 'aside', signal);
      const numbers = (index: number): readonly number[] =>
        (JSON.parse(textOf(table.columns[index]?.[0] ?? '[]')) as readonly (number | null)[] | null)?.map(Number) ?? [];
      return new Map(
        fields.map((field, index) => [field, { selected: numbers(2 * index), others: numbers(2 * index + 1) }]),
      );
    },
    enabled: fields.length > 0,
    staleTime: Infinity,
    retry: false,
  });
}
