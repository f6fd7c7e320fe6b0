import type { DatasetInfo } from '@millrace/client';
import { useQueries, useQuery } from '@tanstack/react-query';
import { api } from './api.js';
import { useAllowed } from './catalog.js';
import { enqueueRequest } from './request-queue.js';

/** Lifetime of cached statistics; those of many datasets are loaded in turn. */
const EVERY = 10_000;
const EACH = 200;

const options = (name: string, enabled: boolean, among = 1) => ({
  enabled,
  queryKey: ['dataset-info', name],
  queryFn: ({ signal }: { readonly signal: AbortSignal }) =>
    enqueueRequest('aside', signal, () => api.call('getDatasetInfoV1', { params: { name }, signal })),
  staleTime: 5000,
  refetchInterval: Math.max(EVERY, among * EACH),
});

/** What statistics of a dataset need. */
export const readDatasets = { org: 'datasets', action: 'read' } as const;

/** Size and time range of a dataset. */
export const useDatasetInfo = (name: string) => useQuery(options(name, useAllowed(readDatasets)));

/** Statistics of many datasets, as they arrive. */
export function useDatasetInfos(names: readonly string[]): ReadonlyMap<string, DatasetInfo> {
  const enabled = useAllowed(readDatasets);
  const answers = useQueries({ queries: names.map((name) => options(name, enabled, names.length)) });
  return new Map(answers.flatMap(({ data }) => (data === undefined ? [] : [[data.name, data]])));
}
