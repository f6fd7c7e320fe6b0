import { useQuery } from '@tanstack/react-query';
import { api } from './api.js';
import { queryClient } from './query-client.js';

const queryKey = ['saved-queries'] as const;

/** One's own saved queries and everybody's. */
export const useSavedQueries = () =>
  useQuery({
    queryKey,
    queryFn: ({ signal }) => api.call('listStarredQueries', { query: { who: 'all', limit: 1000 }, signal }),
  });

/** After one was saved or deleted. */
export const refreshSavedQueries = (): Promise<void> => queryClient.invalidateQueries({ queryKey });
