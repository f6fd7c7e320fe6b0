import type { DatasetInfo } from '@millrace/client';
import { useQueries, useQuery } from '@tanstack/react-query';
import { api } from './api.js';
import { inTurn } from './turns.js';

const options = (name: string) => ({
  queryKey: ['dataset-info', name],
  queryFn: ({ signal }: { readonly signal: AbortSignal }) =>
    inTurn('aside', signal, () => api.call('getDatasetInfoV1', { params: { name }, signal })),
  staleTime: 5000,
  refetchInterval: 10_000,
});

/** How much is in a dataset, and from when to when. */
export const useDatasetInfo = (name: string) => useQuery(options(name));

/** The same of many, each as its answer comes. */
export function useDatasetInfos(names: readonly string[]): ReadonlyMap<string, DatasetInfo> {
  const answers = useQueries({ queries: names.map(options) });
  return new Map(answers.flatMap(({ data }) => (data === undefined ? [] : [[data.name, data]])));
}
