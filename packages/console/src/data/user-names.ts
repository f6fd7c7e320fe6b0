import { useQuery } from '@tanstack/react-query';
import { useCallback } from 'react';
import { api } from './api.js';
import { useAllowed } from './catalog.js';

/** User names by ID; without permission to see users, the first characters of the ID. */
export function useUserNames(): (userId: string) => string {
  const mayRead = useAllowed({ org: 'users', action: 'read' });
  const { data } = useQuery({
    queryKey: ['users'],
    queryFn: ({ signal }) => api.call('listUsers', { signal }),
    enabled: mayRead,
    staleTime: 60_000,
  });
  return useCallback((userId) => data?.find(({ id }) => id === userId)?.name ?? userId.slice(0, 8), [data]);
}
