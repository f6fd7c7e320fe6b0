import { useQuery } from '@tanstack/react-query';
import { api } from '../../data/api.js';
import { queryClient } from '../../data/query-client.js';

/**
 * People, and what they are given rights by. The parts of the page refer to one another, so they
 * share these.
 */

export const useUsers = () =>
  useQuery({ queryKey: ['users'], queryFn: ({ signal }) => api.call('listUsers', { signal }), staleTime: 0 });

export const useRoles = () =>
  useQuery({ queryKey: ['roles'], queryFn: ({ signal }) => api.call('listRoles', { signal }), staleTime: 0 });

export const useGroups = () =>
  useQuery({ queryKey: ['groups'], queryFn: ({ signal }) => api.call('listGroups', { signal }), staleTime: 0 });

/** After one of them changed: a role that is gone is gone from users, too. */
export const refreshPeople = async (): Promise<void> => {
  await Promise.all(['users', 'roles', 'groups'].map((key) => queryClient.invalidateQueries({ queryKey: [key] })));
};
