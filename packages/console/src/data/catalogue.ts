import type { AnswerOf } from '@millrace/client';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { api } from './api.js';
import { queryClient } from './query-client.js';
import { may, type Need } from './rights.js';
import { signedIn } from './session.js';

/**
 * Everything the console knows without asking for it each time: who is here, what they may do, the
 * datasets and their fields.
 */
export type Catalogue = AnswerOf<'getCatalogue'>;

/** Whether the server keeps it about itself, such as the audit log: those come last. */
export const isOwn = (dataset: string): boolean => dataset.startsWith('millrace-');

const catalogueKey = ['catalogue'] as const;

/** The catalogue; undefined until it is there. */
export function useCatalogue(): Catalogue | undefined {
  return useCatalogueQuery().data;
}

export const useCatalogueQuery = () =>
  useQuery({
    queryKey: catalogueKey,
    queryFn: async ({ signal }) => {
      const found = await api.call('getCatalogue', { signal });
      signedIn();
      return { ...found, datasets: found.datasets.toSorted((a, b) => Number(isOwn(a.name)) - Number(isOwn(b.name))) };
    },
    staleTime: 60_000,
    refetchInterval: 60_000,
  });

/** After something that changed it: a new dataset, other rights. */
export const refreshCatalogue = (): Promise<void> => queryClient.invalidateQueries({ queryKey: catalogueKey });

/**
 * Whether the person may do it; true until that is known, since nothing is gained by a control that
 * flashes.
 */
export function useMay(need: Need | undefined): boolean {
  const catalogue = useCatalogue();
  return useMemo(
    () => need === undefined || catalogue === undefined || may(catalogue.capabilities, need),
    [catalogue, need],
  );
}
