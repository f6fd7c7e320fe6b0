import { useQuery } from '@tanstack/react-query';
import { api } from './api.js';
import { useAllowedSomewhere } from './catalog.js';
import { queryClient } from './query-client.js';

const queryKey = ['saved-queries'] as const;

/** Private and shared saved queries. */
export const useSavedQueries = () =>
  useQuery({
    enabled: useAllowedSomewhere('starredQueries', 'read'),
    queryKey,
    queryFn: ({ signal }) => api.call('listStarredQueries', { query: { who: 'all', limit: 1000 }, signal }),
  });

/** Invalidates them after a change. */
export const refreshSavedQueries = (): Promise<void> => queryClient.invalidateQueries({ queryKey });
