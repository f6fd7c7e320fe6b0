import type { DatasetInfo } from '@millrace/client';
import { useQueries, useQuery } from '@tanstack/react-query';
import { api } from './api.js';
import { inTurn } from './turns.js';

/** The figures of one are as old as this; of many, each takes its turn. */
const EVERY = 10_000;
const EACH = 200;

const options = (name: string, among = 1) => ({
  queryKey: ['dataset-info', name],
  queryFn: ({ signal }: { readonly signal: AbortSignal }) =>
    inTurn('aside', signal, () => api.call('getDatasetInfoV1', { params: { name }, signal })),
  staleTime: 5000,
  refetchInterval: Math.max(EVERY, among * EACH),
});

/** How much is in a dataset, and from when to when. */
export const useDatasetInfo = (name: string) => useQuery(options(name));

/** The same of many, each as its answer comes. */
export function useDatasetInfos(names: readonly string[]): ReadonlyMap<string, DatasetInfo> {
  const answers = useQueries({ queries: names.map((name) => options(name, names.length)) });
  return new Map(answers.flatMap(({ data }) => (data === undefined ? [] : [[data.name, data]])));
}
