import { useQuery } from '@tanstack/react-query';
import { useCallback } from 'react';
import { api } from './api.js';
import { useMay } from './catalogue.js';

/** How users are called, by their ids; whoever may not see users sees the beginning of the id. */
export function useUserNames(): (userId: string) => string {
  const mayRead = useMay({ org: 'users', action: 'read' });
  const { data } = useQuery({
    queryKey: ['users'],
    queryFn: ({ signal }) => api.call('listUsers', { signal }),
    enabled: mayRead,
    staleTime: 60_000,
  });
  return useCallback((userId) => data?.find(({ id }) => id === userId)?.name ?? userId.slice(0, 8), [data]);
}
