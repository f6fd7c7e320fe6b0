import type { DatasetField, View, VirtualField } from '@millrace/client';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { ask } from './api.js';
import { queryClient } from './query-client.js';
import { may, type Need, type Rights } from './rights.js';
import { signedIn } from './session.js';

/** Everything the console knows without asking for it each time: who is here, what they may do, the datasets and their fields. */
export interface Catalogue {
  readonly principal: {
    readonly kind: string;
    readonly tokenId: string;
    readonly tokenName: string;
    readonly userId?: string;
    readonly userName?: string;
    readonly email?: string;
  };
  readonly capabilities: readonly Rights[];
  readonly settings: { readonly autoCreateDatasets: boolean; readonly maxUrlBytes: number; readonly version: string };
  readonly datasets: readonly CatalogueDataset[];
  readonly virtualFields: readonly VirtualField[];
  readonly views: readonly Omit<View, 'datasets'>[];
}

interface CatalogueDataset {
  readonly name: string;
  readonly description: string;
  readonly kind: string;
  readonly created: string;
  readonly useRetentionPeriod: boolean;
  readonly retentionDays: number;
  readonly mapFields: readonly string[];
  readonly locked: boolean;
  readonly fields: readonly DatasetField[];
}

const catalogueKey = ['catalogue'] as const;

/** The catalogue; undefined until it is there. */
export function useCatalogue(): Catalogue | undefined {
  return useCatalogueQuery().data;
}

export const useCatalogueQuery = () =>
  useQuery({
    queryKey: catalogueKey,
    queryFn: async ({ signal }) => {
      const found = await ask<Catalogue>('GET', '/v2/catalogue', { signal });
      signedIn();
      return found;
    },
    staleTime: 60_000,
    refetchInterval: 60_000,
  });

/** After something that changed it: a new dataset, other rights. */
export const refreshCatalogue = (): Promise<void> => queryClient.invalidateQueries({ queryKey: catalogueKey });

/** Whether the person may do it; true until that is known, since nothing is gained by a control that flashes. */
export function useMay(need: Need | undefined): boolean {
  const catalogue = useCatalogue();
  return useMemo(
    () => need === undefined || catalogue === undefined || may(catalogue.capabilities, need),
    [catalogue, need],
  );
}
