import { useQuery } from '@tanstack/react-query';
import { api } from '../../data/api.js';

interface Dependant {
  readonly kind: 'view' | 'monitor' | 'dashboard' | 'saved query';
  readonly name: string;
}

/**
 * Whether a query, or a document with queries, names the dataset: as a word, or in brackets and
 * quotes.
 */
export function names(text: string, dataset: string): boolean {
  const word = dataset.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
  return new RegExp(`(?<![\\w.-])${word}(?![\\w.-])`).test(text);
}

/** Dependents of the dataset. `complete` is false if the user may not see all kinds. */
export const useDependants = (dataset: string, wanted: boolean) =>
  useQuery({
    queryKey: ['dependants', dataset],
    enabled: wanted,
    staleTime: 0,
    queryFn: async ({ signal }): Promise<{ readonly found: readonly Dependant[]; readonly complete: boolean }> => {
      const lists = await Promise.allSettled([
        api.call('listViews', { signal }).then((all) =>
          all.map(({ name, aplQuery, datasets }) => ({
            kind: 'view' as const,
            name,
            text: `${datasets.join(' ')} ${aplQuery}`,
          })),
        ),
        api
          .call('listMonitors', { signal })
          .then((all) => all.map(({ name, aplQuery }) => ({ kind: 'monitor' as const, name, text: aplQuery }))),
        api.call('listDashboards', { signal }).then((all) =>
          all.map(({ dashboard }) => ({
            kind: 'dashboard' as const,
            name: String(dashboard['name']),
            text: JSON.stringify(dashboard['charts']).replaceAll(String.raw`\n`, ' '),
          })),
        ),
        api
          .call('listStarredQueries', { query: { limit: 1000 }, signal })
          .then((all) =>
            all.map(({ name, query }) => ({ kind: 'saved query' as const, name, text: String(query['apl']) })),
          ),
      ]);
      return {
        complete: lists.every(({ status }) => status === 'fulfilled'),
        found: lists
          .flatMap((list): readonly (Dependant & { readonly text: string })[] =>
            list.status === 'fulfilled' ? list.value : [],
          )
          .filter(({ text }) => names(text, dataset))
          .map(({ kind, name }) => ({ kind, name })),
      };
    },
  });
