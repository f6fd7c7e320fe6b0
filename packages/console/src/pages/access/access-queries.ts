import { useQuery } from '@tanstack/react-query';
import { api } from '../../data/api.js';
import { useAllowed } from '../../data/catalog.js';
import { queryClient } from '../../data/query-client.js';

/**
 * Users, groups, roles and tokens, shared by the tabs of the page because they refer to one
 * another.
 */

export const readUsers = { org: 'users', action: 'read' } as const;
export const readRoles = { org: 'rbac', action: 'read' } as const;
export const readTokens = { org: 'apiTokens', action: 'read' } as const;

export function useUsers() {
  const enabled = useAllowed(readUsers);
  return useQuery({
    queryKey: ['users'],
    queryFn: ({ signal }) => api.call('listUsers', { signal }),
    staleTime: 0,
    enabled,
  });
}

export function useRoles() {
  const enabled = useAllowed(readRoles);
  return useQuery({
    queryKey: ['roles'],
    queryFn: ({ signal }) => api.call('listRoles', { signal }),
    staleTime: 0,
    enabled,
  });
}

export function useGroups() {
  const enabled = useAllowed(readRoles);
  return useQuery({
    queryKey: ['groups'],
    queryFn: ({ signal }) => api.call('listGroups', { signal }),
    staleTime: 0,
    enabled,
  });
}

/** Invalidates all of them: a deleted role also disappears from users. */
export const refreshPeople = async (): Promise<void> => {
  await Promise.all(['users', 'roles', 'groups'].map((key) => queryClient.invalidateQueries({ queryKey: [key] })));
};
