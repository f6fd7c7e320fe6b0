import type { AnswerOf } from '@millrace/client';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { api } from './api.js';
import { queryClient } from './query-client.js';
import { may, maySomewhere, type RequiredPermission } from './permissions.js';
import { signedIn, useSession } from './session.js';

/** Cached catalog: current user, permissions, datasets and fields. */
export type Catalog = AnswerOf<'getCatalogue'>;

/** Whether it is an internal dataset, such as the audit log; those are listed last. */
export const isInternalDataset = (dataset: string): boolean => dataset.startsWith('millrace-');

const catalogKey = ['catalog'] as const;

/** The catalog; undefined until loaded. */
export function useCatalog(): Catalog | undefined {
  return useCatalogQuery().data;
}

export const useCatalogQuery = () =>
  useQuery({
    queryKey: catalogKey,
    queryFn: async ({ signal }) => {
      const found = await api.call('getCatalogue', { signal });
      signedIn();
      return {
        ...found,
        datasets: found.datasets.toSorted(
          (a, b) => Number(isInternalDataset(a.name)) - Number(isInternalDataset(b.name)),
        ),
      };
    },
    // It would only be rejected.
    enabled: useSession() !== 'out',
    staleTime: 60_000,
    refetchInterval: 60_000,
  });

/** Refetches after a change of datasets or permissions. */
export const refreshCatalog = (): Promise<void> => queryClient.invalidateQueries({ queryKey: catalogKey });

/** Whether the server has the dataset, which may be newer than the cached catalog. */
export async function existsDataset(name: string): Promise<boolean> {
  await refreshCatalog();
  const found = queryClient.getQueryData<Catalog>(catalogKey);
  return found?.datasets.some((each) => each.name === name) === true;
}

/** Whether the user has a permission; unknown until the catalog is loaded. */
export function useAccess(need: RequiredPermission | undefined): 'allowed' | 'denied' | 'unknown' {
  const { data, isError } = useCatalogQuery();
  return useMemo(() => {
    // Without a catalog the server decides.
    if (need === undefined || (data === undefined && isError)) return 'allowed';
    if (data === undefined) return 'unknown';
    return may(data.capabilities, need) ? 'allowed' : 'denied';
  }, [data, isError, need]);
}

/** Whether to send requests that need the permission: only once it is known. */
export const useAllowed = (need: RequiredPermission): boolean => useAccess(need) === 'allowed';

/** Whether to send requests that need a permission on any dataset: only once it is known. */
export function useAllowedSomewhere(...[can, action]: Tail<Parameters<typeof maySomewhere>>): boolean {
  const catalog = useCatalog();
  return catalog !== undefined && maySomewhere(catalog.capabilities, can, action);
}

type Tail<T extends readonly unknown[]> = T extends readonly [unknown, ...infer Rest] ? Rest : never;

/** Whether the user has the permission; true until known, so that controls do not flash. */
export function useMay(need: RequiredPermission | undefined): boolean {
  const catalog = useCatalog();
  return useMemo(() => need === undefined || catalog === undefined || may(catalog.capabilities, need), [catalog, need]);
}
